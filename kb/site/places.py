"""A game's additions to the site: its own pages, the links to these pages, and a deck's page."""

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

if TYPE_CHECKING:  # decks are also drawn in a browser, where there is no catalog
    from kb.site.library import Library, Record, Volume
    from kb.site.pages import Writer

Place = tuple[str, str, str]
"""A link to a page: its address without suffix, its title, and the amount of its content."""


class Pages(CardPages, Protocol):
    """Protocol of a game's `pages` part, for games with more pages than their rules."""

    def write(self, writer: Writer) -> None:
        """Write the game's own pages, including the pages of its cards."""

    def places(self, library: Library, volume: Volume) -> list[Place]:
        """Return the pages of a volume other than its rules. The volume is the game, or one of its sets."""

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """Return the page of a deck. `report` is the result of the deck's check. Return None for a page that shows
        only the verdict. Raises DeckFileError.
        """


class NoCards:
    """A base class for games without cards to show, with defaults for the methods of `Pages`."""

    def write(self, writer: Writer) -> None:
        """Write nothing: the game has only the pages of its rules."""

    def places(self, library: Library, volume: Volume) -> list[Place]:
        """Return no places."""
        return []

    def has_page(self, card: Record) -> bool:
        """Return False: a card has a page only if an entry names it."""
        return False

    def row(self, card: Record) -> str | None:
        """Return None: no table shows a card."""
        return None

    def original(self, card: Record) -> str | None:
        """Return None: no card is a reprint."""
        return None

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """Return None, so that only the verdict is shown."""
        return None


def pages_of(game: str) -> Pages | None:
    """Return the game's `pages` part, which writes its pages. None if the game has none."""
    return cast("Pages | None", registry.part(game, "pages"))


def all_pages() -> dict[str, Pages]:
    """Return the `pages` part of every game that has one, by the game's id."""
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
    """Return the page of a deck as HTML. If the deck's game provides no such page, the result shows only the verdict.

    `game` and `facts` are the game and the facts that the `report` was made with. `records(kind)` returns the game's
    records of a kind. `links` are addresses of entries, empty for a page that is used without the site. Raises
    DeckFileError if the file cannot be read, SiteError if the site's templates are missing.
    """
    ruleset = game.rulesets()[report.details.get("set", report.game)]
    pages = pages_of(report.game)
    drawn = pages.deck_page(file, facts, report, records) if pages else None
    name = report.character
    plain = DeckPage("deck/page.html.j2", report.game, name, f"{name}: the verdict on the deck.", report.game)
    return render(drawn or plain, report, citations, len(ruleset.checks), links)


def places_of(library: Library, volume: Volume) -> list[Place]:
    """Return the pages of a volume other than its rules, each with address, title and amount of content."""
    from kb.site import changes, own

    if volume.id not in library.places:
        pages = pages_of(volume.game)
        library.places[volume.id] = (
            (pages.places(library, volume) if pages else [])
            + changes.places(library, volume.game)
            + own.place(library, volume.game)
        )
    return library.places[volume.id]
