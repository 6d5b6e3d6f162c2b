"""The page of a card, of whichever game: its facts, and everything that was ever ruled about it."""

from __future__ import annotations

from typing import Any

from kb.site.library import Record
from kb.site.pages import Page, Writer

RULED = ("ruling", "faq", "erratum", "taboo")


def write_card(writer: Writer, card: Record, facts: list[tuple[str, str]], nav: str, where: str, **more: Any) -> None:
    """A card's page: its facts, and everything that was ever ruled about it."""
    library = writer.library
    entries = [library.entries[entry] for entry in library.card_entries.get(str(card["id"]), [])]
    name = str(card["name"])
    writer.write(
        Page(
            str(card["id"]),
            name,
            "card.md.j2",
            f"{name}: facts, rulings, errata and taboos.",
            str(card["game"]),
            nav,
            context={
                "card": card,
                "facts": facts,
                "ruled": [entry for entry in entries if entry.kind in RULED],
                "named": [entry for entry in entries if entry.kind not in RULED],
                "where": where,
                "more": more,
            },
        )
    )
