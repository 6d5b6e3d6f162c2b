"""What cards cost in experience: exceptional twice, taboo on top, myriad once, upgrade sheets by their boxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb.games.arkham.decks.model import Card

if TYPE_CHECKING:
    from kb.games.arkham.decks.entries import Entry


def cost_of_a_copy(card: Card) -> int:
    """Experience of one copy of a card as it is (taboo list and level in it); 0 for a card without a level.

    An exceptional card costs twice its level; what a taboo list adds or takes off is not doubled. The experience of a
    customizable card lies in its sheet, which all its copies share: see `deck_experience`.
    """
    if card.level is None:
        return 0
    level = 0 if card.sheet else card.level
    return max(0, level * (2 if card.exceptional else 1) + card.surcharge)


def deck_experience(rows: Iterable[tuple[Entry, int]]) -> dict[str, int]:
    """Experience by card (code, 0 left out). Copies of a myriad card after the first are free (ruling 1.20)."""
    spent: dict[str, int] = {}
    myriad: set[tuple[str, int | None]] = set()
    sheets: set[str] = set()
    for entry, copies in rows:
        card = entry.card
        if card is None:
            continue
        cost = entry.cost * copies
        if card.myriad:
            cost = 0 if (card.title, card.level) in myriad else entry.cost
            myriad.add((card.title, card.level))
        if card.spent and card.root not in sheets:
            sheets.add(card.root)
            cost += card.spent
        if cost:
            spent[entry.code] = spent.get(entry.code, 0) + cost
    return spent
