"""Where a search looks: games, sets and folders by their names, and the editions that are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.errors import KbError
from kb.frozen import frozen
from kb.registry.editions import chosen_edition, edition_named
from kb.retrieval.engine import ALL, Rules

if TYPE_CHECKING:
    from kb.retrieval.engine import SearchIndex


EVERYWHERE = {"all", "everywhere", "*"}


class NoSuchPlace(KbError, LookupError):
    """A name that no game, set, folder or kind of entry has, or that several folders have."""


@frozen
class Place:
    """`within`: the id prefix asked for. `chosen`: the game that is played, where none was asked for. `anywhere`: all was asked for.
    `rules` are the editions that are played."""

    within: str | None = None
    chosen: str | None = None
    anywhere: bool = False
    rules: Rules = ALL


def played_rules(index: SearchIndex, named: str | None) -> Rules:
    """The editions that are played: of each game with several the one that is `named`, else the chosen one. Raises NoSuchEdition."""
    known = index.editions
    option = edition_named(named, None, known) if named else None
    chosen, later = set[str](), set[str]()
    for game, editions in known.items():
        by = named if option is None or option[0] == game else None
        edition = chosen_edition(game, by, known=known)
        assert edition is not None
        chosen.add(edition.within)
        later |= {each.within for each in editions[: editions.index(edition)]}
    return Rules(frozenset(chosen), frozenset(later))


def scope_called(index: SearchIndex, asked: str) -> str:
    """The id prefix that people call so. Raises NoSuchPlace when there is none, or more than one."""
    if (edition := edition_named(asked, None, index.editions)) and index.has_scope(edition[1].within):
        return edition[1].within
    scopes = index.resolve_scope(asked)
    if len(scopes) == 1:
        return scopes[0]
    if scopes:
        raise NoSuchPlace(f"{asked!r} can be {', '.join(scopes[:-1])} or {scopes[-1]}: say which.")
    from kb.decks.names import did_you_mean

    called = index.called()
    names = [name for place in (*called, *index.folders()) for name in (place, place.rpartition("/")[2])]
    hint = did_you_mean(asked, [*names, *(name for others in called.values() for name in others)])
    games = "; ".join(f"{scope} ({', '.join(names)})" if names else scope for scope, names in called.items())
    raise NoSuchPlace(
        f"There is no game, set or folder called {asked!r}.{hint} Games and sets, with their other names: {games}. Folders of a game work too."
    )
