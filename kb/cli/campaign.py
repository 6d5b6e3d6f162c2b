"""`kb campaign`: begin a campaign folder, record games, check and show the campaign, and write a page about it."""

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

from kb import paths
from kb.api.decks import Campaign
from kb.campaigns.campaign import WrittenCampaign
from kb.campaigns.conversation import beginning, deck_for, recording
from kb.campaigns.draft import draft, first_file, game_file, refuse_unreadable
from kb.campaigns.folder import CampaignError, read_folder
from kb.campaigns.game_campaign import campaigns_named
from kb.campaigns.reader import GAME_KEYS, SETUP_KEYS, text_of
from kb.campaigns.record import begin, deck_place, refuse_no_text, said, take_back, written
from kb.campaigns.replay import OpenCampaign
from kb.cli.completion import games
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
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError, place
from kb.decks.questions import Conversation, Question
from kb.errors import KbError
from kb.files.folders import workshop
from kb.plural import counted

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.campaigns.campaign import CampaignStep, Replay
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.citation import Citations
    from kb.decks.file_keys import Key


app = Commands(
    name="campaign",
    help="Record a campaign in a folder of text files and check it.",
    no_args_is_help=True,
)
PART = r"^(?:(?! x?\d)[^,;])*[^,;\s]"
"""Matches the part of an answer that completion replaces. This part ends at the cursor, and begins after the last comma
and the number of copies.
"""


def choices(question: Question) -> Completer:
    """Return a completer for a question. It offers the choices that contain the typed part of the answer."""
    return FuzzyCompleter(WordCompleter(list(question.choices), pattern=re.compile("(?!)")), pattern=PART)


def heard(question: Question, line: str) -> str:
    """Return the typed `line`. If the question is about a deck file, return the text of the file that `line` names;
    raises DeckFileError if it cannot be read.
    """
    return deck_text(line.strip()) if question.file and line.strip() else line


class Answers(Validator):
    """A validator that refuses invalid answers to a question, with a sentence that says why."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def validate(self, document: Document) -> None:
        """Raise ValidationError if the answer is invalid."""
        try:
            wrong = self.question.wrong(heard(self.question, document.text))
        except DeckFileError as error:
            wrong = str(error)
        if wrong:
            raise ValidationError(len(document.text), wrong)


def converse(asked: Conversation) -> dict[str, Any]:
    """Ask every question of a conversation on the terminal, and return its result. Raises EOFError or KeyboardInterrupt
    if the user leaves.
    """
    session: PromptSession[str] = PromptSession()
    question = next(asked)
    while True:
        line = session.prompt(
            f"{question.words}{f' [{question.default}]' if question.default else ''} ",
            completer=choices(question) if question.choices else PathCompleter() if question.file else None,
            complete_while_typing=True,
            validator=Answers(question),
            validate_while_typing=False,
            bottom_toolbar="Path to the deck file" if question.file else question.note or None,
        )
        try:
            question = asked.send(question.answer(heard(question, line)))
        except StopIteration as done:
            values: dict[str, Any] = done.value
            return values


Say = Annotated[
    list[str] | None,
    typer.Option(
        "--say", "-s", metavar="KEY=VALUE", help="A key to write to the file, with its value in YAML (repeatable)."
    ),
]
Decks = Annotated[
    list[str] | None,
    typer.Option(
        "--deck",
        metavar="NAME[=FILE]",
        help="A deck to copy into the folder: a character's suggested deck, a deck file or a folder of deck files (repeatable).",
    ),
]
FolderOf = Annotated[Path, typer.Argument(metavar="FOLDER", help="The campaign folder.")]
DRAFT = (
    "# Fill in what happened and remove the #. Save and close to record the game.\n# An empty file records nothing.\n"
)


@app.command("new")
def start(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to create.")],
    game: Annotated[
        str,
        typer.Option(
            "--in",
            "--game",
            metavar="GAME",
            autocompletion=games,
            help="The game, or the set you play; not needed with deck files.",
        ),
    ] = "",
    say: Say = None,
    decks: Decks = None,
    as_json: AsJson = False,
) -> int:
    """Begin a campaign: create a folder with a campaign.yaml.

    On a terminal, it asks who plays which deck, unless you use --say or --deck. --deck accepts a character's name (for
    the suggested deck), a deck file or a folder of deck files. The set comes from --in, --say set= or the decks. Keys
    without a value are written as comments.

    Examples:
        kb campaign new runelords --in rotr --deck Lini
        kb campaign new table --in rotr --deck lini.yaml --deck Kyra=decks/kyra.yaml
    """
    game = game or game_of_decks(decks or ())
    part = campaigns_named(game)
    values = {"game": part.game, **said(say or (), (*SETUP_KEYS, *part.setup))}
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
        Path | None,
        typer.Option("--from", metavar="FILE", help="Use this file as the game's record; - reads standard input."),
    ] = None,
    fill: Annotated[
        bool,
        typer.Option("--fill", help="Rebuild the decks by the rules: trades first, then cards from the box."),
    ] = False,
    edit: Annotated[
        bool,
        typer.Option("--edit", help="Write the record in your editor ($VISUAL, $EDITOR)."),
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Record a game: answer questions, use options or a file, or write in your editor.

    kb first replays the campaign with the new game. On a terminal, it shows the changes and any broken rules, and asks
    before it writes. The command never writes a game that kb cannot read. The exit code is 1 if the recorded game
    breaks a rule.

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
        texts = kept_decks(part, campaign.rules, decks, values, getattr(campaign.setup, "set", ""))
        if source is not None:
            if values:
                refuse("--from reads the whole record. Do not combine it with --say or --deck.")
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
    """Stop the command with exit code 2 and the message `why`."""
    raise KbError(why) from None


def answers(asked: Conversation, done: str) -> dict[str, Any]:
    """Ask the questions of a conversation on the terminal, and return its result. Raises CampaignError if the user
    leaves. `done` completes its message, "nothing was …", for example with `recorded`.
    """
    close_page()
    try:
        return converse(asked)
    except EOFError:
        raise CampaignError(f"You left the questions. Nothing was {done}.") from None


def show_and_ask(session: Session, shown: Replay) -> bool:
    """Show the changes and problems of the last game. Return True if the user wants to record it."""
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
    """Undo the last game: move its record and decks to the `undone` folder.

    Examples:
        kb campaign undo runelords
        kb campaign undo runelords --yes
    """
    games = read_folder(folder).games
    if not games:
        refuse(f"{folder} has no recorded game.")
    if at_a_terminal() and not yes and not sure(f"Undo {Path(games[-1].name).name}?"):
        refuse("Nothing was undone.")
    for path in take_back(folder, games[-1]):
        tell(f"Undone: {path.name} moved to {path.parent}.")


def kept_decks(
    part: AnyCampaign, rules: tuple[Any, Any], decks: Iterable[str] | None, values: dict[str, Any], set_id: str
) -> dict[str, str]:
    """Return the texts of the decks in `--deck` by name, and add their paths in the folder to `values`. Raises KbError
    if a deck cannot be read or created.
    """
    texts = {}
    for each in chain.from_iterable(map(whose, decks or ())):
        name, _, path = (word.strip() for word in each.partition("="))
        refuse_no_text(name)
        if not name:
            refuse(f"--deck {each}: write it as NAME=FILE.")
        texts[name] = deck_for(part.game, rules, name, deck_text(path) if path else "", set_id=set_id)
        values.setdefault("decks", {})[name] = deck_place(name, texts[name])
    return texts


def whose(said: str) -> Iterator[str]:
    """Yield NAME=FILE for the deck file that `said` names, or for each deck file in the folder that it names. NAME is
    the character in the file. Any other text is yielded unchanged.
    """
    if "=" in said or not Path(said).exists():
        yield said
        return
    files = files_at(said)
    if not files:
        refuse(f"--deck {said}: the folder has no deck file (.yaml).")
    for file in files:
        name = text_of(parse_deck(deck_text(str(file)), str(file)), "character")
        if not name:
            refuse(f"{file} does not name its character. Write --deck NAME={file}.")
        yield f"{name}={file}"


def files_at(place: str) -> list[Path]:
    """Return the deck files in the folder `place`; if it is a file, return only that file."""
    path = Path(place)
    return sorted(path.glob("*.y*ml")) if path.is_dir() else [path]


def game_of_decks(decks: Iterable[str]) -> str:
    """Return the id of the game of the deck files in `--deck`. Stop with exit code 2 if they are for no game or for
    several.
    """
    files = [file for each in decks for file in files_at(each.partition("=")[2].strip() or each)]
    games = {game_of(parse_deck(deck_text(str(file)), str(file))).id for file in files if file.exists()}
    if len(games) != 1:
        why = "The decks are for several games." if games else "No deck file names its game."
        refuse(f"{why} Add --in GAME, or the set you play, such as --in rotr.")
    return games.pop()


def edited(keys: Iterable[Key], known: Mapping[str, str]) -> str:
    """Return the record of the next game as the user saved it in the editor. Stop with exit code 2 if it is empty or
    unchanged.

    The editor shows a file with the values in `known` filled in; the other `keys` are comments.
    """
    text = DRAFT + written(keys, known)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        tell(text)
        refuse("No editor is set ($VISUAL, $EDITOR). Use --say KEY=VALUE, or a file with --from.")
    close_page()
    paths.cache_dir().mkdir(parents=True, exist_ok=True)
    with workshop(paths.cache_dir() / "draft") as folder:
        draft = folder / "game.yaml"
        draft.write_text(text, "utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(draft)], check=True)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            refuse(f"Nothing was recorded: the editor {editor!r} failed ({error}).")
        left = deck_text(str(draft))
    if left == text or all(not line.strip() or line.lstrip().startswith("#") for line in left.splitlines()):
        refuse("Nothing was recorded: the file is empty or unchanged.")
    return left.removeprefix(DRAFT)


def kept(text: str) -> str:
    """Save a text from the editor that could not be recorded. Return a message with the path of the saved file."""
    handle, name = tempfile.mkstemp(prefix="kb-game-", suffix=".yaml")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return f"\nNothing was recorded. Your text is in {name}."


def report(session: Session, folder: Path, wrote: Path, as_json: bool, last: bool = False, told: bool = False) -> int:
    """Print which file was written and the problems in the campaign; with `last`, only the problems in its last game.
    If the problems were `told` before, do not print them again.

    Return the exit code, which is 1 if there are errors.
    """
    if not as_json:
        tell(f"Wrote {wrote}.")
    replay = Campaign(folder, session=session).check()
    steps = replay.steps[-1:] if last else replay.steps
    print_found(
        WrittenCampaign(replay, str(wrote)), () if told else step_lines(steps, session.cites), as_json, session.cites
    )
    wrong = any(each.finding.severity == "error" for step in steps for each in step.findings)
    return FINDINGS if wrong or any(step.problems for step in steps) else LEGAL


def step_lines(steps: Iterable[CampaignStep], cites: Citations) -> Iterator[str]:
    """Yield the findings on the games as lines. Print to standard error which parts of files cannot be read, and why."""
    for step in steps:
        for problem in step.problems:
            warn(f"{place(step.file, problem.line)}: {problem.message}")
        yield from located_lines(step.file, step.findings, cites)


@app.command()
def check(
    folder: FolderOf = Path(),
    as_json: AsJson = False,
) -> int:
    """Replay a campaign and report everything that breaks a rule, with its rule and line.

    Examples:
        kb campaign check runelords
        kb campaign check runelords --json
    """
    with session_here() as session:
        replay = Campaign(folder, session=session).check()
        print_found(replay, replay_lines(replay, session.cites), as_json, session.cites)
    return UNREADABLE if not replay.readable else LEGAL if replay.legal else FINDINGS


def replay_lines(replay: Replay, cites: Citations) -> Iterator[str]:
    """Yield the verdict on a campaign and its findings as lines."""
    for stray in replay.not_read:
        warn(f"{stray.file} {stray.message}")
    verdict = coloured("follows the rules", "green") if replay.legal else coloured("breaks rules", "red")
    partly = "" if replay.readable else " (some files cannot be read)"
    yield f"{strong(f'{replay.title}:')} {counted(replay.games, 'game')}, {verdict}{partly}."
    yield from step_lines(replay.steps, cites)
    for line in replay.not_checked:
        yield dim(f"  Not checked: {line}")


@app.command()
def show(
    folder: FolderOf = Path(),
    as_json: AsJson = False,
) -> int:
    """Show a campaign game by game, and the current decks.

    Examples:
        kb campaign show runelords
        kb campaign show runelords --json
    """
    with session_here() as session:
        replay = Campaign(folder, session=session).check()
        print_found(replay, timeline(replay), as_json, session.cites)
    return LEGAL if replay.readable else UNREADABLE


def timeline(replay: Replay) -> Iterator[str]:
    """Yield a campaign as lines: the changes of each game, then the current decks."""
    yield strong(replay.title)
    yield from (f"{each.label}: {each.value}" for each in replay.facts)
    for step in replay.steps:
        ended = ", ".join(part for part in (step.outcome, step.date) if part)
        yield ""
        title = f"{f'{step.number}. ' if step.number else ''}{step.title}{f' ({ended})' if ended else ''}"
        yield coloured(title, "cyan")
        for problem in step.problems:
            line = f"line {problem.line}: " if problem.line else ""
            yield coloured(f"   cannot be read: {line}{problem.message}", "red")
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
    """Write a campaign as one HTML page to keep or share: games, changes, decks and charts.

    The page works offline and loads nothing.

    Examples:
        kb campaign page runelords --out runelords.html
        kb campaign page runelords --out runelords.html --force
    """
    from kb.site.campaign import campaign_page

    with session_here() as session:
        replay = Campaign(folder, session=session).check()
        write_new(out, campaign_page(replay, session.cites), force, files_named(str(folder)))
