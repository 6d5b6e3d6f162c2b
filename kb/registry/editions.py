"""The editions of a game: its rules by one document each, as `editions` of its `game.yaml` lists them, and which of them is chosen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from kb import registry, settings
from kb.errors import KbError
from kb.registry.about import Edition

VARIABLE, SETTING = "KB_RULES", "rules"


Known = Mapping[str, Sequence[Edition]]


class NoSuchEdition(KbError, ValueError):
    """There is no such edition; the message is a sentence with those that there are."""


def editions_of(game: str) -> tuple[Edition, ...]:
    """The editions of a game, the newest first; none for a game whose rules stand in one."""
    description = registry.about(game)
    return description.editions if description else ()


def edition_named(name: str, game: str | None = None, known: Known | None = None) -> tuple[str, Edition] | None:
    """The game and its edition that goes by a name, in `game` or in any of those `known` (None: all that there are)."""
    wanted = _plain(name)
    for each, editions in (_all() if known is None else known).items():
        for edition in editions if game in (None, each) else ():
            if wanted in map(_plain, (edition.id, edition.title, edition.within, *edition.names)):
                return each, edition
    return None


def chosen_edition(
    game: str, option: str | None = None, deck: str | None = None, known: Known | None = None
) -> Edition | None:
    """The edition that a game is played by; None for a game without editions.

    The nearest to the deck wins: what an `option` of the command says (`--rules`), else the `deck` file (`rules:`), else the environment
    variable KB_RULES (several games' editions with commas), else the setting (`kb use GAME --rules`), else the newest. A name of another
    game's edition says nothing of this one.

    `known` are the editions of each game where they have been read already.

    Raises NoSuchEdition for a name that no edition has; for an option or a deck that names none of its game's.
    """
    known = _all() if known is None else known
    for name, where in ((option, "--rules"), (deck, "rules:")):
        if name and name.strip():
            if (named := edition_named(name, game, known)) is None:
                raise _no_such(name, game, where)
            return named[1]
    for name in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
        chosen = edition_named(name, None, known)
        if chosen is None:
            raise _no_such(name, None, VARIABLE)
        if chosen[0] == game:
            return chosen[1]
    by_game = settings.read().get(SETTING)
    name = by_game.get(game) if isinstance(by_game, dict) else None
    chosen = edition_named(name, game, known) if isinstance(name, str) else None  # one that is gone since is forgotten
    return chosen[1] if chosen else next(iter(known.get(game, ())), None)


def choose_edition(name: str, game: str | None = None) -> tuple[str, Edition]:
    """Keep by which edition a game is played: `game`, or the one that has such an edition. Raises NoSuchEdition, and OSError."""
    chosen = edition_named(name, game)
    if chosen is None:
        raise _no_such(name, game, "--rules")
    by_game = settings.read().get(SETTING)
    settings.keep(SETTING, {**(by_game if isinstance(by_game, dict) else {}), chosen[0]: chosen[1].id})
    return chosen


def _all() -> dict[str, tuple[Edition, ...]]:
    return {game: about.editions for game, about in registry.games().items() if about.editions}


def _no_such(name: str, game: str | None, where: str) -> NoSuchEdition:
    listed = [
        f"{edition.id} ({edition.title})"
        for each, editions in _all().items()
        if game in (None, each)
        for edition in editions
    ]
    known = f"there are {' and '.join(listed)}" if listed else f"{game} has only one edition of its rules"
    return NoSuchEdition(f"{where} {name!r} is not an edition of the rules; {known}.")


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split())
