"""What the Pathfinder Adventure Card Game adds to the site: its part `pages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.pages.deck import pathfinder_page
from kb.site.addresses import SUFFIX
from kb.site.decks.page import DeckPage
from kb.site.places import Place
from kb.sources.cards import slug

if TYPE_CHECKING:
    from kb.site.library import Library, Record, Shelf
    from kb.site.pages import Writer

__all__ = ["deck_page", "has_page", "original", "places", "row", "write"]


def write(writer: Writer) -> None:
    """Write the pages of characters, cards and adventures."""
    from kb.games.pathfinder.pages.cards import write_pathfinder

    write_pathfinder(writer)


def has_page(card: Record) -> bool:
    """A boon has a page only when an entry names it; else its row says all that is known."""
    return False


def row(card: Record) -> str | None:
    """The row in the table of the card's type."""
    return f"pathfinder/{card['set']}/cards/types/{card['type'] or 'other'}{SUFFIX}#{slug(str(card['name']))}"


def original(card: Record) -> str | None:
    """No card of a set is a reprint."""
    return None


def places(library: Library, shelf: Shelf) -> list[Place]:
    """Characters, cards and adventures of a set, and what changed between the sets."""
    from kb.games.pathfinder.pages.cards import of_set

    if not shelf.set:
        return []
    characters, cards = (len(of_set(library, kind, shelf)) for kind in ("character", "card"))
    return [
        (f"{shelf.id}/characters/index", "Characters", f"{characters} with Cards List and suggested deck"),
        (f"{shelf.id}/cards/index", "Cards", f"{cards} boons"),
        (f"{shelf.id}/adventures/index", "Adventures", "scenarios and rewards"),
        (f"{shelf.game}/topics/index", "What changed", "the sets side by side"),
    ]


def deck_page(file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
    """The page of a deck. Raises DeckFileError."""
    return pathfinder_page(read_deck(file, facts), facts, report, records("card"), records("character"))
