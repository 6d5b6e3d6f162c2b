"""The keywords of Arkham Horror's cards, one row each: importer, `kb cards`, pages, and checks read this table and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Keyword(NamedTuple):
    """A keyword: cards have it that name it in their `keywords`, and `kb cards` finds them with `is:NAME`.

    key: what ArkhamDB's data call it, and a table of one's own cards; text: a pattern that tells it from the text of a card, where they do
    not. told: the card's page says it; filtered: tables of cards are filtered by it; marked: the page of a deck says it. limit: copies
    by title that a deck may hold.
    """

    name: str
    key: str = ""
    text: str = ""
    told: bool = True
    filtered: bool = False
    marked: bool = False
    limit: int | None = None


KEYWORDS: tuple[Keyword, ...] = (
    Keyword("unique", key="is_unique", filtered=True),
    Keyword("permanent", key="permanent", filtered=True, marked=True),
    Keyword("exceptional", key="exceptional", filtered=True, marked=True, limit=1),
    Keyword("myriad", key="myriad", filtered=True, marked=True, limit=3),
    Keyword("exile", key="exile", marked=True),
    Keyword("fast", text=r"\bFast\.", told=False),
    Keyword("researched", text=r"\bResearched\."),
    Keyword("reward", text=r"\bReward\.", told=False),
    Keyword("campaign_only", text=r"\bCampaign [Mm]ode only\b"),
)


def named(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with its keywords by name, also where a row of one's own cards, or an import by kb 0.1, has `NAME: true` for them."""
    flags = {word.name for word in KEYWORDS if isinstance(record.get(word.name), bool)}
    if not flags:
        return dict(record)
    there = {name for name in flags if record[name]}.union(record.get("keywords", ()))
    made = {key: value for key, value in record.items() if key not in flags}
    return made | {"keywords": [word.name for word in KEYWORDS if word.name in there]} if there else made
