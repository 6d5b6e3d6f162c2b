"""The scope of a search: games, sets and folders by their names, and the editions in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.errors import KbError
from kb.frozen import frozen
from kb.registry.editions import chosen_edition, edition_named
from kb.retrieval.engine import ALL, ChosenEditions

if TYPE_CHECKING:
    from kb.retrieval.engine import SearchIndex


EVERYWHERE = {"all", "everywhere", "*"}


class NoSuchPlace(KbError, LookupError):
    """No game, set, folder or kind of entry has the name, or several folders have it."""


@frozen
class Place:
    """The scope of a search.

    `within` is the id prefix that the request names. If it names none, `chosen` is the default game. `anywhere` is True
    if the request asks for all games. `rules` are the editions in use.
    """

    within: str | None = None
    chosen: str | None = None
    anywhere: bool = False
    rules: ChosenEditions = ALL


def played_rules(index: SearchIndex, named: str | None) -> ChosenEditions:
    """Return the editions in use, one for each game with several editions: the edition `named`, or else the chosen one.
    Raises NoSuchEdition if there is no edition of that name.
    """
    known = index.editions
    option = edition_named(named, None, known) if named else None
    chosen, later = set[str](), set[str]()
    for game, editions in known.items():
        by = named if option is None or option[0] == game else None
        edition = chosen_edition(game, by, known=known)
        assert edition is not None
        chosen.add(edition.within)
        later |= {each.within for each in editions[: editions.index(edition)]}
    return ChosenEditions(frozenset(chosen), frozenset(later))


def scope_called(index: SearchIndex, asked: str) -> str:
    """Return the id prefix of the game, set, edition or folder that people call `asked`. Raises NoSuchPlace if there is
    none, or more than one.
    """
    if (edition := edition_named(asked, None, index.editions)) and index.has_scope(edition[1].within):
        return edition[1].within
    scopes = index.resolve_scope(asked)
    if len(scopes) == 1:
        return scopes[0]
    if scopes:
        raise NoSuchPlace(f"{asked!r} can mean {', '.join(scopes[:-1])} or {scopes[-1]}. Use one of these.")
    from kb.decks.names import did_you_mean

    called = index.called()
    names = [name for place in (*called, *index.folders()) for name in (place, place.rpartition("/")[2])]
    hint = did_you_mean(asked, [*names, *(name for others in called.values() for name in others)])
    games = "; ".join(f"{scope} ({', '.join(names)})" if names else scope for scope, names in called.items())
    raise NoSuchPlace(
        f"There is no game, set or folder called {asked!r}.{hint} Games and sets, with their other names: {games}. Folders of a game work too."
    )
