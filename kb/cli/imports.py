"""`kb import`: takes data that you own into your own data folder; games bring more commands. Nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, Progress, print_json, tell, warn

app = Commands(
    name="import",
    help="Take data that you have (rulebooks, card texts, other lists) into your own data folder.",
    no_args_is_help=True,
)


def register(main: typer.Typer) -> None:
    """Add `import` to the main command."""
    main.add_typer(app)


@app.callback()
def group() -> None:
    """Take data that you have into your own data folder."""


@app.command("rulebook")
def rulebook(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The rulebook: .pdf, .txt, .md or .html.", show_default=False)
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game it belongs to.", show_default=False)
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="What it is called.", show_default=False)
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Its short name (made from the title).", show_default=False),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the rulebooks that have been imported.")] = False,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="NAME", help="Remove an imported rulebook.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a rulebook that you own searchable beside kb's entries, on this machine only.

    It is private: no site, no export and no check shows a word of it. A book with the same name is replaced.

    Examples:
        kb import rulebook rules.pdf --game rotr --title "My rulebook"
        kb import rulebook --list
    """
    from kb import paths
    from kb.rulebooks.own import import_rulebook, remove_rulebook, rulebooks

    data = paths.user_data_dir()
    if remove is not None:
        remove_rulebook(remove, data)
        tell(f"Removed {remove}.")
        return
    if listing:
        books = rulebooks(data)
        rows = [
            {"name": book.id, "title": book.title, "game": book.game, "file": book.file, "passages": len(book.passages)}
            for book in books
        ]
        if as_json:
            print_json(rows)
        for row in [] if as_json else rows:
            tell(f"{row['name']}: {row['title']} ({row['game']}), {row['passages']} passages of {row['file']}")
        if not rows and not as_json:
            tell("No rulebook has been imported.")
        return
    if file is None or game is None or title is None:
        warn('Say which file, of which game, and what it is called: kb import rulebook FILE --game GAME --title "TEXT"')
        raise typer.Exit(2)
    book = import_rulebook(file, data, game_called(game), title, name, progress(file))
    if as_json:
        print_json(
            {"name": book.id, "title": book.title, "game": book.game, "passages": len(book.passages), "private": True}
        )
        return
    tell(
        f"Took {len(book.passages)} passages of {book.title} ({book.id}). Private: only searches on this machine find them."
    )


def progress(file: Path) -> Callable[[float], None]:
    """How far the reading of a file is, for people at a terminal."""
    shown = Progress(f"Reading {file.name}")
    return lambda share: shown("reading", share)


def game_called(name: str) -> str:
    """The id of the game that people call so. Stops with exit code 2, naming the games, when there is none."""
    from kb.api.places import scope_called

    with session_here() as session:
        return scope_called(session.index, name).split("/")[0]
