"""What the marked boxes of an upgrade sheet make of a customizable card."""

from __future__ import annotations

from dataclasses import replace

from kb.games.arkham.decks.model import Card, Customization
from kb.games.arkham.schema.options import HIGHEST_LEVEL


def customized(card: Card, marks: Customization) -> Card:
    """The card with its upgrades: level (half the marked boxes, rounded up), traits, slots, limit, experience spent.

    Only an upgrade whose boxes are all marked counts. Marks that the sheet has no place for are left out; a check reports
    them. Source: Rules Reference, "Customizable".
    """
    boxes = spent = 0
    traits, slots, tags, limit = card.traits, card.slots, card.tags, card.limit
    for mark in marks:
        if not 0 <= mark.index < len(card.sheet) or mark.spent < 0:
            continue
        box = card.sheet[mark.index]
        paid = min(mark.spent, box.cost)
        spent += paid
        boxes += min(paid, box.level_boxes)
        if paid < box.cost:
            continue
        traits = box.traits or traits
        slots = box.slots or slots
        tags = tags | box.tags
        limit = box.limit or limit
        if box.chooses == "slot":
            slots = _without(slots, mark.chosen)
    level = min((boxes + 1) // 2, HIGHEST_LEVEL)
    return replace(card, level=level, spent=spent, traits=traits, slots=slots, tags=tags, limit=limit)


def _without(slots: tuple[str, ...], chosen: str) -> tuple[str, ...]:
    """The slots without the chosen one, which deck files name by its place or its name."""
    if chosen.isdecimal() and int(chosen) < len(slots):
        chosen = slots[int(chosen)]
    kept = list(slots)
    if chosen.casefold() in kept:
        kept.remove(chosen.casefold())
    return tuple(kept)
