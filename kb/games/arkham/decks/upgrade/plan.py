"""The cheapest legal order of purchases of a step, as bills in the order in which they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kb.games.arkham.decks.upgrade.changes import DECK, Change, Changes
from kb.games.arkham.decks.upgrade.cheapest import search
from kb.games.arkham.decks.upgrade.purchases import Bill, Free, How, Terms, terms_of

_FIRST, _LATER = -1, 1_000
_ROOM, _FILL, _UPGRADE, _PURCHASE, _SWAP, _CARRIED = range(6)


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
    chosen = search(changes, terms)
    come = {change.card.root: change.come for change in changes.cards if change.card and change.pile == DECK}
    return Plan(tuple(_swapped(list(_in_order(chosen, come)), changes)), terms)


def _in_order(titles: Sequence[Sequence[Bill]], come: Mapping[str, int]) -> Iterator[Bill]:
    """First what changes the terms, then the upgrades for which discounts hold, each with what it is made of, then the rest.

    What makes room comes before what fills it; a card is purchased just before it is upgraded.
    """
    chains = [chain for bills in titles for chain in _chains(bills)]
    pairs = {bill.purchase.card.title for chain in chains for bill in chain if bill.free is Free.SECOND}
    # a copy of a customizable card may be swapped out only as long as no box is marked
    swaps_first = any(bill.free is Free.BOXES for chain in chains for bill in chain)
    bought: Counter[str] = Counter()
    rows: list[tuple[tuple[int, int, int, str, int, int], Bill]] = []
    for number, chain in enumerate(chains):
        title = chain[-1].purchase.card.title
        enables = any(bill.purchase.enables for bill in chain)
        kind = _kind(chain)
        root = chain[0].purchase.card.root
        bought[root] += chain[0].purchase.copies
        if chain[0].purchase.source is None and kind in (_FILL, _PURCHASE) and bought[root] > come.get(root, 0):
            kind = kind if chain[0].purchase.exiled else _CARRIED
        for link, bill in enumerate(chain):
            # both copies must be there when the second is upgraded for nothing
            others = [each for other in chains for each in other] if title in pairs else chain[link:]
            following = [other.place for other in others if other.place >= 0 and other.purchase.card.title == title]
            place = min(following, default=_LATER)
            if swaps_first and not link and bill.free is Free.SWAP:
                place = _FIRST
            last = (link, number) if title in pairs else (number, link)
            rows.append(((0 if enables else 1, place, kind, title, *last), bill))
    return (bill for _, bill in sorted(rows, key=lambda row: row[0]))


def _chains(bills: Sequence[Bill]) -> list[list[Bill]]:
    """The purchases of a title by the copies that they make: each upgrade with what it is made of, if that was purchased."""
    chains: list[list[Bill]] = []
    for bill in bills:
        source = bill.purchase.source
        made = [chain for chain in chains if source and chain[-1].purchase.card.root == source.root]
        if made and not bill.purchase.beside:
            made[0].append(bill)
        elif bill.purchase.how is How.BOXES and chains:
            chains[0].append(bill)
        else:
            chains.append([bill])
    return chains


def _kind(chain: Sequence[Bill]) -> int:
    """What is done first among purchases without a discount: make room, fill the deck, upgrade, purchase, swap."""
    if any(bill.purchase.makes_room for bill in chain):
        return _ROOM
    if chain[0].free is Free.REFILL:
        return _FILL
    if chain[-1].purchase.upgrades:
        return _UPGRADE
    return _SWAP if chain[0].free is Free.SWAP else _PURCHASE


def _swapped(bills: list[Bill], changes: Changes) -> Iterator[Bill]:
    """The bills, those of swaps with the level 0 card that goes out."""
    plan = Plan(tuple(bills), Terms())
    leaving = Counter(
        {change.before_label: plan.removed(change) for change in changes.cards if change.card and change.swappable}
    )
    for bill in bills:
        if bill.free is Free.SWAP:
            out = next((label for label, number in leaving.items() if number > 0), "")
            leaving[out] -= 1
            yield replace(bill, out=out)
        else:
            yield bill
