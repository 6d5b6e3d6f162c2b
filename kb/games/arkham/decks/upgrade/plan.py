"""The cheapest legal order of purchases: which cards fill the deck for nothing, which are swapped, where discounts go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import permutations, product
from math import prod

from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.options import Discount
from kb.games.arkham.decks.upgrade.changes import DECK, Change, Changes
from kb.games.arkham.decks.upgrade.purchases import How, Purchase, Terms, Way, terms_of, ways

_MOST_PLANS = 300


class Free(Enum):
    """Why a purchase costs less than its price, discounts apart."""

    NO = ""
    REFILL = "fills the deck to its size"
    SWAP = "swapped"
    MYRIAD = "further copy of a myriad card"
    SECOND = "second copy upgraded"


@dataclass(frozen=True, slots=True)
class Bill:
    """What one purchase costs in the end; `off` is what discounts took off."""

    purchase: Purchase
    cost: int
    free: Free = Free.NO
    off: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """All purchases of a step in a legal order, and what they cost together. holes: by pile, after upgrades made room."""

    bills: tuple[Bill, ...]
    terms: Terms
    holes: dict[str, int]

    @property
    def cost(self) -> int:
        """Experience for all of it."""
        return sum(bill.cost for bill in self.bills)


def cheapest(changes: Changes) -> Plan:
    """The cheapest way to get from one deck to the other by legal purchases, one at a time (ruling 1.37).

    All ways of purchasing each title are tried with all others; where these are too many, one title after the other is
    changed to a cheaper way until none is left.
    """
    terms = terms_of(changes)
    choices = ways(changes, terms)

    def plan(chosen: Sequence[Way]) -> Plan:
        return _plan(changes, tuple(purchase for way in chosen for purchase in way), terms)

    if prod(map(len, choices)) <= _MOST_PLANS:
        return min(map(plan, product(*choices)), key=lambda each: each.cost)
    chosen = [options[0] for options in choices]
    best = plan(chosen)
    better = True
    while better:
        better = False
        for place, options in enumerate(choices):
            for way in options:
                other = plan([*chosen[:place], way, *chosen[place + 1 :]])
                if other.cost < best.cost:
                    chosen[place], best, better = way, other, True
    return best


def _plan(changes: Changes, purchases: tuple[Purchase, ...], terms: Terms) -> Plan:
    """What purchases cost when everything that makes them cheaper is used as well as can be."""
    holes = dict(changes.holes)
    for purchase in purchases:
        if purchase.makes_room:
            holes[purchase.pile] = holes.get(purchase.pile, 0) + 1
    bills = [Bill(purchase, purchase.price) for purchase in purchases]
    bills = _second_copies(bills, terms)
    bills = _free_copies(bills, holes, min(terms.swaps, _swappable(changes, purchases)))
    bills = _reduced(bills, terms)
    bills = _repurchased(bills, terms)
    return Plan(tuple(sorted(bills, key=_turn)), terms, holes)


def _turn(bill: Bill) -> int:
    """When a purchase is made: cards that change purchases first, then what fills the deck, then upgrades."""
    purchase = bill.purchase
    special = purchase.card.special
    if (
        special.deck_size
        or special.buying.swaps
        or special.gains
        or special.buying.second_free
        or special.buying.discount
    ):
        return 0
    if purchase.makes_room:
        return 1
    if bill.free is Free.REFILL:
        return 2
    if purchase.upgrades:
        return 3 if bill.off else 4
    return 6 if bill.free is Free.SWAP else 5


def _swappable(changes: Changes, purchases: Sequence[Purchase]) -> int:
    """How many level 0 cards left the deck that an effect may have swapped out: not permanent, not upgraded, not forced."""

    def able(change: Change) -> bool:
        card = change.card
        return (
            change.pile == DECK and change.purchasable and card is not None and card.level == 0 and not card.permanent
        )

    gone = sum(change.gone - change.forced for change in changes.cards if able(change))
    used = sum(
        purchase.pile == DECK and purchase.source is not None and purchase.source.level == 0 and not purchase.beside
        for purchase in purchases
    )
    again = sum(
        purchase.how is How.NEW and any(_same(purchase, other.source) for other in purchases) for purchase in purchases
    )
    return max(0, gone - max(0, used - again))


def _same(purchase: Purchase, source: Card | None) -> bool:
    return source is not None and purchase.card.root == source.root


def _second_copies(bills: list[Bill], terms: Terms) -> list[Bill]:
    """The second of two upgrades of the same card is free where a card says so."""
    waiting: dict[str, int] = {}
    result = list(bills)
    for place, bill in enumerate(bills):
        source = bill.purchase.source
        if source is None or source.subtitle.casefold() not in terms.second_free:
            continue
        first = waiting.pop(source.root, None)
        if first is None:
            waiting[source.root] = place
            continue
        dearer = first if bills[first].cost > bill.cost else place
        result[dearer] = replace(bills[dearer], cost=0, free=Free.SECOND)
    return result


def _free_copies(bills: list[Bill], holes: dict[str, int], swaps: int) -> list[Bill]:
    """Let level 0 cards fill the deck or be swapped in where that saves most; of a myriad card pay one copy.

    What a taboo list adds is paid for a card that fills the deck, not for one that is swapped in: that is no purchase.
    Sources: rulings 1.8, 1.18, 1.37; "Myriad"; "The list of taboos".
    """
    places = _Places(list(bills), dict(holes), swaps)
    alone, together = _units(bills)
    dearest = sorted(alone, key=lambda place: -bills[place].cost)
    # swaps go first to cards that a taboo list makes dearer, then to what does not fit into the deck's holes
    for place in dearest:
        if _filled(bills[place]):
            places.swap(place)
    for place in alone:
        places.fill(place)
    for place in dearest:
        places.swap(place)
    for copies in together:
        free = all(_fills(bills[place]) for place in copies) and places.free(copies[0]) >= len(copies)
        for number, place in enumerate(copies):
            if free:
                places.fill(place)
                places.swap(place)
            elif number:
                places.bills[place] = replace(bills[place], cost=0, free=Free.MYRIAD)
    return places.bills


@dataclass(slots=True)
class _Places:
    """Room for level 0 cards that cost nothing: the holes of each pile and the swaps that are left."""

    bills: list[Bill]
    room: dict[str, int]
    swaps: int

    def free(self, place: int) -> int:
        """For how many cards of a pile there is room."""
        pile = self.bills[place].purchase.pile
        return self.room.get(pile, 0) + (self.swaps if pile == DECK else 0)

    def fill(self, place: int) -> None:
        """Let a card fill the deck, if there is a hole and it saves something."""
        bill = self.bills[place]
        pile = bill.purchase.pile
        if bill.free is Free.NO and self.room.get(pile, 0) and bill.cost > _filled(bill):
            self.room[pile] -= 1
            self.bills[place] = replace(bill, cost=_filled(bill), free=Free.REFILL)

    def swap(self, place: int) -> None:
        """Swap a card in, if a swap is left; only cards of the deck itself are swapped."""
        bill = self.bills[place]
        if bill.free is Free.NO and self.swaps and bill.purchase.pile == DECK:
            self.swaps -= 1
            self.bills[place] = replace(bill, cost=0, free=Free.SWAP)


def _units(bills: list[Bill]) -> tuple[list[int], list[list[int]]]:
    """The places of level 0 cards that are paid one by one, and of the copies of each myriad card, the cheapest first."""
    alone: list[int] = []
    together: dict[tuple[str, str, int | None], list[int]] = {}
    for place, bill in enumerate(bills):
        card = bill.purchase.card
        if card.myriad and bill.free is Free.NO:
            together.setdefault((bill.purchase.pile, card.title, card.level), []).append(place)
        elif _fills(bill):
            alone.append(place)
    for places in together.values():
        places.sort(key=lambda place: bills[place].cost)
    return alone, sorted(together.values(), key=len)


def _fills(bill: Bill) -> bool:
    """Whether the card may be taken for nothing to reach the deck size: level 0, and it counts."""
    purchase = bill.purchase
    new = purchase.how in (How.NEW, How.AGAIN)
    return new and purchase.card.level == 0 and purchase.counts and bill.free is Free.NO


def _filled(bill: Bill) -> int:
    """What a level 0 card costs that fills the deck: nothing but what a taboo list adds."""
    return max(0, bill.purchase.card.surcharge)


def _reduced(bills: list[Bill], terms: Terms) -> list[Bill]:
    """Discounts on upgrades, in the order of upgrades that saves most: each holds for the first cards of its kind."""
    discounts = terms.on_upgrades
    if not discounts:
        return bills
    first = sum(discount.cards for discount in set(discounts))
    kinds: dict[tuple[bool, ...], list[int]] = {}
    for place, bill in enumerate(bills):
        if bill.purchase.upgrades and bill.cost > 0:
            kinds.setdefault(tuple(_holds(discount, bill) for discount in discounts), []).append(place)
    # of cards for which the same discounts hold only the dearest matter: nothing more can be taken off the others
    early = {
        place: kind
        for kind, places in kinds.items()
        for place in sorted(places, key=lambda place: -bills[place].cost)[:first]
    }
    best: dict[int, int] = {}
    for order in permutations(early, min(first, len(early))):
        off = _taken_off(bills, {place: early[place] for place in order}, discounts)
        if sum(off.values()) > sum(best.values()):
            best = off
    return [
        replace(bill, cost=bill.cost - best[place], off=best[place]) if best.get(place) else bill
        for place, bill in enumerate(bills)
    ]


def _taken_off(bills: list[Bill], order: dict[int, tuple[bool, ...]], discounts: Sequence[Discount]) -> dict[int, int]:
    """What the discounts take off each bill when upgrades are made in this order; never more than it costs (1.8)."""
    left = [discount.cards for discount in discounts]
    off: dict[int, int] = {}
    for place, holds in order.items():
        total = 0
        for number, discount in enumerate(discounts):
            if left[number] and holds[number]:
                left[number] -= 1
                total += discount.less
        off[place] = min(total, bills[place].cost)
    return off


def _holds(discount: Discount, bill: Bill) -> bool:
    """Whether the upgraded card is of the discount's kind, before or after."""
    purchase = bill.purchase
    traits = purchase.card.traits | (purchase.source.traits if purchase.source else frozenset())
    return not discount.traits or not discount.traits.isdisjoint(traits)


def _repurchased(bills: list[Bill], terms: Terms) -> list[Bill]:
    """Discounts on cards purchased again after exile: for each, the dearest cards that are left."""
    result = list(bills)
    for discount in terms.on_exiled:
        open_bills = [place for place, bill in enumerate(result) if bill.purchase.exiled and bill.cost > 0]
        for place in sorted(open_bills, key=lambda place: -result[place].cost)[: discount.cards]:
            less = min(discount.less, result[place].cost)
            result[place] = replace(result[place], cost=result[place].cost - less, off=result[place].off + less)
    return result
