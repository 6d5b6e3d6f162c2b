"""The keywords of Arkham Horror's cards, one row each. The importer, `kb cards`, the pages and the checks all use
this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Keyword(NamedTuple):
    """A keyword: cards list it in their `keywords`, and `kb cards` finds these cards with `is:NAME`.

    - `name`: the keyword as cards list it.
    - `key`: its key in ArkhamDB's data and in a table of the user's own cards.
    - `text`: a pattern that finds the keyword in a card's text, if there is no key.
    - `on_card_page`: whether the card's page shows the keyword.
    - `as_filter`: whether tables of cards can be filtered by it.
    - `on_deck_page`: whether the page of a deck shows it.
    - `limit`: the most copies of such a card that a deck may contain, counted by title.
    """

    name: str
    key: str = ""
    text: str = ""
    on_card_page: bool = True
    as_filter: bool = False
    on_deck_page: bool = False
    limit: int | None = None


KEYWORDS: tuple[Keyword, ...] = (
    Keyword("unique", key="is_unique", as_filter=True),
    Keyword("permanent", key="permanent", as_filter=True, on_deck_page=True),
    Keyword("exceptional", key="exceptional", as_filter=True, on_deck_page=True, limit=1),
    Keyword("myriad", key="myriad", as_filter=True, on_deck_page=True, limit=3),
    Keyword("exile", key="exile", on_deck_page=True),
    Keyword("fast", text=r"\bFast\.", on_card_page=False),
    Keyword("researched", text=r"\bResearched\."),
    Keyword("reward", text=r"\bReward\.", on_card_page=False),
    Keyword("campaign_only", text=r"\bCampaign [Mm]ode only\b"),
)


def named(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `record` that lists its keywords by name.

    Rows of the user's own cards and imports by kb 0.1 have a key `NAME: true` for each keyword instead. These keys are
    converted.
    """
    flags = {word.name for word in KEYWORDS if isinstance(record.get(word.name), bool)}
    if not flags:
        return dict(record)
    there = {name for name in flags if record[name]}.union(record.get("keywords", ()))
    made = {key: value for key, value in record.items() if key not in flags}
    return made | {"keywords": [word.name for word in KEYWORDS if word.name in there]} if there else made
