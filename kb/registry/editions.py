"""The editions of a game, as listed under `editions` in its `game.yaml`, and how one of them is chosen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from kb import registry, settings
from kb.errors import KbError
from kb.registry.about import Edition

VARIABLE, SETTING = "KB_RULES", "rules"


Known = Mapping[str, Sequence[Edition]]


class NoSuchEdition(KbError, ValueError):
    """No edition has the given name. The message is written for users and lists the existing editions."""


def editions_of(game: str) -> tuple[Edition, ...]:
    """Return the editions of a game, newest first. Empty for a game without several editions."""
    description = registry.about(game)
    return description.editions if description else ()


def edition_named(name: str, game: str | None = None, known: Known | None = None) -> tuple[str, Edition] | None:
    """Find the edition called `name`, and return its game's id and the edition. None if there is none.

    Only the editions of `game` are searched, if it is given. `known` has the editions of each game; by default, the
    editions of all games are searched.
    """
    wanted = _plain(name)
    for each, editions in (_all() if known is None else known).items():
        for edition in editions if game in (None, each) else ():
            if wanted in map(_plain, (edition.id, edition.title, edition.within, *edition.names)):
                return each, edition
    return None


def chosen_edition(
    game: str, option: str | None = None, deck: str | None = None, known: Known | None = None
) -> Edition | None:
    """Return the edition that a game is played by. None for a game without editions.

    The first of these that names an edition decides: the `option` of the command (`--rules`), the `deck` file
    (`rules:`), the environment variable KB_RULES (editions of several games, separated by commas), the setting (`kb use
    GAME --rules`), the newest edition. KB_RULES may contain editions of other games, which are ignored. `known` are the
    editions of each game, if they have been read already. Raises NoSuchEdition if a name is unknown, or if the option
    or the deck names an edition of another game.
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
    chosen = (
        edition_named(name, game, known) if isinstance(name, str) else None
    )  # an edition that no longer exists is ignored
    return chosen[1] if chosen else next(iter(known.get(game, ())), None)


def choose_edition(name: str, game: str | None = None) -> tuple[str, Edition]:
    """Save the edition that a game is played by, and return the game's id and the edition.

    Without `game`, it is the game that has an edition called `name`. Raises NoSuchEdition and OSError.
    """
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
