"""What the cards of a deck cost in experience: each copy, myriad cards once, upgrade sheets by their boxes."""

from __future__ import annotations

from collections.abc import Iterable

from kb.games.arkham.decks.status import Status


def deck_experience(rows: Iterable[tuple[Status, int]]) -> dict[str, int]:
    """Experience by card (code, 0 left out). Copies of a myriad card after the first are free (ruling 1.20)."""
    spent: dict[str, int] = {}
    myriad: set[tuple[str, int | None]] = set()
    sheets: set[str] = set()
    for status, copies in rows:
        card = status.card
        if card is None or not (status.cost or card.spent):
            continue
        cost = status.cost * copies
        if card.myriad:
            cost = 0 if (card.title, card.level) in myriad else status.cost
            myriad.add((card.title, card.level))
        if card.spent and card.root not in sheets:
            sheets.add(card.root)
            cost += card.spent
        if cost:
            spent[status.code] = spent.get(status.code, 0) + cost
    return spent
