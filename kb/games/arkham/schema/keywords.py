"""The keywords of player cards: one row each, which the importer, the query of cards, the pages and the checks read."""

from __future__ import annotations

from typing import NamedTuple


class Keyword(NamedTuple):
    """A keyword: a field of `CardRecord` of that name, which is true for the cards that have it.

    key: what ArkhamDB's data call it; text: a pattern that tells it from the text of a card, where they do not. asked: `kb cards` asks
    for it (`is:myriad`; `flags` in game.yaml). told: the card's page says it; filtered: tables of cards are filtered by it;
    marked: the page of a deck says it. limit: copies by title that a deck may hold.
    """

    name: str
    key: str = ""
    text: str = ""
    asked: bool = True
    told: bool = True
    filtered: bool = False
    marked: bool = False
    limit: int | None = None


KEYWORDS = (
    Keyword("unique", key="is_unique", filtered=True),
    Keyword("permanent", key="permanent", filtered=True, marked=True),
    Keyword("exceptional", key="exceptional", filtered=True, marked=True, limit=1),
    Keyword("myriad", key="myriad", filtered=True, marked=True, limit=3),
    Keyword("exile", key="exile", marked=True),
    Keyword("fast", text=r"\bFast\.", told=False),
    Keyword("researched", text=r"\bResearched\."),
    Keyword("reward", text=r"\bReward\.", told=False),
    Keyword("campaign_only", text=r"\bCampaign [Mm]ode only\b", asked=False),
)
