"""`kb use`: the game that is played, for all searches to come."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.session import session_here
from kb.cli.terminal import tell


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("use")(use)


def use(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game or set by any name, or all.", show_default=False)
    ] = None,
) -> None:
    """Choose the game you play: search, ask and show look there until you choose another one, or all of them again (kb use all).

    Without a name it says which is chosen. A question that names another game is answered from that one; `--in all` looks everywhere once.

    Examples:
        kb use rotr
        kb use all
    """
    from kb.api.places import EVERYWHERE, scope_called
    from kb.settings import choose_game, chosen_game

    if game is None:
        chosen = chosen_game()
        tell(
            f"{chosen} is chosen."
            if chosen
            else "No game is chosen: searches look at all of them. kb use GAME chooses one."
        )
        return
    if game.strip().casefold() in EVERYWHERE:
        choose_game(None)
        tell("Searches look at all games.")
        return
    with session_here() as session:
        scope = scope_called(session.index, game)
    choose_game(scope)
    tell(f"Searches look at {scope}. --in all looks everywhere once; kb use all forgets it.")
