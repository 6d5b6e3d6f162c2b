"""The cheapest legal order of purchases of a step, exactly: one way for each title, combined title by title; as bills in the order in
which they are made.

Of two ways by which the titles so far use up the same only the cheaper is followed.
tests/data/arkham-cheapest.yaml has what a search over every order of small steps found: nothing is cheaper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.games.arkham.decks.upgrade.changes import DECK, EXTRA, Bill, Change, Changes, Free, How, Sheet, Terms, terms_of
from kb.games.arkham.decks.upgrade.purchase_search import (
    Market,
    Option,
    Place,
    Title,
    Used,
    carries,
    kind_of,
    versions_of,
)

_MOST_PLACES = 6
Choice = tuple[tuple[Bill, ...], ...]
"""The purchases of each title, in their order."""
_Rank = tuple[int, int]
_Title = tuple[str, list[Change], Sheet | None]
_FIRST, _LATER = -1, 1_000
_ROOM, _FILL, _UPGRADE, _PURCHASE, _SWAP, _CARRIED = range(6)


@frozen
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


@frozen
class Step:
    """What the checks of a step look at. available: experience to spend, None when nothing says how much.

    earned: what was earned before the step, where that was said apart; carried: what was left of the step before.
    """

    changes: Changes
    plan: Plan
    available: int | None = None
    earned: int | None = None
    carried: int = 0


UPGRADE: Ruleset[Step] = Ruleset("arkham", "Arkham Horror: The Card Game, between two scenarios")


def cheapest(changes: Changes) -> Plan:
    """The cheapest way to get from one deck to the other by legal purchases, one at a time (ruling 1.37)."""
    terms = terms_of(changes)
    chosen = _search(changes, terms)
    come = {change.card.root: change.come for change in changes.cards if change.pile == DECK}
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
    leaving = Counter({change.before_label: plan.removed(change) for change in changes.cards if change.swappable})
    for bill in bills:
        if bill.free is Free.SWAP:
            out = next((label for label, number in leaving.items() if number > 0), "")
            leaving[out] -= 1
            yield replace(bill, out=out)
        else:
            yield bill


def _search(changes: Changes, terms: Terms) -> Choice:
    """The purchases of each title for which the step costs least."""
    titles = list(_titles(changes, terms))
    versions = [version for _, of_title, _ in titles for version in of_title]
    kinds = {kind_of(version.card, terms) for version in versions} - {0}
    made = sum(version.goal for version in versions if "permanent" in version.card.keywords)
    holes, extra = changes.holes.get(DECK, 0), changes.holes.get(EXTRA, 0)
    worth = max([1, *(terms.of_new(version.card) for version in versions if not version.card.level)])
    if worth > 1 and terms.swaps:
        titles += _carried(changes, titles)
    best: tuple[_Rank, Choice] | None = None
    left = tuple(discount.cards for discount in terms.on_upgrades)
    for first in dict.fromkeys(_orders(terms, kinds, left, _MOST_PLACES)):
        market = Market(terms, first, holes, made, extra, worth)
        options = [Title(changes, pile, of_title, sheet, market).options() for pile, of_title, sheet in titles]
        found = _combined(options, market)
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None
    return best[1]


def _titles(changes: Changes, terms: Terms) -> Iterator[_Title]:
    """The titles of which something comes, or may be swapped out."""
    sheets = {(sheet.pile, sheet.card.root): sheet for sheet in changes.sheets}
    rows: dict[tuple[str, str], list[Change]] = {}
    for change in changes.cards:
        if change.purchasable:
            name = change.card.root if (change.pile, change.card.root) in sheets else change.card.title
            rows.setdefault((change.pile, name), []).append(change)
    for (pile, name), changed in rows.items():
        sheet = sheets.get((pile, name))
        comes = any(change.come > 0 or change.beside for change in changed) or (sheet is not None and sheet.more > 0)
        leaves = terms.swaps and any(change.swappable and (change.gone or change.exiled) for change in changed)
        if comes or leaves:
            yield pile, versions_of(changes, changed, sheet), sheet


def _carried(changes: Changes, titles: Sequence[_Title]) -> Iterator[_Title]:
    """A title that stays as it is and has a card of level 0 that can be swapped out and purchased again, unless one of the titles has.

    The detour helps where a taboo list makes a level 0 card dear that is swapped in.
    """
    if not any(carries(version) and version.stock for _, versions, _ in titles for version in versions):
        for change in changes.cards:
            if change.kept > 0 and carries(change):
                yield change.pile, versions_of(changes, [change], None), None
                return


def _orders(terms: Terms, kinds: set[int], left: tuple[int, ...], places: int) -> Iterator[tuple[Place, ...]]:
    """All orders in which upgrades of these kinds (the discounts that hold for them) use up the discounts.

    Each discount holds for the first upgrades of its kind, whether it saves anything there or not.
    """
    active = sum(1 << number for number, cards in enumerate(left) if cards > 0)
    holding = {kind & active for kind in kinds} - {0}
    if not holding or not places:
        yield ()
        return
    for holds in sorted(holding):
        bits = [number for number in range(len(left)) if holds >> number & 1]
        off = sum(terms.on_upgrades[number].less for number in bits)
        after = tuple(cards - (number in bits) for number, cards in enumerate(left))
        for rest in _orders(terms, kinds, after, places - 1):
            yield (Place(holds, active, off, terms.given_by(*bits)), *rest)


def _combined(titles: Sequence[Sequence[Option]], market: Market) -> tuple[_Rank, Choice]:
    """One option of each title, all together for the least experience and then with the least to do."""
    best: dict[Used, tuple[_Rank, Choice]] = {Used(): ((0, 0), ())}
    for options in titles:
        following: dict[Used, tuple[_Rank, Choice]] = {}
        for used, ((paid, trouble), choice) in best.items():
            for option in options:
                after = _together(used, option.used, market)
                cost, more = option.rank
                rank = paid + cost, trouble + more
                if after is not None and (after not in following or rank < following[after][0]):
                    following[after] = rank, (*choice, option.bills)
        best = following
    return min((found for used, found in best.items() if _possible(used, market)), key=lambda found: found[0])


def _together(one: Used, other: Used, market: Market) -> Used | None:
    """What both use; None when that is more than there is."""
    again, extra, swaps = one.again + other.again, one.extra + other.extra, one.swaps + other.swaps
    if (
        one.places & other.places
        or one.room + other.room < -market.holes - market.made
        or again > market.terms.off_again[1]
        or extra > market.extra
        or swaps > market.terms.swaps
    ):
        return None
    return Used(
        one.places | other.places,
        again,
        extra,
        swaps,
        one.fills or other.fills,
        one.room + other.room,
        min(market.terms.swaps - swaps, one.leaving + other.leaving),
        one.opens or other.opens,
    )


def _possible(used: Used, market: Market) -> bool:
    """Whether places are filled that were free or made free, and each card swapped in has one that goes out for it."""
    return used.leaving >= 0 and used.room >= -market.holes and (not used.fills or used.opens)
