"""`kb use`: the game that is played, for all searches to come."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.completion import games
from kb.cli.session import session_here
from kb.cli.terminal import tell, warn
from kb.errors import KbError


class UnkeptError(KbError):
    """The choice of a game could not be written."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("use")(use)


def use(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", autocompletion=games, help="A game or set by any name, or all.", show_default=False
        ),
    ] = None,
) -> None:
    """Choose the game you play: search, ask and show look there until you choose another one, or all of them again (kb use all).

    Without a name it says which is chosen. A question that names another game is answered from that one; `--in all` looks everywhere once.

    Examples:
        kb use rotr
        kb use all
    """
    from kb.api.places import EVERYWHERE, scope_called
    from kb.settings import chosen_game, damage

    if game is None:
        if wrong := damage():
            warn(wrong)
        tell(said_of(chosen_game()))
        return
    if game.strip().casefold() in EVERYWHERE:
        keep_choice(None)
        tell("Searches look at all games.")
        return
    with session_here() as session:
        scope = scope_called(session.index, game)
    keep_choice(scope)
    tell(f"Searches look at {scope}. --in all looks everywhere once; kb use all forgets it.")


def keep_choice(scope: str | None) -> None:
    """Keep which game is played. Raises UnkeptError where the settings cannot be written."""
    from kb import paths
    from kb.settings import choose_game

    try:
        choose_game(scope)
    except OSError as error:
        raise UnkeptError(
            f"{paths.settings_file()}: the choice cannot be kept here: {error.strerror or error}."
        ) from None


def said_of(chosen: str | None) -> str:
    """Which game is chosen, as a sentence; a chosen one that is not among the sources any more is said to be gone."""
    if chosen is None:
        return "No game is chosen: searches look at all of them. kb use GAME chooses one."
    with session_here() as session:
        if chosen in session.index.called():
            return f"{chosen} is chosen."
    return f"{chosen!a} was chosen, but kb knows no such game: searches look at all of them. kb use GAME chooses another one."
