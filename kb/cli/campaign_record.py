"""`kb campaign new` and `kb campaign record`: write the files of a campaign, from options or in an editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import FINDINGS, UNREADABLE
from kb.cli.deck_print import print_finding, print_line
from kb.cli.pager import close_page
from kb.cli.session import session_here
from kb.cli.terminal import at_a_terminal, print_json, sure, tell, warn

if TYPE_CHECKING:
    from kb.campaigns.games import Campaigns
    from kb.campaigns.model import Folder, Replay
    from kb.decks.deckfile import DeckFile

Say = Annotated[
    list[str] | None,
    typer.Option("--say", "-s", metavar="KEY=VALUE", help="A key of the file with its value, as YAML (repeat)."),
]
Decks = Annotated[
    list[str] | None,
    typer.Option("--deck", metavar="NAME=FILE", help="The deck of a character or investigator: kept in the folder."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before anything is written (for scripts).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON: the file written, and what `kb campaign check` finds.")]
DRAFT = "# Fill in what happened and take the # away. Save and close: the game is recorded.\n# An empty file records nothing.\n"


def start(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")],
    game: Annotated[str, typer.Option("--game", help="The game, by any of its names.")],
    say: Say = None,
    decks: Decks = None,
    as_json: Json = False,
) -> None:
    """Begin a campaign: a folder with campaign.yaml, which says who plays what with which decks.

    Without a file, --deck NAME takes the deck that `kb deck new NAME` writes. Keys that are not said stand there as comments.
    Exit code 2: nothing was written.

    Examples:
        kb campaign new runelords --game rotr --say set=rotr --deck Lini
        kb campaign new table --game rotr --say set=rotr --deck Lini=lini.yaml
    """
    from kb.campaigns.folder import parse_page
    from kb.campaigns.games import campaign_game
    from kb.campaigns.keys import HEAD_KEYS
    from kb.campaigns.record import begin, deck_place, said, written
    from kb.decks.deckfile import parse_deck
    from kb.decks.nodes import DeckFileError, DeckProblem

    try:
        about = campaign_game(parse_deck(f"game: {game!r}\n", "--game"))
    except DeckFileError as error:  # an option has no lines
        told = [DeckProblem(0, each.message.replace("`game: ", "`--game ")) for each in error.problems]
        raise DeckFileError("--game", told) from None
    part = part_of(about.id)
    keys = (*HEAD_KEYS, *part.head_keys())
    values = {"game": about.id, **said(say or (), keys)}
    with session_here() as session:
        module, facts = session.table.game(about.id)

        def suggested(name: str) -> str:
            text: str | None = module.new_deck(name, str(values["set"]) if "set" in values else None, facts)
            if text is None:
                warn(f"There is no deck to begin with for {name!r}. Write --deck NAME=FILE.")
                raise typer.Exit(UNREADABLE)
            return text

        texts = {name: text_at(path) if path else suggested(name) for name, path in named(decks)}
    for name, text in texts.items():
        values.setdefault("decks", {})[name] = deck_place(name, text)
    text = written(keys, values, "A campaign: this file says how it begins; each game has a file of its own beside it.")
    parse_page(text, "campaign.yaml")
    report(folder, begin(folder, text, texts), as_json)


def record(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the campaign.")] = Path(),
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
    as_json: Json = False,
) -> None:
    """Record a game: one more file in the folder, by questions, from options, from a file, or in your editor.

    Before it is written, the campaign is replayed with it: on a terminal what it changes is shown, and whether to write is asked. What
    does not follow is told, and kept if you say so; what cannot be read is not written. Exit code 0: recorded; 1: recorded, but the game
    breaks a rule; 2: nothing was recorded.

    Examples:
        kb campaign record runelords
        kb campaign record runelords --from game.yaml --fill
    """
    from kb.campaigns.folder import CampaignError, parse_page, read_folder
    from kb.campaigns.games import campaign_game
    from kb.campaigns.keys import GAME_KEYS
    from kb.campaigns.record import append, deck_place, said, written
    from kb.decks.nodes import DeckFileError

    files = read_folder(folder)
    if files.head.file is None:
        raise DeckFileError(files.head.name, list(files.head.problems))
    part = part_of(campaign_game(files.head.file).id)
    keys = (*part.game_keys(), *GAME_KEYS)
    texts = {name: text_at(path) for name, path in named(decks, files=True)}
    values = said(say or (), keys)
    for name, text in texts.items():
        values.setdefault("decks", {})[name] = deck_place(name, text)
    if source is not None:
        if values:
            warn("--from takes a whole file; give nothing else with it.")
            raise typer.Exit(UNREADABLE)
        text, draft = text_at(str(source)), None
    elif values:
        text, draft = written([key for key in keys if key.name in values], values), None
    elif edit or not at_a_terminal():
        text, draft = edited(template(files, part))
    else:
        values = answers(files, part)
        text, draft = written([key for key in keys if key.name in values], values), None
        fill = fill or (part.rebuilds and sure("Rebuild the decks now, by the rules?"))
    try:
        file = parse_page(text, str(draft or source or "the game"))
        title = part.title(file)
        if fill:
            text = with_decks(text, file, files, part)
        shown = preview(files, text, str(draft or source or "the game"), texts)
        asked = at_a_terminal() and not (yes or as_json)
        if asked and not show_and_ask(shown):
            raise CampaignError("Nothing was recorded.")
        wrote = append(folder, title, text, texts)
    except (DeckFileError, CampaignError) as error:
        warn(str(error) + (f"\nNothing was recorded; your text is in {draft}." if draft else ""))
        raise typer.Exit(UNREADABLE) from None
    if draft is not None:
        draft.unlink(missing_ok=True)
    report(folder, wrote, as_json, last=True, told=asked)


def answers(files: Folder, part: Campaigns) -> dict[str, Any]:
    """What the players say on a terminal. Raises CampaignError where they leave."""
    from kb.campaigns.conversation import whole_record
    from kb.campaigns.folder import CampaignError
    from kb.campaigns.games import campaign_game
    from kb.cli.campaign_ask import converse

    assert files.head.file is not None
    with session_here() as session:
        facts = session.table.game(campaign_game(files.head.file).id)[1]
    close_page()
    try:
        return converse(whole_record(part.questions(files, facts)))
    except EOFError:
        raise CampaignError("Nothing was recorded: the questions were left.") from None


def preview(files: Folder, text: str, name: str, texts: Mapping[str, str]) -> Replay:
    """The campaign with a game that is not written yet. Raises DeckFileError for what could not be read again."""
    from kb.campaigns.folder import parse_page
    from kb.campaigns.model import Page
    from kb.campaigns.record import deck_place
    from kb.campaigns.replay import replay_folder
    from kb.decks.deckfile import parse_deck
    from kb.decks.nodes import DeckFileError

    decks = {deck_place(who, deck): deck for who, deck in texts.items()}
    number = max((page.number for page in files.games), default=0) + 1
    page = Page(name, number, parse_page(text, name))
    with_it = replace(
        files,
        games=(*files.games, page),
        deck=lambda path: parse_deck(decks[path], path) if path in decks else files.deck(path),
    )
    with session_here() as session:
        found = replay_folder(with_it, session.table)
    if problems := found.steps[-1].problems:
        raise DeckFileError(name, list(problems))
    return found


def show_and_ask(shown: Replay) -> bool:
    """Show what a game changes and what is wrong with it, and ask whether to write it."""
    from kb.campaigns.told import cites_of, together

    step = shown.steps[-1]
    print_line(("bold", f"{step.title} ({step.outcome})" if step.outcome else step.title))
    for change in together(step.changes):
        print_line(("", f"  {change.who}: {change.text}" if change.who else f"  {change.text}"))
    with session_here() as session:
        cites = session.cites(cites_of(shown))
    for each in step.findings:
        print_finding(each.finding, cites)
    return sure("Record this game?")


def undo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the campaign.")] = Path(),
    yes: Yes = False,
) -> None:
    """Take the last game back: its file, and the decks that were kept for it, go into the folder `undone` of the campaign.

    Exit code 0: taken back; 2: there is no game, or nothing was done.

    Examples:
        kb campaign undo runelords
        kb campaign undo runelords --yes
    """
    from kb.campaigns.folder import read_folder
    from kb.campaigns.record import take_back

    games = read_folder(folder).games
    if not games:
        warn(f"{folder} holds no game that could be taken back.")
        raise typer.Exit(UNREADABLE)
    if at_a_terminal() and not yes and not sure(f"Take {Path(games[-1].name).name} back?"):
        warn("Nothing was taken back.")
        raise typer.Exit(UNREADABLE)
    for path in take_back(folder, games[-1]):
        tell(f"Took back {path.name}; it lies in {path.parent}.")


def part_of(game: str) -> Campaigns:
    """What a game does for campaigns; there is one (see campaign_game)."""
    from kb.campaigns.games import campaigns_of

    found = campaigns_of(game)
    if found is None:
        raise LookupError(f"the game {game!r} has no campaigns")
    return found


def named(decks: list[str] | None, files: bool = False) -> list[tuple[str, str]]:
    """Names with their files; without a file the name alone, where that is allowed. Raises CampaignError; stops with exit code 2."""
    from kb.campaigns.record import refuse_no_text

    found = [(name.strip(), path.strip()) for name, _, path in (each.partition("=") for each in decks or ())]
    for name, path in found:
        refuse_no_text(name)
        if not name or (files and not path):
            warn(f"--deck {name}: write NAME=FILE.")
            raise typer.Exit(UNREADABLE)
    return found


def with_decks(text: str, file: DeckFile, files: Folder, part: Campaigns) -> str:
    """The text of a game's file with the decks that the rules work out. Raises DeckFileError; stops with exit code 2."""
    from kb.campaigns.games import campaign_game
    from kb.campaigns.record import dumped

    assert files.head.file is not None
    with session_here() as session:
        _, facts = session.table.game(campaign_game(files.head.file).id)
        decks = part.filled(files, file, facts)
    if decks is None or file.get("decks") is not None:
        warn(
            "--fill: the rules of this game leave no deck to work out."
            if decks is None
            else "--fill works the decks out; give no `decks` with it."
        )
        raise typer.Exit(UNREADABLE)
    return f"{text.rstrip()}\n{dumped({'decks': decks})}\n" if decks else text


def text_at(path: str) -> str:
    """The text of a file, or of standard input. Raises DeckFileError."""
    from kb.decks.deckfile import deck_text

    return deck_text(path)


def template(files: Folder, part: Campaigns) -> str:
    """The file of the next game as it is put before people: what is known filled in, the rest as comments."""
    from kb.campaigns.keys import GAME_KEYS
    from kb.campaigns.record import parsed, written
    from kb.campaigns.replay import replay_folder

    with session_here() as session:
        known = replay_folder(files, session.table).next
    return DRAFT + written((*part.game_keys(), *GAME_KEYS), {key: parsed(value, key) for key, value in known.items()})


def edited(text: str) -> tuple[str, Path]:
    """A text as the user leaves it in the editor, and the draft it lies in. Stops with exit code 2 when there is nothing."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        warn("There is no editor ($VISUAL, $EDITOR); say the keys with --say KEY=VALUE, or give a file with --from.\n")
        tell(text)
        raise typer.Exit(UNREADABLE)
    handle, name = tempfile.mkstemp(prefix="kb-game-", suffix=".yaml")
    draft = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    close_page()
    try:
        done = subprocess.run([*shlex.split(editor), name], check=False)
    except (OSError, ValueError) as error:
        draft.unlink(missing_ok=True)
        warn(f"The editor {editor!r} cannot be started: {getattr(error, 'strerror', None) or error}.")
        raise typer.Exit(UNREADABLE) from None
    left = text_at(name)
    bare = [line for line in left.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if done.returncode or not bare or left == text:
        draft.unlink(missing_ok=True)
        warn("Nothing was recorded: the editor failed, changed nothing, or left an empty file.")
        raise typer.Exit(UNREADABLE)
    return left.removeprefix(DRAFT), draft


def report(folder: Path, wrote: Path, as_json: bool, last: bool = False, told: bool = False) -> None:
    """Say which file was written, and (unless that is `told`) what is wrong with the campaign, or with its last game; exit code 1 for an
    error."""
    from kb.campaigns.told import cites_of, written_json
    from kb.decks.nodes import place

    if not as_json:
        tell(f"Wrote {wrote}.")
    with session_here() as session:
        replay = session.check_campaign(folder)
        cites = session.cites(cites_of(replay))
    steps = replay.steps[-1:] if last else replay.steps
    if as_json:
        print_json(written_json(replay, cites, str(wrote)))
    for step in () if as_json or told else steps:
        for problem in step.problems:
            warn(f"{place(step.file, problem.line)}: {problem.message}")
        for each in step.findings:
            print_line(("bold", f"{place(step.file, each.line)}:"))
            print_finding(each.finding, cites)
    wrong = any(each.finding.severity == "error" for step in steps for each in step.findings)
    raise typer.Exit(FINDINGS if wrong or any(step.problems for step in steps) else 0)
