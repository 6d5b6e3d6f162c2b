"""The page of a Tainted Grail character sheet: verdict, decks, attributes, resources, belongings."""

from __future__ import annotations

from collections.abc import Iterable

from kb.decks.names import tally
from kb.decks.report import Report
from kb.decks.tainted_grail.costs import pairs_of, prices_now
from kb.decks.tainted_grail.game import cards_in, described
from kb.decks.tainted_grail.model import ATTRIBUTES, CARDS_OF_A_SIDE, RESOURCES, STARTER_CARDS, Sheet, Side
from kb.site.decks.charts import Bar, Chart, Part, bar
from kb.site.decks.page import DeckPage

TITLE = "Tainted Grail: The Fall of Avalon"
