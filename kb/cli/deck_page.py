"""`kb deck page`: a deck as a page to share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kb.cli.deck_files import UNREADABLE, files_named, read_all
from kb.cli.files import write_new
from kb.cli.session import session_here
from kb.cli.terminal import say, warn


def page(
    deck: Annotated[str, typer.Argument(metavar="DECK", help="A deck file of any game; - for standard input.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.html", help="Write to this file instead of standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a deck as one HTML page to share or print: its verdict with the rules it cites, charts and cards.

    The page is complete in itself and loads nothing. Exit code 0: written, whatever the verdict; 2: the deck cannot be read,
    or the file exists.

    Examples:
        kb deck page lini.yaml --out lini.html
        kb deck page lini.yaml --out lini.html --force
    """
    from kb.decks.games import game_of
    from kb.decks.nodes import DeckFileError
    from kb.site.folder import SiteError
    from kb.site.places import deck_page

    files = list(read_all([deck]))
    if len(files) != 1:
        warn(f"{deck} holds {len(files)} decks; a page is made of one.")
        raise typer.Exit(UNREADABLE)
    (file,) = files
    if file is None:
        raise typer.Exit(UNREADABLE)
    try:
        with session_here() as session:
            game = game_of(file).id
            module, facts = session.table.game(game)
            report = module.check(file, facts)
            cites = session.cites(report.cited)
            html = deck_page(file, module, facts, report, cites, lambda kind: session.catalog.records(game, kind))
    except (DeckFileError, SiteError) as error:
        warn(str(error))
        raise typer.Exit(UNREADABLE) from None
    if out is None:
        say(html)
    else:
        write_new(out, html, force, files_named(deck))
