"""Finds the cheapest legal order of the purchases in one step.

For each title, there are several options to get its copies. The options are combined title by title, and the purchases
are then put in order. If two combinations use the same shared resources, only the cheaper one is followed. The result
is exact: tests/data/arkham-cheapest.yaml contains results of an exhaustive search over small steps, which finds nothing
cheaper.

A step is not one minimum-cost flow (`kb/decks/flow.py`) from old cards, free places and discounts to the new deck. In
every flow, two further supplies, or two further demands, satisfy: cost of both + cost of neither >= one + other. These
rules break it (costs of neither, one, other, both; the steps are in tests/data/arkham-steps.yaml):

- A discount needs an upgrade: for Shrivelling (3), Arcane Research and a free place only help together (3, 3, 3, 2).
- The first upgrades share discounts: Arcane Research twice, Down the Rabbit Hole and two spells (1, 3, 3, 4).
- Further myriad copies are free: a first and a second copy of Mind's Eye (0, 2, 2, 2).
- Shrewd Analysis upgrades a second copy for free: two copies of Archaic Glyphs (0, 3, 3, 3).
- A further copy comes with the boxes marked: a second copy of Grizzled, and two boxes (0, 1, 2, 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.undecided import decided
from kb.games.arkham.decks.upgrade.changes import DECK, EXTRA, DeckChanges, PileChange, changes_between
from kb.games.arkham.decks.upgrade.purchases import (
    Bill,
    How,
    Market,
    OpenPlace,
    PurchaseOption,
    Terms,
    Title,
    Used,
    terms_of,
    versions_of,
)

_MOST_PLACES = 6
_ORDER = {How.REFILL: 1, How.UPGRADE: 2, How.BESIDE: 2, How.SECOND: 2, How.BOXES: 2, How.SWAP: 4}


@frozen
class UpgradePlan:
    """All purchases of one step in a legal order (`bills`), and the `terms` that set their prices."""

    bills: tuple[Bill, ...]
    terms: Terms

    @property
    def cost(self) -> int:
        """Return the experience that all purchases cost together."""
        return sum(each.cost for each in self.bills)

    def removed(self, change: PileChange) -> int:
        """Return the copies of a card that left only to make room, not because of exile, a rule or an upgrade."""
        came = 0 if change.purchasable else change.come
        for each in self.bills:
            if each.pile == change.pile:
                came += each.copies if each.card.root == change.card.root else 0
                came -= each.replaces is not None and each.replaces.root == change.card.root
        return max(0, change.left - change.forced + came - change.after + change.granted)


@frozen
class UpgradeStep:
    """One step from a deck to the next, as the checks of upgrades see it.

    - `available`: the experience that can be spent, None if unknown.
    - `earned`: the experience earned before the step, None if it is not given separately.
    - `carried`: the experience left from the step before.
    """

    changes: DeckChanges
    plan: UpgradePlan
    available: int | None = None
    earned: int | None = None
    carried: int = 0
    undecided: ArkhamDeck | None = None
    """The new deck as in its file, which may leave a choice open. For an open choice, `changes` assume the cheapest
    value.
    """


UPGRADE: Ruleset[UpgradeStep] = Ruleset("arkham", "Arkham Horror: The Card Game, between two scenarios")


def cheapest_step(old: ArkhamDeck, new: ArkhamDeck, facts: ArkhamFacts) -> tuple[DeckChanges, UpgradePlan]:
    """Return the changes between two decks and the cheapest plan for them.

    If the new deck leaves a choice open, the cheapest value is assumed.
    """
    steps = (changes_between(old, each, facts) for each in decided(new, facts))
    return min(((changes, cheapest(changes)) for changes in steps), key=lambda step: step[1].cost)


def cheapest(changes: DeckChanges) -> UpgradePlan:
    """Return the cheapest plan that leads from the old deck to the new one by legal purchases, one after the other
    (ruling 1.37).
    """
    terms = terms_of(changes)
    titles = list(_titles(changes, terms))
    versions = [version for title in titles for version in title]
    kinds = {terms.kind(version.card) for version in versions}
    made = sum(version.goal for version in versions if "permanent" in version.card.keywords)
    worth = max([1, *(terms.of_new(version.card) for version in versions if not version.card.level)])
    candidates = []
    for first in _orders(terms, kinds):
        market = Market(terms, first, changes.holes[DECK], made, changes.holes[EXTRA], worth)
        options = [Title(changes, title, market).options() for title in titles]
        candidates.append(_combined(options, market, _carrier(changes)))
    best = min(candidates, key=lambda option: option[:2])
    plan = UpgradePlan(tuple(_in_order(best.bills, changes)), terms)
    return replace(plan, bills=tuple(_swapped(plan, changes)))


def _titles(changes: DeckChanges, terms: Terms) -> Iterator[list[PileChange]]:
    """Yield the versions of each title, if copies of the title are added or may be swapped out.

    Titles that may make room come first: titles with permanent cards, then titles that the deck already has copies of.
    """
    rows: dict[tuple[str, str], list[PileChange]] = {}
    for change in changes.cards:
        if change.purchasable:
            rows.setdefault((change.pile, change.card.root if change.sheet else change.card.title), []).append(change)
    for title in sorted(rows.values(), key=_makes_no_room):
        comes = any(change.come > 0 or (change.sheet and change.more_boxes) for change in title)
        leaves = terms.swaps and any(change.swappable and (change.gone or change.exiled) for change in title)
        if comes or leaves:
            yield versions_of(changes, title)


def _makes_no_room(title: Sequence[PileChange]) -> tuple[bool, bool]:
    return not any("permanent" in change.card.keywords for change in title), not any(change.stock for change in title)


def _carrier(changes: DeckChanges) -> PileChange | None:
    """Return a level 0 card of the deck that can be swapped out and purchased again; None if there is none.

    This detour helps if a taboo list raises the price of the card that is swapped in.
    """
    return next(
        (
            change
            for change in changes.cards
            if change.stock and change.swappable and change.status.kind is Kind.PLAYER
            if not (change.card.sheet or change.card.surcharge or change.card.special.at_creation)
        ),
        None,
    )


def _orders(
    terms: Terms, kinds: set[frozenset[int]], before: tuple[OpenPlace, ...] = ()
) -> Iterator[tuple[OpenPlace, ...]]:
    """Yield all orders of upgrades that can use up the discounts.

    `kinds` are the sets of discounts that apply to an upgrade in this step. `before` are the first upgrades already
    chosen. Each discount applies to the first upgrades of its kind, even if it saves nothing there.
    """
    active = frozenset(
        number
        for number, (_, discount) in enumerate(terms.on_upgrades)
        if sum(number in place.holds for place in before) < discount.cards
    )
    holding = {kind & active for kind in kinds} - {frozenset()}
    if not holding or len(before) == _MOST_PLACES:
        yield before
        return
    for holds in sorted(holding, key=lambda numbers: sorted(numbers, reverse=True)):
        discounts = [terms.on_upgrades[number] for number in holds]
        by = " and ".join(sorted({name for name, _ in discounts}))
        place = OpenPlace(active, holds, sum(discount.less for _, discount in discounts), by)
        yield from _orders(terms, kinds, (*before, place))


def _combined(
    titles: Sequence[dict[Used, PurchaseOption]], market: Market, carrier: PileChange | None
) -> PurchaseOption:
    """Return the cheapest combination of one option for each title; ties go to the one with the least trouble (see
    `Bill.trouble`).
    """
    best = {Used(): PurchaseOption(0, 0, ())}
    for options in titles:
        following: dict[Used, PurchaseOption] = {}
        for used, before in best.items():
            for more, option in options.items():
                after = _together(used, more, market)
                rank = before.cost + option.cost, before.trouble + option.trouble
                if after is not None and (after not in following or rank < following[after][:2]):
                    following[after] = PurchaseOption(*rank, (*before.bills, *option.bills))
        best = following
    candidates = (_with_carriers(option, used, market, carrier) for used, option in best.items())
    return min((option for option in candidates if option), key=lambda option: option[:2])


def _together(one: Used, other: Used, market: Market) -> Used | None:
    """Return the resources that two options use together; None if the step does not have enough of them."""
    _, again, extra, swaps, leaving, room, _ = (mine + its for mine, its in zip(one, other, strict=True))
    terms = market.terms
    if (
        one.places & other.places
        or again < -terms.off_again[1]
        or extra < -market.extra
        or swaps < -terms.swaps
        or one.room + other.lowest < -market.holes
    ):
        return None
    return Used(one.places | other.places, again, extra, swaps, min(terms.swaps + swaps, leaving), room)


def _with_carriers(
    option: PurchaseOption, used: Used, market: Market, carrier: PileChange | None
) -> PurchaseOption | None:
    """Return `option` with a further purchase of `carrier` for each card swapped in without a card to swap out.

    None if such a purchase is needed but there is no carrier.
    """
    cost, trouble, purchases = option
    for number in range(-used.leaving):
        if carrier is None:
            return None
        filled = number < market.holes + used.room
        how, price = (How.REFILL, 0) if filled else (How.NEW, market.terms.of_new(carrier.card))
        each = Bill(DECK, carrier.card, how, price, price, 0)
        cost, trouble, purchases = cost + price, trouble + each.trouble, (*purchases, each)
    return PurchaseOption(cost, trouble, purchases)


def _in_order(purchases: Sequence[Bill], changes: DeckChanges) -> Iterator[Bill]:
    """Yield the purchases in a legal order.

    Purchases that change the terms come first, then upgrades with discounts, then all others; room is made before it is
    filled. A card is added before it is upgraded.
    """
    pairs = {each.card.title for each in purchases if each.how is How.SECOND}
    # a copy of a customizable card may be swapped out only while no box is marked
    swaps_first = any(each.how is How.WITH_BOXES for each in purchases)
    missing = Counter({change.card.root: change.come for change in changes.cards})

    def rank(each: Bill) -> tuple[bool, int, int, str]:
        missing[each.card.root] -= each.copies if each.source is None else 0
        kind = _ORDER.get(each.how, 3)
        if each.makes_room:
            kind = 0
        elif missing[each.card.root] < 0:
            kind = 5  # purchased again after it was swapped out
        # Two copies must be in the deck when the second is upgraded for free. A customizable card must be in the deck before
        # its boxes are marked.
        blank = each.card.sheet and not each.level and each.how in (How.NEW, How.AGAIN, How.REFILL)
        first = not each.upgrades and (each.card.title in pairs or blank or (swaps_first and each.how is How.SWAP))
        place = -1 if first else each.place if each.place >= 0 else _MOST_PLACES
        return not each.enables, place, kind, each.card.title

    ranks = [rank(each) for each in purchases]
    waiting = [purchases[number] for number in sorted(range(len(purchases)), key=ranks.__getitem__)]
    in_deck = Counter({(change.pile, change.card.root): change.left for change in changes.cards})
    while waiting:
        each = waiting[0]
        while (
            (needs := each.needs)
            and not in_deck[each.pile, needs.root]
            and (before := next((other for other in waiting if other.copies and other.card.root == needs.root), None))
        ):
            each = before
        waiting.remove(each)
        in_deck[each.pile, each.card.root] += each.copies
        if each.replaces:
            in_deck[each.pile, each.replaces.root] -= 1
        yield each


def _swapped(plan: UpgradePlan, changes: DeckChanges) -> Iterator[Bill]:
    """Yield the purchases of a plan. For each swap, name the level 0 card that is swapped out."""
    leaving = Counter({change.before_label: plan.removed(change) for change in changes.cards if change.swappable})
    for each in plan.bills:
        if each.how is How.SWAP:
            out = next((label for label, number in leaving.items() if number > 0), "")
            leaving[out] -= 1
            each = replace(each, out=out)
        yield each
