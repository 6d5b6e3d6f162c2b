"""The games of a site whose decks its checker judges."""

from __future__ import annotations

from kb.decks.games import with_decks
from kb.decks.party import party_of
from kb.registry import About
from kb.site.library import Library


def checked(library: Library) -> list[About]:
    """The games with deck rules, but for those of other packages, which the reader's browser does not have."""
    return [about for about in with_decks() if about.id in library.games and not about.foreign]


def at_tables(library: Library) -> list[About]:
    """Those of them that judge the decks of a table together."""
    return [about for about in checked(library) if party_of(about.id)]
