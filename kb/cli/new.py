"""`kb new`: begins something of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kb.cli.help import Commands
from kb.cli.terminal import tell

app = Commands(name="new", help="Begin a game of your own.", no_args_is_help=True)


def register(main: typer.Typer) -> None:
    """Add `new` to the main command."""
    main.add_typer(app)


@app.callback()
def group() -> None:
    """Begin a game of your own."""


@app.command("game")
def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its short name: small letters, digits, hyphens.")],
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="What it is called.", show_default=False)
    ] = None,
    colour: Annotated[
        str | None,
        typer.Option("--colour", metavar="COLOUR", help="Its colour on the site, like #2d4d7c.", show_default=False),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the folder kb-NAME is made.")] = Path(),
) -> None:
    """Make a folder with entries, cards, deck checks and tests of a new game, which works at once in searches, checks and the site.

    Examples:
        kb new game pebbles
        kb new game stones --title "Stones" --out games
    """
    from kb.starter.game import new_game

    made = new_game(name, out, title, colour)
    tell(
        f'Made {made}. Try it:\n  export KB_SOURCES={made.resolve()}\n  kb search --in {name} "how many copies of a card"'
    )
    tell(f"  kb deck check {made / 'deck.yaml'}\nIts README.md says what each file is.")
