"""`kb campaign new` and `kb campaign record`: write the files of a campaign, from options or in an editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.deck_files import FINDINGS, UNREADABLE
from kb.cli.deck_print import print_finding, print_line
from kb.cli.pager import close_page
from kb.cli.session import session_here
from kb.cli.terminal import print_json, tell, warn

if TYPE_CHECKING:
    from kb.campaigns.games import Campaigns
    from kb.campaigns.model import Folder
    from kb.decks.deckfile import DeckFile

Say = Annotated[
    list[str] | None,
    typer.Option("--say", "-s", metavar="KEY=VALUE", help="A key of the file with its value, as YAML (repeat)."),
]
Decks = Annotated[
    list[str] | None,
    typer.Option("--deck", metavar="NAME=FILE", help="The deck of a character or investigator: kept in the folder."),
]
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
    as_json: Json = False,
) -> None:
    """Record a game: one more file in the folder, from options, from a file, or in your editor ($VISUAL, $EDITOR).

    Then the campaign is replayed, and what does not follow is told; the file is kept. Exit code 0: recorded; 1: recorded, but
    the game breaks a rule; 2: nothing was recorded.

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
    else:
        text, draft = edited(template(files, part))
    try:
        file = parse_page(text, str(draft or source or "the game"))
        title = part.title(file)
        if fill:
            text = with_decks(text, file, files, part)
        wrote = append(folder, title, text, texts)
    except (DeckFileError, CampaignError) as error:
        warn(str(error) + (f"\nNothing was recorded; your text is in {draft}." if draft else ""))
        raise typer.Exit(UNREADABLE) from None
    if draft is not None:
        draft.unlink(missing_ok=True)
    report(folder, wrote, as_json, last=True)


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
    if done.returncode or not bare:
        draft.unlink(missing_ok=True)
        warn("Nothing was recorded: the editor failed, or left an empty file.")
        raise typer.Exit(UNREADABLE)
    return left.removeprefix(DRAFT), draft


def report(folder: Path, wrote: Path, as_json: bool, last: bool = False) -> None:
    """Say which file was written, and what is wrong with the campaign, or with its last game; exit code 1 for an error."""
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
    for step in () if as_json else steps:
        for problem in step.problems:
            warn(f"{place(step.file, problem.line)}: {problem.message}")
        for each in step.findings:
            print_line(("bold", f"{place(step.file, each.line)}:"))
            print_finding(each.finding, cites)
    wrong = any(each.finding.severity == "error" for step in steps for each in step.findings)
    raise typer.Exit(FINDINGS if wrong or any(step.problems for step in steps) else 0)
