"""What the steps of a rebuild cost, and the order of cards: what decides when the cards of a table find their places."""

from __future__ import annotations

from kb.decks.flow import Node
from kb.games.pathfinder.decks.model import CARD_TYPES, Card

# What a step costs. Each is more than all steps of the kinds below can cost together, for hundreds of cards.
ANOTHER_LINE = 1
TRADE = 10_000
WISH = 10**8
REQUIRED = 10**11
FROM_THE_BOX = 10**13
NOTHING_FITS = 10**16
LEFT: Node = "left over"


def worth(card: Card) -> int:
    """How much the party loses when the card goes back to the box, where all else is equal."""
    return 2 * (card.number or 0) + (0 if card.basic else 1)


def in_order(card: Card) -> tuple[int, str, str]:
    """What cards are sorted by: the order of the Cards List, then names."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set
