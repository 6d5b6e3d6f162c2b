"""In which order discounts on upgrades are used up: what each of the first upgrades costs less, by the discounts that hold for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.games.arkham.decks.upgrade.purchases import Purchase
from kb.games.arkham.schema.special import Discount

MOST_PLACES = 6


@dataclass(frozen=True, slots=True)
class Place:
    """One of the first upgrades of a step. holds: the discounts (bit by bit) that still hold there and must hold for the
    upgrade; active: those of which something is left; off: what it costs less."""

    holds: int
    active: int
    off: int

    def takes(self, discounts: int) -> bool:
        """Whether an upgrade for which these discounts hold can stand here."""
        return discounts & self.active == self.holds


def discounts_for(purchase: Purchase, discounts: Sequence[Discount]) -> int:
    """The discounts (bit by bit) that hold for an upgrade: by the traits of the card that is upgraded."""
    upgraded = purchase.source or purchase.card
    return sum(
        1 << number
        for number, discount in enumerate(discounts)
        if not discount.traits or not discount.traits.isdisjoint(upgraded.traits)
    )


def orders(discounts: Sequence[Discount], kinds: frozenset[int]) -> list[tuple[Place, ...]]:
    """All orders in which upgrades of these kinds (the discounts that hold for them) use up the discounts.

    Each discount holds for the first upgrades of its kind, whether it saves anything there or not.
    """
    found = list(_orders(discounts, kinds - {0}, tuple(discount.cards for discount in discounts), MOST_PLACES))
    return list(dict.fromkeys(found)) or [()]


def _orders(
    discounts: Sequence[Discount], kinds: frozenset[int], left: tuple[int, ...], places: int
) -> Iterator[tuple[Place, ...]]:
    active = sum(1 << number for number, cards in enumerate(left) if cards > 0)
    holding = {kind & active for kind in kinds} - {0}
    if not holding or not places:
        yield ()
        return
    for holds in sorted(holding):
        off = sum(discount.less for number, discount in enumerate(discounts) if holds >> number & 1)
        after = tuple(cards - (holds >> number & 1) for number, cards in enumerate(left))
        for rest in _orders(discounts, kinds, after, places - 1):
            yield (Place(holds, active, off), *rest)
