"""`kb campaign`: a folder that remembers a campaign - begin it, record games, check it, look at it, make a page of it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from prompt_toolkit.completion import Completer, FuzzyCompleter, PathCompleter, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.shortcuts import PromptSession
from prompt_toolkit.validation import ValidationError, Validator

from kb.api.decks import Campaign
from kb.campaigns.conversation import beginning, deck_for, recording
from kb.campaigns.draft import draft, first_file, game_file, refuse_unreadable
from kb.campaigns.folder import CampaignError, read_folder
from kb.campaigns.game_campaign import campaigns_named
from kb.campaigns.model import Written
from kb.campaigns.reader import GAME_KEYS, HEAD_KEYS, text_of
from kb.campaigns.record import begin, deck_place, refuse_no_text, said, take_back, written
from kb.campaigns.replay import OpenCampaign
from kb.cli.deck_files import (
    FINDINGS,
    LEGAL,
    UNREADABLE,
    files_named,
    finding_lines,
    located_lines,
    write_new,
)
from kb.cli.help import Commands
from kb.cli.session import Force, PageOut, Yes, session_here
from kb.cli.terminal import (
    AsJson,
    at_a_terminal,
    close_page,
    coloured,
    dim,
    print_found,
    strong,
    sure,
    tell,
    tell_all,
    warn,
)
from kb.decks.deckfile import deck_text, parse_deck
from kb.decks.nodes import DeckFileError, place
from kb.decks.questions import Conversation, Question
from kb.errors import KbError
from kb.plural import counted

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.campaigns.model import Replay, Step
    from kb.campaigns.reader import Key
    from kb.citation import Citations


app = Commands(
    name="campaign",
    help="A campaign as a folder of plain files: record each game, check that it follows, look back.",
    no_args_is_help=True,
)
PART = r"^(?:(?! x?\d)[^,;])*[^,;\s]"
"""What completion looks at, backwards from the cursor: what stands behind the last comma, without its number of copies."""


def choices(question: Question) -> Completer:
    """Completes a part of an answer by the choices that hold what is typed of it."""
    return FuzzyCompleter(WordCompleter(list(question.choices), pattern=re.compile("(?!)")), pattern=PART)


def heard(question: Question, line: str) -> str:
    """What was typed; for a deck the text of its file. Raises DeckFileError."""
    return deck_text(line.strip()) if question.file and line.strip() else line


class Answers(Validator):
    """Refuses an answer that will not do, with a sentence that says why."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def validate(self, document: Document) -> None:
        """Raise ValidationError for what will not do."""
        try:
            wrong = self.question.wrong(heard(self.question, document.text))
        except DeckFileError as error:
            wrong = str(error)
        if wrong:
            raise ValidationError(len(document.text), wrong)


def converse(asked: Conversation) -> dict[str, Any]:
    """Ask every question, and give what the answers say. Raises EOFError and KeyboardInterrupt where the user leaves."""
    session: PromptSession[str] = PromptSession()
    question = next(asked)
    while True:
        line = session.prompt(
            f"{question.text}{f' [{question.default}]' if question.default else ''} ",
            completer=choices(question) if question.choices else PathCompleter() if question.file else None,
            complete_while_typing=True,
            validator=Answers(question),
            validate_while_typing=False,
            bottom_toolbar="The path of its file" if question.file else question.note or None,
        )
        try:
            question = asked.send(question.answer(heard(question, line)))
        except StopIteration as done:
            values: dict[str, Any] = done.value
            return values


Say = Annotated[
    list[str] | None,
    typer.Option("--say", "-s", metavar="KEY=VALUE", help="A key of the file with its value, as YAML (repeat)."),
]
Decks = Annotated[
    list[str] | None,
    typer.Option(
        "--deck",
        metavar="NAME[=FILE]",
        help="A deck to keep in the folder: of a character, a deck file, or a folder of deck files.",
    ),
]
FolderOf = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the campaign.")]
DRAFT = "# Fill in what happened and take the # away. Save and close: the game is recorded.\n# An empty file records nothing.\n"


@app.command("new")
def start(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")],
    game: Annotated[str, typer.Option("--game", help="The game, by any of its names.")],
    say: Say = None,
    decks: Decks = None,
    as_json: AsJson = False,
) -> int:
    """Begin a campaign: a folder with campaign.yaml, which says who plays what with which decks.

    On a terminal it asks who plays and what was agreed on, unless options say it. Without a file, --deck NAME takes the deck that
    `kb deck new NAME` writes; --deck takes a deck file or a folder of them too. Keys that are not said are comments in the file. The set
    comes from --say set=, the name of the game or the decks. Exit code 2: nothing was written.

    Examples:
        kb campaign new runelords --game rotr --deck Lini
        kb campaign new table --game rotr --deck lini.yaml --deck Kyra=decks/kyra.yaml
    """
    part = campaigns_named(game)
    values = {"game": part.game, **said(say or (), (*HEAD_KEYS, *part.head))}
    with session_here() as session:
        rules, texts = session.deck_rules.game(part.game), {}
        if not (say or decks) and at_a_terminal():
            values = answers(beginning(part, rules), "begun")
            texts = values.pop("texts")
        set_id = str(values.get("set") or part.set_called(game))
        texts |= kept_decks(part, rules, decks, values, set_id)
        sets = [part.set_of(parse_deck(text, name), rules[1]) for name, text in texts.items()]
        if set_id := set_id or next(filter(None, sets), ""):
            values.setdefault("set", set_id)
        text = first_file(part, values)
        refuse_unreadable(folder, text, texts, session.deck_rules.game)
        return report(session, folder, begin(folder, text, texts), as_json)


@app.command()
def record(
    folder: FolderOf = Path(),
    say: Say = None,
    decks: Decks = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Take the game's file as it is; - for standard input.")
    ] = None,
    fill: Annotated[
        bool,
        typer.Option("--fill", help="Let the rules rebuild the decks where they do: trades, and cards from the box."),
    ] = False,
    edit: Annotated[
        bool,
        typer.Option("--edit", help="Write the file in your editor ($VISUAL, $EDITOR) instead of answering questions."),
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Record a game: one more file in the folder, by questions, from options, from a file, or in your editor.

    Before it is written, the campaign is replayed with it: on a terminal what it changes is shown, and whether to write is asked. What
    does not follow is told, and kept if you say so; what cannot be read is not written. Exit code 0: recorded; 1: recorded, but the game
    breaks a rule; 2: nothing was recorded.

    Examples:
        kb campaign record runelords
        kb campaign record runelords --from game.yaml --fill
    """
    files = read_folder(folder)
    with session_here() as session:
        campaign, by_hand = OpenCampaign(files, session.deck_rules.game), False
        part = campaign.part
        keys = (*part.game_keys(), *GAME_KEYS)
        values = said(say or (), keys)
        texts = kept_decks(part, campaign.rules, decks, values, getattr(campaign.head, "set", ""))
        if source is not None:
            if values:
                refuse("--from takes a whole file; give nothing else with it.")
            text = deck_text(str(source))
        elif not values and (edit or not at_a_terminal()):
            text, by_hand = edited(keys, campaign.coming()), True
        else:
            if not values:
                values = answers(recording(campaign), "recorded")
                fill, texts = values.pop("fill") or fill, values.pop("texts")
            text = game_file(part, values)
        try:
            game = draft(campaign, text, texts, fill, str(source or "the game"))
            asked = at_a_terminal() and not (yes or as_json)
            if asked and not show_and_ask(session, game.replay):
                raise CampaignError("Nothing was recorded.")
            wrote = game.write(folder)
        except (DeckFileError, CampaignError) as error:
            refuse(str(error) + (kept(text) if by_hand else ""))
        return report(session, folder, wrote, as_json, last=True, told=asked)


def refuse(why: str) -> NoReturn:
    """Stop with exit code 2, and say why nothing was done."""
    raise KbError(why) from None


def answers(asked: Conversation, done: str) -> dict[str, Any]:
    """What the players say on a terminal. Raises CampaignError where they leave, so that nothing is `done`."""
    close_page()
    try:
        return converse(asked)
    except EOFError:
        raise CampaignError(f"Nothing was {done}: the questions were left.") from None


def show_and_ask(session: Session, shown: Replay) -> bool:
    """Show what a game changes and what is wrong with it, and ask whether to write it."""
    step = shown.steps[-1]
    tell(strong(step.heading))
    tell_all(f"  {line}" for line in step.lines)
    for each in step.findings:
        tell_all(finding_lines(each.finding, session.cites))
    return sure("Record this game?")


@app.command()
def undo(
    folder: FolderOf = Path(),
    yes: Yes = False,
) -> None:
    """Take the last game back: its file, and the decks that were kept for it, go into the folder `undone` of the campaign.

    Exit code 0: taken back; 2: there is no game, or nothing was done.

    Examples:
        kb campaign undo runelords
        kb campaign undo runelords --yes
    """
    games = read_folder(folder).games
    if not games:
        refuse(f"{folder} holds no game that could be taken back.")
    if at_a_terminal() and not yes and not sure(f"Take {Path(games[-1].name).name} back?"):
        refuse("Nothing was taken back.")
    for path in take_back(folder, games[-1]):
        tell(f"Took back {path.name}; it lies in {path.parent}.")


def kept_decks(
    part: AnyCampaign, rules: tuple[Any, Any], decks: Iterable[str] | None, values: dict[str, Any], set_id: str
) -> dict[str, str]:
    """The decks that options name, as texts by their names; where they are kept goes into the `values` of a file. Raises KbError."""
    texts = {}
    for each in chain.from_iterable(map(whose, decks or ())):
        name, _, path = (word.strip() for word in each.partition("="))
        refuse_no_text(name)
        if not name:
            refuse(f"--deck {each}: write NAME=FILE.")
        texts[name] = deck_for(part.game, rules, name, deck_text(path) if path else "", set_id=set_id)
        values.setdefault("decks", {})[name] = deck_place(name, texts[name])
    return texts


def whose(said: str) -> Iterator[str]:
    """Yield NAME=FILE for a deck file, and for each of a folder, by the character that the file names; other text as it is."""
    path = Path(said)
    files = sorted(path.glob("*.y*ml")) if path.is_dir() else [path]
    if "=" in said or not path.exists():
        yield said
        return
    if not files:
        refuse(f"--deck {said}: the folder holds no deck file (.yaml).")
    for file in files:
        name = text_of(parse_deck(deck_text(str(file)), str(file)), "character")
        if not name:
            refuse(f"{file} does not say whose deck it is: write --deck NAME={file}.")
        yield f"{name}={file}"


def edited(keys: Iterable[Key], known: Mapping[str, str]) -> str:
    """The file of the next game as the user leaves it in the editor. Stops with exit code 2 when there is nothing.

    What is `known` is filled in, the rest stands there as comments.
    """
    text = DRAFT + written(keys, known)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        tell(text)
        refuse("There is no editor ($VISUAL, $EDITOR); say the keys with --say KEY=VALUE, or give a file with --from.")
    close_page()
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "game.yaml"
        draft.write_text(text, "utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(draft)], check=True)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            refuse(f"Nothing was recorded: the editor {editor!r} failed ({error}).")
        left = deck_text(str(draft))
    if left == text or all(not line.strip() or line.lstrip().startswith("#") for line in left.splitlines()):
        refuse("Nothing was recorded: the editor changed nothing, or left an empty file.")
    return left.removeprefix(DRAFT)


def kept(text: str) -> str:
    """Where a text lies that was written in an editor and could not be recorded, for people."""
    handle, name = tempfile.mkstemp(prefix="kb-game-", suffix=".yaml")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return f"\nNothing was recorded; your text is in {name}."


def report(session: Session, folder: Path, wrote: Path, as_json: bool, last: bool = False, told: bool = False) -> int:
    """Say which file was written, and (unless that is `told`) what is wrong with the campaign, or with its last game; returns the exit
    code, 1 for an error."""
    if not as_json:
        tell(f"Wrote {wrote}.")
    replay = Campaign(folder, session=session).check()
    steps = replay.steps[-1:] if last else replay.steps
    print_found(Written(replay, str(wrote)), () if told else step_lines(steps, session.cites), as_json, session.cites)
    wrong = any(each.finding.severity == "error" for step in steps for each in step.findings)
    return FINDINGS if wrong or any(step.problems for step in steps) else LEGAL


def step_lines(steps: Iterable[Step], cites: Citations) -> Iterator[str]:
    """What is wrong with the games of a campaign; what cannot be read in its files is said on standard error."""
    for step in steps:
        for problem in step.problems:
            warn(f"{place(step.file, problem.line)}: {problem.message}")
        yield from located_lines(step.file, step.findings, cites)


@app.command()
def check(
    folder: FolderOf = Path(),
    as_json: AsJson = False,
) -> int:
    """Replay a campaign by the rules of its game: whatever does not follow from what came before, with its rule and line.

    Exit code 0: all follows; 1: something breaks a rule; 2: a file cannot be read (the others are checked all the same).

    Examples:
        kb campaign check runelords
        kb campaign check runelords --json
    """
    with session_here() as session:
        replay = Campaign(folder, session=session).check()
        print_found(replay, replay_lines(replay, session.cites), as_json, session.cites)
    return UNREADABLE if not replay.readable else LEGAL if replay.legal else FINDINGS


def replay_lines(replay: Replay, cites: Citations) -> Iterator[str]:
    """The verdict on a campaign, and what is wrong with it."""
    for name, message in replay.strays:
        warn(f"{name} {message}")
    verdict = coloured("follows the rules", "green") if replay.legal else coloured("breaks rules", "red")
    partly = "" if replay.readable else ", as far as it can be read"
    yield f"{strong(f'{replay.title}:')} {counted(len(replay.games), 'game')}, {verdict}{partly}."
    yield from step_lines(replay.steps, cites)
    for line in replay.not_checked:
        yield dim(f"  Not checked: {line}")


@app.command()
def show(
    folder: FolderOf = Path(),
    as_json: AsJson = False,
) -> int:
    """Show a campaign as a timeline: what each game changed for whom, and the decks as they are now.

    Exit code 2 when a file cannot be read (the others are shown all the same).

    Examples:
        kb campaign show runelords
        kb campaign show runelords --json
    """
    with session_here() as session:
        replay = Campaign(folder, session=session).check()
        print_found(replay, timeline(replay), as_json, session.cites)
    return LEGAL if replay.readable else UNREADABLE


def timeline(replay: Replay) -> Iterator[str]:
    """A campaign game by game: what each changed, and the decks as they are now."""
    yield strong(replay.title)
    yield from (f"{label}: {value}" for label, value in replay.facts)
    for step in replay.steps:
        ended = ", ".join(part for part in (step.outcome, step.date) if part)
        yield ""
        title = f"{f'{step.number}. ' if step.number else ''}{step.title}{f' ({ended})' if ended else ''}"
        yield coloured(title, "cyan")
        for problem in step.problems:
            line = f"line {problem.line}: " if problem.line else ""
            yield coloured(f"   not read: {line}{problem.message}", "red")
        yield from (f"   {line}" for line in step.lines)
        for each in step.findings:
            if each.finding.severity != "note":
                yield coloured(f"   ! {each.finding.message}", "red")
        yield from (dim(f"   {line}") for line in step.notes.splitlines())
    if replay.decks:
        yield from ("", coloured("Now", "cyan"))
    for deck in replay.decks:
        yield strong(f"   {deck.heading}")
        for kind, lines in deck.piles.items():
            names = (f"{line.copies}x {line.name}" if line.copies > 1 else line.name for line in lines)
            yield f"     {kind}: {', '.join(names)}"


@app.command()
def page(
    folder: FolderOf = Path(),
    out: PageOut = None,
    force: Force = False,
) -> None:
    """Write a campaign as one HTML page to keep or share: its games, what changed and why, decks, charts.

    The page is complete in itself and loads nothing. Exit code 0: written, whatever the verdict; 2: there is no campaign, or
    the file exists.

    Examples:
        kb campaign page runelords --out runelords.html
        kb campaign page runelords --out runelords.html --force
    """
    from kb.site.campaign import campaign_page

    with session_here() as session:
        replay = Campaign(folder, session=session).check()
        write_new(out, campaign_page(replay, session.cites), force, files_named(str(folder)))
