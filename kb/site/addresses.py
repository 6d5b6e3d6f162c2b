"""Addresses of entries and cards on the site, and relative links between pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the checker in a browser uses this module, but has no catalog
    from kb.site.library import Library, Record

SUFFIX = ".html"


class CardPages(Protocol):
    """Protocol for a game's information on the pages that show its cards."""

    def has_page(self, card: Record) -> bool:
        """Return True if the game gives a card its own page even if no entry names it."""

    def row(self, card: Record) -> str | None:
        """Return the address of the table row that shows a card without its own page. None if there is none."""

    def original(self, card: Record) -> str | None:
        """Return the id of the card that this card reprints. Only the original card has a page. None if the card is not
        a reprint.
        """


class Addresses:
    """The addresses of a library's entries and cards, as paths from the top of the site.

    `pages` has the information on card pages for each game with cards.
    """

    def __init__(self, library: Library, pages: Mapping[str, CardPages]) -> None:
        self._library = library
        self._pages = pages
        self._original = {
            card_id: original
            for card_id, card in library.cards.items()
            if (shown := pages.get(card["game"])) and (original := shown.original(card))
        }

    def entry(self, entry_id: str, anchor: str | None = None) -> str:
        """Return the address of an entry, with `anchor` if given. A row of a list is a section of the list's page."""
        if entry_id in self._library.tables:
            return entry_id + SUFFIX + (f"#{anchor}" if anchor else "")
        entry = self._library.entries.get(entry_id)
        if entry and entry.list_id:
            return f"{entry.list_id}{SUFFIX}#{anchor or entry_id.removeprefix(entry.list_id + '/')}"
        return entry_id + SUFFIX + (f"#{anchor}" if anchor else "")

    def original(self, card_id: str) -> str:
        """Return the id of the card that a card reprints, or the card's own id if it is not a reprint."""
        return self._original.get(card_id, card_id)

    def has_page(self, card: Record) -> bool:
        """Return True if a card has its own page, because its game gives it one or because an entry names it."""
        card_id = str(card["id"])
        if card_id in self._original:
            return False
        if self._library.card_entries.get(card_id):
            return True
        shown = self._pages.get(card["game"])
        return shown is not None and shown.has_page(card)

    def card(self, card_id: str) -> str | None:
        """Return the address of a card's page, or of its row in a table. None if it has neither."""
        original = self.original(card_id)
        card = self._library.cards.get(original)
        if card is None and (own := self._library.own_cards.get(card_id)) is not None:
            return f"{list_of(own)}/index{SUFFIX}#{row_of(own)}"
        if card is None:
            return None
        if self.has_page(card):
            return original + SUFFIX
        shown = self._pages.get(card["game"])
        return shown.row(card) if shown else None


def list_of(card: Record) -> str:
    """Return the folder on the site for the imported list that contains one of the user's own cards."""
    return f"{card['game']}/own-cards/{card['list']}"


def row_of(card: Record) -> str:
    """Return the anchor of one of the user's own cards on the page of its list."""
    return str(card["id"]).removeprefix(f"{list_of(card)}/").replace("/", "-")


@lru_cache(maxsize=10_000)  # a larger cache saves nothing, because pages are written folder by folder
def relative(target: str, folder: str) -> str:
    """Convert the address `target`, from the top of the site, to one relative to a page in `folder` (empty for the
    top).
    """
    path, mark, anchor = target.partition("#")
    from_parts, to_parts = folder.split("/") if folder else [], path.split("/")
    same = 0
    for above, below in zip(from_parts, to_parts[:-1], strict=False):
        if above != below:
            break
        same += 1
    address = "../" * (len(from_parts) - same) + "/".join(to_parts[same:])
    return (address or ("" if mark else "./")) + mark + anchor
