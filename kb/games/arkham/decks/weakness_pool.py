"""The pool of basic weaknesses, and repeatable random draws from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kb.errors import KbError
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.schema.cards import BASIC_WEAKNESS


class DrawError(KbError, ValueError):
    """Not enough weaknesses can be drawn. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Drawer:
    """For whom a weakness is drawn: the investigator's classes decide which class-locked weaknesses are in the pool.

    standalone: weaknesses for campaigns only are left out. trait: only weaknesses with this trait (written small).
    """

    classes: frozenset[str] | None = None
    standalone: bool = False
    trait: str = ""

    def admits(self, card: Card) -> bool:
        """Whether the weakness may be drawn. Without classes nothing is known, and class-locked ones stay out."""
        if card.only_classes and (self.classes is None or card.only_classes.isdisjoint(self.classes)):
            return False
        return not (self.standalone and card.campaign_only) and (not self.trait or self.trait in card.traits)


def pool(facts: Facts, products: Iterable[str] = ()) -> dict[str, int]:
    """Copies of each basic weakness (by first printing) in one copy of each product; all weaknesses when none is named.

    A product that holds the cards of older packs again counts for them. Source: FAQ, on searching the collection.
    """
    printings: dict[str, Counter[str]] = {}
    for card in facts.basic_weaknesses:
        printings.setdefault(card.root, Counter())[card.pack] += card.quantity
    owned = sorted(set(products))
    if not owned:
        return {root: max(packs.values()) for root, packs in sorted(printings.items())}
    found: Counter[str] = Counter()
    for product in owned:
        again = facts.packs[product].reprints if product in facts.packs else ()
        for root, packs in printings.items():
            found[root] += packs[product] or max((packs[code] for code in again), default=0)
    return dict(sorted((+found).items()))


def _basic(deck: Deck, facts: Facts, hidden: bool) -> Counter[str]:
    """Copies of the basic weaknesses of a deck by first printing: those drawn, or (hidden) the placeholders."""
    found: Counter[str] = Counter()
    for code, copies in deck.cards.items():
        card = facts.card(code)
        if card is not None and card.subtype == BASIC_WEAKNESS and card.hidden == hidden and copies > 0:
            found[card.root] += copies
    return found


def drawn_in(decks: Iterable[Deck], facts: Facts) -> dict[str, int]:
    """Copies of basic weaknesses that decks hold already (placeholders apart), by first printing."""
    return sum((_basic(deck, facts, hidden=False) for deck in decks), Counter())


def without(there: Mapping[str, int], drawn: Mapping[str, int]) -> dict[str, int]:
    """The pool without what has been drawn."""
    return {root: copies - drawn.get(root, 0) for root, copies in there.items() if copies > drawn.get(root, 0)}


def still_to_draw(deck: Deck, facts: Facts, required: int) -> int:
    """How many random basic weaknesses a deck still needs: placeholders, and what is missing of those required."""
    replaced = sum(
        copies
        for code, copies in deck.cards.items()
        if copies > 0 and (card := facts.card(code)) and card.special.stands_for_basic
    )
    missing = required - _basic(deck, facts, hidden=False).total() - replaced
    return max(_basic(deck, facts, hidden=True).total(), missing)


def draw(there: Mapping[str, int], facts: Facts, drawer: Drawer, number: int, seed: int) -> list[Card]:
    """Draw weaknesses at random without putting them back. The same pool, drawer and seed always give the same cards.

    Raises DrawError when the pool does not hold as many for this investigator.
    """
    copies = [
        card
        for root, count in sorted(there.items())
        for card in [facts.card(root)] * count
        if card and drawer.admits(card)
    ]
    if number > len(copies):
        raise DrawError(f"The pool holds {len(copies)} basic weaknesses that may be drawn, {number} are wanted.")
    chance = random.Random(seed)
    drawn = []
    for _ in range(number):
        # random() gives the same numbers in every version of Python, choice() need not
        drawn.append(copies.pop(int(chance.random() * len(copies))))
    return drawn
