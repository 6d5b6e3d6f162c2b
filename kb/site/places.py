"""What a game adds to the site: pages of its own, the places that lead to them, and the page of a deck."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, cast

from kb import registry
from kb.citation import Citation
from kb.decks.deckfile import DeckFile
from kb.decks.games import Decks, Records
from kb.decks.report import Report
from kb.site.addresses import CardPages
from kb.site.decks.page import DeckPage, render

if TYPE_CHECKING:  # a deck is drawn in a browser too, where there is no catalog
    from kb.site.library import Library, Record, Shelf
    from kb.site.pages import Writer

Place = tuple[str, str, str]
"""Address of a page without its suffix, title, and how much is there."""


class Pages(CardPages, Protocol):
    """What a game with pages besides its rules offers: its part `pages`."""

    def write(self, writer: Writer) -> None:
        """Write the game's own pages, those of its cards among them."""

    def places(self, library: Library, shelf: Shelf) -> list[Place]:
        """The pages besides the rules of a shelf (the game, or one of its sets)."""

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """What is drawn of a deck that `report` judges; None draws the verdict alone. Raises DeckFileError."""


class NoCards:
    """A start for games that have no cards to show: whatever of `Pages` such a game does not say for itself."""

    def write(self, writer: Writer) -> None:
        """Nothing: the game has the pages of its rules."""

    def places(self, library: Library, shelf: Shelf) -> list[Place]:
        """Nothing."""
        return []

    def has_page(self, card: Record) -> bool:
        """No card has a page unless an entry names it."""
        return False

    def row(self, card: Record) -> str | None:
        """No table shows a card."""
        return None

    def original(self, card: Record) -> str | None:
        """No card is a reprint."""
        return None

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """The verdict alone."""
        return None


def pages_of(game: str) -> Pages | None:
    """The part of a game that writes its pages; None when it has none."""
    return cast("Pages | None", registry.part(game, "pages"))


def all_pages() -> dict[str, Pages]:
    """Every game with pages of its own, by id."""
    return {game: pages for game in registry.games() if (pages := pages_of(game))}


def deck_page(
    file: DeckFile,
    game: Decks,
    facts: Any,
    report: Report,
    citations: Mapping[str, Citation],
    records: Records,
    links: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The page of a deck as HTML: that of its game, or the verdict alone where the game draws none.

    `game` and `facts` are those the `report` was made with, `records(kind)` gives the records of the game, `links` are
    addresses of entries (a page of its own has none: it is passed on alone). Raises
    DeckFileError when the file cannot be read, SiteError when the site's templates are missing.
    """
    ruleset = game.rulesets()[report.details.get("set", report.game)]
    pages = pages_of(report.game)
    drawn = pages.deck_page(file, facts, report, records) if pages else None
    name = report.character
    plain = DeckPage("deck/page.html.j2", report.game, name, f"{name}: the verdict on the deck.", report.game)
    return render(drawn or plain, report, citations, len(ruleset.checks), links)


def places_of(library: Library, shelf: Shelf) -> list[Place]:
    """The pages of a shelf besides its rules: address, title, how much."""
    from kb.site import changes, own

    if shelf.id not in library.places:
        pages = pages_of(shelf.game)
        library.places[shelf.id] = (
            (pages.places(library, shelf) if pages else [])
            + changes.places(library, shelf.game)
            + own.place(library, shelf.game)
        )
    return library.places[shelf.id]
