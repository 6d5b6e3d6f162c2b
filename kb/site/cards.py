"""The page of a card, for any game: the card's facts, and all entries that rule on the card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kb.authority import RULING_KINDS
from kb.site.checker.page import tools_of
from kb.site.library import Library, Record
from kb.site.pages import Page, Writer


def write_card(
    writer: Writer,
    card: Record,
    facts: list[tuple[str, str]],
    nav: str,
    where: str,
    later: Callable[[], dict[str, Any]] = dict,
    beside: tuple[str, str] = ("", ""),
    **more: Any,
) -> None:
    """Write a card's page: its facts, and all entries that rule on it.

    `facts` are pairs of label and value. `nav` is the section of the site that contains the page. `where` is the text
    that follows the card's name in the page's title. `beside` are the paths of the pages of the previous and next
    cards. `more` are values that only the cards of some games have (see the template card.md.j2). `later` is a
    function that computes more of these values. It is called when the page is rendered, because computing them can be
    slow.
    """
    library = writer.library
    name = writer.card_name(str(card["id"]))
    named = f"{name}: {card['subtitle']}" if card.get("subtitle") else name
    writer.write(
        Page(
            str(card["id"]),
            named,
            "card.md.j2",
            f"{named}: facts, rulings, errata and taboos.",
            nav,
            where=where,
            before=beside[0],
            after=beside[1],
            context=lambda: {
                "card": card,
                "facts": facts,
                **named_in(library, card),
                "adds": next((at for page, at, _words in tools_of(library, str(card["game"])) if page == "build"), ""),
                "more": more | later(),
            },
        )
    )


def named_in(library: Library, card: Record) -> dict[str, Any]:
    """Return the entries that name a card, in two lists: `ruled` has rulings, questions, errata and taboos, `named` has
    the others.
    """
    entries = library.ruled_on(str(card["id"]))
    return {
        "ruled": [(entry, about) for entry, about in entries if entry.kind in RULING_KINDS],
        "named": [(entry, about) for entry, about in entries if entry.kind not in RULING_KINDS],
    }
