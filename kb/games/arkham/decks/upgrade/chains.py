"""Chains of purchases that each make one copy of a card, and ways: the chains for all that came of one title."""

from __future__ import annotations

from dataclasses import dataclass

from kb.games.arkham.decks.upgrade.purchases import Free, Purchase


@dataclass(frozen=True, slots=True)
class Chain:
    """Purchases that make one copy, in their order, and why each of them is free (Free.NO: it is not)."""

    purchases: tuple[Purchase, ...]
    free: tuple[Free, ...]

    @staticmethod
    def of(*purchases: Purchase) -> Chain:
        """A chain that is paid."""
        return Chain(purchases, (Free.NO,) * len(purchases))

    def given(self, why: Free, place: int) -> Chain:
        """The chain with the purchase at a place for nothing."""
        return Chain(self.purchases, (*self.free[:place], why, *self.free[place + 1 :]))


@dataclass(frozen=True, slots=True)
class Way:
    """One way for one title: its chains. leaving: level 0 copies that leave and may be swapped out. swapped: the copies can
    only have been swapped in. broken: rules that it breaks (a researched card purchased new, a lower version that stays
    uncounted although no higher one was purchased)."""

    chains: tuple[Chain, ...]
    leaving: int = 0
    swapped: bool = False
    broken: int = 0
