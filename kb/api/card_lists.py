"""Cards by their facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypedDict


class CardsJson(TypedDict):
    """The cards that a query asks for."""

    query: Annotated[str, "The query."]
    total: Annotated[int, "How many cards fit."]
    unknown: Annotated[dict[str, int], "Of how many of them a fact that was asked about is unknown, by field."]
    cards: Annotated[
        list[dict[str, Any]], "The first of them: id, game, set, number, and all keys of each card's record."
    ]


def cards_asked(cards: Iterable[dict[str, Any]], query: str, limit: int | None) -> CardsJson:
    """The cards of `cards` (the first `limit` of them) that fit a query. Raises CardQueryError."""
    from kb.search.cards import parse_query, unknown_among

    wanted = parse_query(query)
    found = [card for card in cards if wanted(card)]
    return {"query": query, "total": len(found), "unknown": unknown_among(query, found), "cards": found[:limit]}
