"""A site page that lists all stones, made from a template in this package."""

from __future__ import annotations

from kb.site.library import Library, Record, Volume
from kb.site.pages import Page, Writer
from kb.site.places import NoCards, Place


class PebblePages(NoCards):
    def write(self, writer: Writer) -> None:
        stones = [card for card in writer.library.cards.values() if card["game"] == "pebbles"]
        writer.write(
            Page("pebbles/stones/index", "All stones", "stones.md.j2", nav="pebbles", context={"stones": stones})
        )

    def places(self, library: Library, volume: Volume) -> list[Place]:
        return [("pebbles/stones/index", "Stones", "all of them")]

    def row(self, card: Record) -> str | None:
        return "pebbles/stones/index.html"
