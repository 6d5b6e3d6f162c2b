"""Where everything is on the site: entries, cards, and relative links between pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the page in a browser knows addresses, and no catalog
    from kb.site.library import Library, Record

SUFFIX = ".html"


class CardPages(Protocol):
    """What a game says of the pages that show its cards."""

    def has_page(self, card: Record) -> bool:
        """Whether a card has a page of its own even though no entry names it."""

    def row(self, card: Record) -> str | None:
        """Address of the row in a table that shows a card without a page; None when it is shown nowhere."""

    def original(self, card: Record) -> str | None:
        """Id of the card of which a card is a reprint (whose page is the other's); None when it is none."""


class Addresses:
    """Addresses of a library's entries and cards, as paths from the top of the site. `pages` are those of games with cards."""

    def __init__(self, library: Library, pages: Mapping[str, CardPages]) -> None:
        self._library = library
        self._pages = pages
        self._original = {
            card_id: original
            for card_id, card in library.cards.items()
            if (shown := pages.get(card["game"])) and (original := shown.original(card))
        }

    def entry(self, entry_id: str, anchor: str | None = None) -> str:
        """Address of an entry; a row of a list is a section of the list's page."""
        if entry_id in self._library.tables:
            return entry_id + SUFFIX + (f"#{anchor}" if anchor else "")
        entry = self._library.entries.get(entry_id)
        if entry and entry.list_id:
            return f"{entry.list_id}{SUFFIX}#{anchor or entry_id.removeprefix(entry.list_id + '/')}"
        return entry_id + SUFFIX + (f"#{anchor}" if anchor else "")

    def original(self, card_id: str) -> str:
        """The id of the original card of a reprint; the card's own id if it is none."""
        return self._original.get(card_id, card_id)

    def has_page(self, card: Record) -> bool:
        """Whether a card has a page of its own: those that its game gives one, and every card that an entry names."""
        card_id = str(card["id"])
        if card_id in self._original:
            return False
        if self._library.card_entries.get(card_id):
            return True
        shown = self._pages.get(card["game"])
        return shown is not None and shown.has_page(card)

    def card(self, card_id: str) -> str | None:
        """Address of a card's page, or of its row in a table; None when it has neither."""
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
    """The folder of the imported list that one of the user's own cards belongs to."""
    return f"{card['game']}/own-cards/{card['list']}"


def row_of(card: Record) -> str:
    """The anchor of one of the user's own cards on the page of its list."""
    return str(card["id"]).removeprefix(f"{list_of(card)}/").replace("/", "-")


@lru_cache(maxsize=10_000)  # more would cost memory and save nothing: pages of a folder come one after the other
def relative(target: str, folder: str) -> str:
    """A path of a file from the top of the site as seen from a page in `folder` (empty for the top)."""
    path, mark, anchor = target.partition("#")
    from_parts, to_parts = folder.split("/") if folder else [], path.split("/")
    same = 0
    for above, below in zip(from_parts, to_parts[:-1], strict=False):
        if above != below:
            break
        same += 1
    address = "../" * (len(from_parts) - same) + "/".join(to_parts[same:])
    return (address or ("" if mark else "./")) + mark + anchor
