"""Where a search looks: a game, set or folder by any of its names, the game that the user plays, or everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.errors import KbError

if TYPE_CHECKING:
    from kb.retrieval.engine import SearchIndex

EVERYWHERE = {"all", "everywhere", "*"}


class NoSuchPlace(KbError, LookupError):
    """A name that no game, set, folder or kind of entry has, or that several folders have."""


@dataclass(frozen=True, slots=True)
class Place:
    """`within`: the id prefix asked for. `chosen`: the game that is played, where none was asked for. `anywhere`: all was asked for."""

    within: str | None = None
    chosen: str | None = None
    anywhere: bool = False


def place_of(index: SearchIndex, asked: str | None, chosen: str | None) -> Place:
    """Where to look. Raises NoSuchPlace when `asked` names nothing or several folders."""
    if asked and asked.strip().casefold() in EVERYWHERE:
        return Place(anywhere=True)
    if asked:
        return Place(within=scope_called(index, asked))
    return Place(chosen=chosen if chosen and index.has_scope(chosen) else None)


def scope_called(index: SearchIndex, asked: str) -> str:
    """The id prefix that people call so. Raises NoSuchPlace when there is none, or more than one."""
    found = index.resolve_scope(asked)
    if len(found) == 1:
        return found[0]
    if found:
        raise NoSuchPlace(f"{asked!r} can be {', '.join(found[:-1])} or {found[-1]}: say which.")
    from kb.decks.names import did_you_mean

    called = index.called()
    names = [name for place in (*called, *index.folders()) for name in (place, place.rpartition("/")[2])]
    hint = did_you_mean(asked, [*names, *(name for others in called.values() for name in others)])
    games = "; ".join(f"{scope} ({', '.join(names)})" if names else scope for scope, names in called.items())
    raise NoSuchPlace(
        f"Nothing lies below {asked!r}.{hint} Games and sets, with other names: {games}. Folders of a game work too."
    )
