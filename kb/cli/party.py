"""`kb party rebuild` and `kb party check`: the decks of one table. A game brings what is done under the same names in its `game.yaml`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import UNREADABLE, read_all
from kb.cli.terminal import warn

if TYPE_CHECKING:
    from kb.decks.deckfile import DeckFile
    from kb.games import About

app = typer.Typer(
    name="party",
    help="The decks of one table: rebuild them between scenarios, check them together.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(main: typer.Typer) -> None:
    """Add `party` to the main command (`kb deck party` is another name of `kb party check`)."""
    main.add_typer(app)


def of_game(file: DeckFile, command: str) -> Callable[..., None]:
    """What the game of a file does for a command. Stops with exit code 2 when nothing tells the game, or it has no such."""
    from kb.decks.games import game_of
    from kb.decks.nodes import DeckFileError

    try:
        told = game_of(file)
    except DeckFileError as error:
        warn(str(error))
        raise typer.Exit(UNREADABLE) from None
    if command not in told.commands:
        warn(f"{file.name}: there is no `kb {command}` for {told.title}.")
        raise typer.Exit(UNREADABLE)
    return function_of(told, command)


def function_of(told: About, command: str) -> Callable[..., None]:
    """The function that a game's `game.yaml` names for a command."""
    module, _, name = told.commands[command].partition(":")
    found: Callable[..., None] = getattr(import_module(f"{told.package}.{module}"), name)
    return found


def read(names: list[str]) -> list[DeckFile]:
    """The files of these names. Stops with exit code 2 when one cannot be read, or when there is none."""
    files = list(read_all(names))
    if not files or any(file is None for file in files):
        raise typer.Exit(UNREADABLE)
    return [file for file in files if file is not None]


@app.command()
def rebuild(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table file, or - for standard input.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: need, from_box, decks, trades and more.")
    ] = False,
    fill: Annotated[
        bool, typer.Option("--fill", help="Choose the cards from the box too, those of the suggested decks first.")
    ] = False,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="FOLDER", help="Write a deck file for each member into this folder."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the deck files that are there.")] = False,
) -> None:
    """Rebuild the decks of a table after a scenario: who gives what to whom, what the box adds, what goes back.

    The most wishes come true, then the fewest cards change hands; the same table gives the same answer. Exit code 0: done;
    1: something about the table breaks a rule or is impossible; 2: the file cannot be read, or a deck file not written.
    """
    files = read([table])
    if len(files) > 1:
        warn(f"{table} holds {len(files)} files; name one table.")
        raise typer.Exit(UNREADABLE)
    of_game(files[0], "party rebuild")(files[0], as_json=as_json, fill=fill, write=write, force=force)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="DECK...", help="The decks of one table; a folder, or - .")],
    owned: Annotated[
        list[str] | None,
        typer.Option("--owned", metavar="PRODUCT", help="A product owned, by code or name (repeat, or commas)."),
    ] = None,
    out: Annotated[
        list[str] | None,
        typer.Option("--out", metavar="NAME", help="Who is out of this campaign for good: killed, insane (repeat)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: legal, findings, decks.")] = False,
) -> None:
    """Check the decks of one table together, and each by itself: copies over all of them, the size of the party and more.

    Exit code 0: legal; 1: not; 2: a file cannot be read.
    """
    decks = read(files)
    run = of_game(decks[0], "party check")
    if stranger := next((file for file in decks if of_game(file, "party check") is not run), None):
        warn(f"{stranger.name} is a deck of another game than {decks[0].name}; the decks of a table are of one game.")
        raise typer.Exit(UNREADABLE)
    options: dict[str, Any] = {"owned": owned, "out": out}
    run(decks, as_json=as_json, **options)
