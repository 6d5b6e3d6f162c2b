"""The cheapest legal order of purchases of a step, as bills in the order in which they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.games.arkham.decks.upgrade.blanks import Blank, carrier
from kb.games.arkham.decks.upgrade.changes import DECK, Change, Changes
from kb.games.arkham.decks.upgrade.cheapest import Best, Spot, search
from kb.games.arkham.decks.upgrade.purchases import Free, How, Purchase, Terms, price_of_new, terms_of
from kb.games.arkham.decks.upgrade.ways import ways

_FIRST, _LATER = -1, 1_000


@dataclass(frozen=True, slots=True)
class Bill:
    """What one purchase costs in the end; `off` is what discounts took off. out: by label, the card swapped out for it."""

    purchase: Purchase
    cost: int
    free: Free = Free.NO
    off: int = 0
    out: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All purchases of a step in a legal order, and what they cost together."""

    bills: tuple[Bill, ...]
    terms: Terms

    @property
    def cost(self) -> int:
        """Experience for all of it."""
        return sum(bill.cost for bill in self.bills)

    def removed(self, change: Change) -> int:
        """Copies of a card that left the deck otherwise than by exile, by rule or by an upgrade: to make room."""
        if change.card is None:
            return 0
        came = upgraded = 0
        for bill in self.bills:
            purchase = bill.purchase
            if purchase.pile != change.pile:
                continue
            if purchase.card.root == change.card.root and purchase.how is not How.BOXES:
                came += purchase.copies
            if purchase.source and purchase.source.root == change.card.root and not purchase.beside:
                upgraded += 1
        if not change.purchasable:
            came = change.come
        return max(0, change.left - change.forced + came - upgraded - (change.after - change.granted))


def cheapest(changes: Changes) -> Plan:
    """The cheapest way to get from one deck to the other by legal purchases, one at a time (ruling 1.37)."""
    terms = terms_of(changes)
    best = search(changes, terms, ways(changes, terms))
    return Plan(tuple(_named(list(_bills(best, changes, terms)), changes)), terms)


def _bills(best: Best, changes: Changes, terms: Terms) -> Iterator[Bill]:
    """The purchases in a legal order, with what becomes of each."""
    uses: dict[Blank, list[str]] = {}
    for kind, use in best.uses:
        uses.setdefault(kind, []).append(use)
    had = {id(spot): _use(spot, uses) for spot in _in_order(best.spots, {})}
    for spot in _in_order(best.spots, had):
        purchase, use = spot.purchase, had[id(spot)]
        if spot.free is not Free.NO:
            yield Bill(purchase, 0, spot.free)
        elif spot.blank is None:
            yield Bill(purchase, spot.cost, off=purchase.price - spot.cost)
        elif use == "fill":
            yield Bill(purchase, spot.blank.fill, Free.REFILL)
        elif use == "swap":
            yield Bill(purchase, spot.blank.swap, Free.SWAP)
        elif use.startswith("carry"):
            yield from _carried(purchase, use, changes, terms)
        else:
            yield Bill(purchase, spot.blank.pay)


def _use(spot: Spot, uses: dict[Blank, list[str]]) -> str:
    """How a level 0 card is had; the first ones fill the deck or are swapped in, what is left over is paid."""
    if spot.blank is None:
        return ""
    left = uses.get(spot.blank)
    return left.pop(0) if left else "pay"


def _carried(purchase: Purchase, use: str, changes: Changes, terms: Terms) -> Iterator[Bill]:
    """A card swapped in for one that stays in the deck, and the purchase of that one."""
    rows = (change for change in changes.cards if change.pile == DECK and change.kept and change.purchasable)
    card = next(change.card for change in rows if carrier(change.card, change.status.kind))
    assert card is not None
    yield Bill(purchase, 0, Free.SWAP, out=card.label)
    again = Purchase(DECK, card, How.NEW, price_of_new(card, terms.dearer))
    yield Bill(again, 0, Free.REFILL) if use == "carry fill" else Bill(again, again.price)


def _in_order(spots: Sequence[Spot], had: dict[int, str]) -> list[Spot]:
    """First what changes the terms, then the upgrades for which discounts hold, each with what it is made of, then the rest.

    What makes room comes before what fills it; a card is purchased just before it is upgraded.
    """
    chains: dict[int, list[Spot]] = {}
    for spot in spots:
        chains.setdefault(spot.chain, []).append(spot)
    pairs = {spot.purchase.card.title for spot in spots if spot.free is Free.SECOND}
    # a copy of a customizable card may be swapped out only as long as no box is marked
    swaps_first = any(spot.free is Free.BOXES for spot in spots)
    rows: list[tuple[tuple[int, int, int, str, int, int], Spot]] = []
    for number, chain in chains.items():
        title = chain[-1].purchase.card.title
        enables = any(spot.purchase.enables for spot in chain)
        makes_room = any(spot.purchase.makes_room for spot in chain)
        kind = 0 if makes_room else _kind(chain, had)
        for link, spot in enumerate(chain):
            # both copies must be there when the second is upgraded for nothing
            others = [other for each in chains.values() for other in each] if title in pairs else chain[link:]
            following = [o.upgrade for o in others if o.upgrade >= 0 and o.purchase.card.title == title]
            place = min(following, default=_LATER)
            if swaps_first and not link and had.get(id(spot)) == "swap":
                place = _FIRST
            last = (link, number) if title in pairs else (number, link)
            rows.append(((0 if enables else 1, place, kind, title, *last), spot))
    return [spot for _, spot in sorted(rows, key=lambda row: row[0])]


def _kind(chain: Sequence[Spot], had: dict[int, str]) -> int:
    """What is done first among purchases without a discount: fill the deck, upgrade, purchase, swap."""
    if had.get(id(chain[0])) == "fill":
        return 1
    if chain[-1].purchase.upgrades:
        return 2
    return 4 if had.get(id(chain[0]), "") in ("swap", "carry") else 3


def _named(bills: list[Bill], changes: Changes) -> Iterator[Bill]:
    """The bills, those of swaps with the level 0 card that goes out."""
    plan = Plan(tuple(bills), Terms(0, 0, (), frozenset()))
    leaving = Counter(
        {change.before_label: plan.removed(change) for change in changes.cards if change.card and change.swappable}
    )
    for bill in bills:
        if bill.free is Free.SWAP and not bill.out:
            out = next((label for label, number in leaving.items() if number > 0), "")
            leaving[out] -= 1
            yield Bill(bill.purchase, bill.cost, bill.free, bill.off, out)
        else:
            yield bill
