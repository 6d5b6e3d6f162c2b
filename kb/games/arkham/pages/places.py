"""What Arkham Horror adds to the site: its part `pages`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.games.arkham.decks.adapter import read_deck
from kb.games.arkham.decks.json_deck import with_fan_made
from kb.games.arkham.pages.deck import arkham_page
from kb.site.decks.page import DeckPage
from kb.site.places import Place

if TYPE_CHECKING:
    from kb.site.library import Library, Record, Shelf
    from kb.site.pages import Writer

__all__ = ["deck_page", "has_page", "original", "places", "row", "write"]


def write(writer: Writer) -> None:
    """Write the pages of cards, investigators, packs and traits."""
    from kb.games.arkham.pages.cards import write_arkham

    write_arkham(writer)


def has_page(card: Record) -> bool:
    """Player cards have pages; encounter cards only when an entry names them."""
    return "class" in card and not card.get("encounter")


def row(card: Record) -> str | None:
    """No card without a page is shown in a table."""
    return None


def original(card: Record) -> str | None:
    """The card of which this is a reprint under another number."""
    return f"arkham/cards/{card['duplicate_of']}" if card.get("duplicate_of") else None


def places(library: Library, shelf: Shelf) -> list[Place]:
    """Investigators, cards, packs and traits, where there are card facts."""
    types: Counter[str] = Counter()
    packs: set[str] = set()
    traits: set[str] = set()
    for card in library.of_kind("arkham", "card"):
        if has_page(card):
            packs.add(card["pack"])
            if not card.get("duplicate_of"):
                types[card["type"]] += 1
                traits.update(card.get("traits") or ())
    if not packs:
        return []
    investigators = types["investigator"]
    return [
        ("arkham/investigators/index", "Investigators", f"{investigators} with deckbuilding"),
        ("arkham/cards/index", "Player cards", f"{types.total() - investigators:,} with filters"),
        ("arkham/packs/index", "Packs", f"{len(packs)} products"),
        ("arkham/traits/index", "Traits", f"{len(traits)} traits"),
    ]


def deck_page(file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
    """The page of a deck. Raises DeckFileError."""
    deck = read_deck(file, facts)
    return arkham_page(deck, with_fan_made(facts, deck), report)
