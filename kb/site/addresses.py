"""Where everything is on the site: entries, cards, and relative links between pages."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from kb.load.cards import slug
from kb.site.library import Library, Record

SUFFIX = ".html"


class Addresses:
    """Addresses of a library's entries and cards, as paths from the top of the site."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._original = {
            f"arkham/cards/{card['code']}": f"arkham/cards/{card['duplicate_of']}"
            for card in library.cards.values()
            if card.get("duplicate_of")
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
        """The card of which a card is a reprint, or itself."""
        return self._original.get(card_id, card_id)

    def has_page(self, card: Record) -> bool:
        """Whether a card has a page of its own: player cards of Arkham Horror, and every card that an entry names."""
        card_id = str(card["id"])
        if card_id in self._original:
            return False
        if self._library.card_entries.get(card_id):
            return True
        return card["game"] == "arkham" and not card.get("encounter") and "class" in card

    def card(self, card_id: str) -> str | None:
        """Address of a card's page, or of its row in a table; None when it has neither."""
        original = self.original(card_id)
        card = self._library.cards.get(original)
        if card is None:
            return None
        if self.has_page(card):
            return original + SUFFIX
        if card["game"] == "pathfinder":
            return f"pathfinder/{card['set']}/cards/types/{card['type'] or 'other'}{SUFFIX}#{slug(str(card['name']))}"
        return None


@lru_cache(maxsize=100_000)
def relative(target: str, folder: str) -> str:
    """A path from the top of the site as seen from a page in `folder` (empty for the top)."""
    path, mark, anchor = target.partition("#")
    return posixpath.relpath(path, folder or ".") + mark + anchor
