"""Which page a deck gets: that of its game, or the verdict alone where the game draws none."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from kb.citation import Citation
from kb.decks.deckfile import DeckFile
from kb.decks.games import Decks, Records
from kb.decks.report import Report
from kb.site.decks.page import DeckPage, render
from kb.site.places import pages_of

PLAIN = "deck/page.html.j2"


def deck_page(
    file: DeckFile,
    game: Decks,
    facts: Any,
    report: Report,
    citations: Mapping[str, Citation],
    records: Records,
    links: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The page of a deck as HTML.

    `game` and `facts` are those the `report` was made with, `records(kind)` gives the records of the game, `links` are
    addresses of entries (a page of its own has none: it is passed on alone). Raises
    DeckFileError when the file cannot be read, SiteError when the site's templates are missing.
    """
    rulesets = game.rulesets()
    ruleset = rulesets[report.details.get("set", report.game)]
    pages = pages_of(report.game)
    drawn = pages.deck_page(file, facts, report, records) if pages else None
    return render(drawn or plain(report), report, citations, len(ruleset.checks), links)


def plain(report: Report) -> DeckPage:
    """The page of a deck of which its game draws nothing: the verdict with its findings."""
    return DeckPage(PLAIN, report.game, report.character, f"{report.character}: the verdict on the deck.", report.game)
