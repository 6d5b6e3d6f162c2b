"""Which page a deck gets: that of its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kb.citation import Citation
from kb.decks.deckfile import DeckFile
from kb.decks.games import DeckGame, Records
from kb.decks.report import Report
from kb.site.decks.page import DeckPage, render

Draw = Callable[[DeckFile, Any, Report, Records], DeckPage]


def deck_page(
    file: DeckFile, game: DeckGame, facts: Any, report: Report, citations: Mapping[str, Citation], records: Records
) -> str:
    """The page of a deck as HTML.

    `game` and `facts` are those the `report` was made with, `records(kind)` gives the records of the game. Raises
    DeckFileError when the file cannot be read, SiteError when the site's templates are missing.
    """
    rulesets = game.rulesets()
    ruleset = rulesets[report.details.get("set", report.game)]
    return render(PAGES[report.game](file, facts, report, records), report, citations, len(ruleset.checks))


def _arkham(file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage:
    from kb.games.arkham.decks.desk import read_deck
    from kb.games.arkham.pages.deck import arkham_page

    return arkham_page(read_deck(file, facts), facts, report, records("card"))


def _pathfinder(file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage:
    from kb.games.pathfinder.decks.deckfile import read_deck
    from kb.games.pathfinder.pages.deck import pathfinder_page

    return pathfinder_page(read_deck(file, facts), facts, report, records("card"), records("character"))


def _tainted_grail(file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage:
    from kb.games.tainted_grail.decks.sheet import read_sheet
    from kb.games.tainted_grail.pages.deck import tainted_grail_page

    return tainted_grail_page(read_sheet(file), report)


PAGES: Mapping[str, Draw] = {"arkham": _arkham, "pathfinder": _pathfinder, "tainted-grail": _tainted_grail}
