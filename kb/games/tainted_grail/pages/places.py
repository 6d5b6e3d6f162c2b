"""What Tainted Grail adds to the site: the page of a character sheet. It has no card facts."""

from __future__ import annotations

from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.games.tainted_grail.decks.sheet import read_sheet
from kb.games.tainted_grail.pages.deck import tainted_grail_page
from kb.site.decks.page import DeckPage
from kb.site.places import NoCards


class TaintedGrailPages(NoCards):
    """The game's part `pages`."""

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """The page of a character sheet. Raises DeckFileError."""
        return tainted_grail_page(read_sheet(file), report)
