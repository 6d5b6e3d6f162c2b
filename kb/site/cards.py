"""The page of a card, of whichever game: its facts, and everything that was ever ruled about it."""

from __future__ import annotations

from typing import Any

from kb.authority import RULED
from kb.site.library import Record
from kb.site.pages import Page, Writer


def write_card(
    writer: Writer, card: Record, facts: list[tuple[str, str]], nav: str, crumbs: list[tuple[str, str]], **more: Any
) -> None:
    """A card's page: its facts, and everything that was ever ruled about it.

    `nav` names the navigation beside it, `crumbs` the pages above it (address and title). `more` is what only some games'
    cards have (see the template card.md.j2).
    """
    library = writer.library
    entries = library.ruled_on(str(card["id"]))
    name = writer.card_name(str(card["id"]))
    named = f"{name}: {card['subtitle']}" if card.get("subtitle") else name
    writer.write(
        Page(
            str(card["id"]),
            named,
            "card.md.j2",
            f"{named}: facts, rulings, errata and taboos.",
            str(card["game"]),
            nav,
            where=crumbs[0][1],
            context={
                "card": card,
                "facts": facts,
                "ruled": [(entry, about) for entry, about in entries if entry.kind in RULED],
                "named": [(entry, about) for entry, about in entries if entry.kind not in RULED],
                "crumbs": crumbs,
                "more": more,
            },
        )
    )
