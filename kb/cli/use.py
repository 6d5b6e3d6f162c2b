"""`kb use`: the game that is played, for all searches to come."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.completion import editions, games
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
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", metavar="EDITION", autocompletion=editions, help="The edition you play by.", show_default=False
        ),
    ] = None,
) -> None:
    """Choose the game you play: search, ask and show look there until you choose another one, or all of them again (kb use all).

    Without a name it says which is chosen. A question that names another game is answered from that one; `--in all` looks everywhere once.
    With `--rules` a game whose rules have several editions is searched and judged by that one, until you choose another; else by the newest.

    Examples:
        kb use rotr
        kb use --rules faq
    """
    from kb.api.places import EVERYWHERE, scope_called
    from kb.settings import chosen_game, damage

    if rules is not None:
        keep_rules(rules, game)
    if game is None:
        if wrong := damage():
            warn(wrong)
        if rules is None:
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


def keep_rules(rules: str, game: str | None) -> None:
    """Keep by which edition a game is played: the game called so, else the one that has such an edition. Raises KbError."""
    from kb.api.places import scope_called
    from kb.registry.editions import choose_edition

    if game is not None:
        with session_here() as session:
            game = scope_called(session.index, game).partition("/")[0]
    try:
        game, edition = choose_edition(rules, game)
    except OSError as error:
        raise unkept(error) from None
    tell(f"{game} is played by {edition.title}. `--rules`, `rules:` of a deck file and KB_RULES come before it.")


def keep_choice(scope: str | None) -> None:
    """Keep which game is played. Raises UnkeptError where the settings cannot be written."""
    from kb.settings import choose_game

    try:
        choose_game(scope)
    except OSError as error:
        raise unkept(error) from None


def unkept(error: OSError) -> UnkeptError:
    """What is said where the settings cannot be written."""
    from kb import paths

    return UnkeptError(f"{paths.settings_file()}: the choice cannot be kept here: {error.strerror or error}.")


def said_of(chosen: str | None) -> str:
    """Which game is chosen, as a sentence; a chosen one that is not among the sources any more is said to be gone."""
    from kb.registry.editions import chosen_edition

    if chosen is None:
        return "No game is chosen: searches look at all of them. kb use GAME chooses one."
    with session_here() as session:
        if chosen in session.index.called():
            edition = chosen_edition(chosen.partition("/")[0])
            return f"{chosen} is chosen{f', by {edition.title}' if edition else ''}."
    return f"{chosen!a} was chosen, but kb knows no such game: searches look at all of them. kb use GAME chooses another one."
