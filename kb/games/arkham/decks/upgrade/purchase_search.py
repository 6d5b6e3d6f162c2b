"""The purchases by which the copies of one title can have come: a search over small states, one purchase after the other.

A card just purchased may be upgraded at once (ruling 1.37), so all versions of the title may be passed on the way. What ties
titles to each other is counted in `Used`: the first upgrades (for which discounts hold), exiled cards purchased again, level 0
cards that fill the deck or are swapped in, level 0 cards that leave, and places that a permanent made.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from kb.frozen import frozen
from kb.games.arkham.decks.model import Card, Mark
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.upgrade.changes import (
    DECK,
    MINIMUM,
    Bill,
    Change,
    Changes,
    Free,
    How,
    Purchase,
    Sheet,
    Terms,
    is_upgrade,
    refill_price,
    upgrade_price,
)

BROKEN = 10_000
"""What breaking a rule counts for: the cheapest order is legal where any is."""
_MOST_COPIES = 6
_MYRIAD_COPIES = 2
Counts = tuple[int, ...]


class Used(NamedTuple):
    """What purchases take: places among the first upgrades (bit by bit), what exiled cards cost less, places filled in the extra
    deck, swaps, whether they fill the deck at all; and what they give, less what they take of it: places in the deck (opens: before
    any is filled), level 0 copies that can be swapped out."""

    places: int = 0
    again: int = 0
    extra: int = 0
    swaps: int = 0
    fills: bool = False
    room: int = 0
    leaving: int = 0
    opens: bool = False

    @property
    def nothing(self) -> bool:
        """Whether it takes nothing."""
        return not any(self[:5]) and self.room >= 0

    def covers(self, other: Used) -> bool:
        """Whether it takes no more and gives no less."""
        return (
            not self.places & ~other.places
            and all(mine <= its for mine, its in zip(self[1:5], other[1:5], strict=True))
            and all(mine >= its for mine, its in zip(self[5:], other[5:], strict=True))
        )


class Place(NamedTuple):
    """One of the first upgrades of a step. holds: the discounts (bit by bit) that hold for it; active: those of which something
    is left; off: what it costs less, by which cards."""

    holds: int
    active: int
    off: int
    by: str


@frozen
class Market:
    """What a step offers to all titles: its terms, the first upgrades, free places in the deck (made: those that permanents may make)
    and in the extra deck, what a place or a swap saves at most."""

    terms: Terms
    first: tuple[Place, ...]
    holes: int
    made: int
    extra: int
    worth: int


@frozen
class Option:
    """One way for a title: its purchases in their order."""

    cost: int
    used: Used
    bills: tuple[Bill, ...]

    @property
    def rank(self) -> tuple[int, int]:
        """What it costs, and of what costs the same how much is to be done."""
        return self.cost, sum(bill.trouble for bill in self.bills)


class _Table(NamedTuple):
    """A state: copies held, exiled copies left, copies that come with what was bought, copies that may stay beside, boxes marked and
    to be marked, whether an upgrade for which a discount could have held has been paid in full."""

    held: Counts
    exiled: Counts
    gifts: Counts
    beside: Counts
    marked: int
    unmarked: int
    late: bool
    used: Used


def versions_of(changes: Changes, rows: Sequence[Change], sheet: Sheet | None) -> list[Change]:
    """The versions in either deck, and those that may be purchased and upgraded on the way, in the order of their levels."""
    found = list(rows)
    profile = changes.now if rows[0].pile == DECK else changes.now.extra or changes.now
    here = {version.card.root for version in found}
    masks = {change.status.mask for change in rows if change.after}
    for other in changes.facts.named(found[0].card.name) if sheet is None else ():
        if other.code != other.root or other.root in here or other.level is None or other.sheet:
            continue
        status = profile.status(other.code)
        lasting = (
            status.card is not None and "permanent" not in status.card.keywords and not status.card.special.at_creation
        )
        # a card that takes a limited slot passes only through the slot that the card after it takes
        if status.kind is Kind.PLAYER and lasting and status.card and (not status.mask or status.mask in masks):
            found.append(Change(rows[0].pile, status.card, status, status, 0, 0))
    return sorted(found, key=lambda version: (version.card.level or 0, "exceptional" in version.card.keywords))


def carries(change: Change) -> bool:
    """Whether copies can be swapped out and purchased again for 1 experience, or nothing when they fill the deck."""
    card = change.card
    return (
        change.swappable
        and change.status.kind is Kind.PLAYER
        and not (card.sheet or card.surcharge or card.special.at_creation)
    )


def kind_of(card: Card, terms: Terms) -> int:
    """The discounts (bit by bit) that hold for upgrading a card, by its traits."""
    return sum(
        1 << number
        for number, discount in enumerate(terms.on_upgrades)
        if not discount.traits or not discount.traits.isdisjoint(card.traits)
    )


def _plus(counts: Counts, place: int, number: int) -> Counts:
    return (*counts[:place], counts[place] + number, *counts[place + 1 :])


_Move = tuple[int, tuple[Bill, ...], _Table]


class Title:
    """One title in one pile; with a sheet, a customizable card."""

    def __init__(
        self, changes: Changes, pile: str, versions: list[Change], sheet: Sheet | None, market: Market
    ) -> None:
        self.changes, self.pile, self.versions, self.sheet, self.market = changes, pile, versions, sheet, market
        self.terms = market.terms
        self.again_by = self.terms.given_by("again")
        self.goal = tuple(version.goal for version in versions)
        self.detours = sum(self.goal) <= _MOST_COPIES
        self.higher = [
            [place for place, higher in enumerate(versions) if is_upgrade(version.card, higher.card)]
            for version in versions
        ]
        self.kinds = [kind_of(version.card, self.terms) for version in versions]
        self.spare = [self._spare(version) for version in versions]

    def _spare(self, version: Change) -> int:
        """How many copies may be bought beyond those needed, only to have a level 0 card that can be swapped out."""
        if not self.terms.swaps or not version.swappable or not version.status.counts:
            return 0
        if carries(version) and version.stock and (self.market.worth > 1 or "myriad" in version.card.keywords):
            return self.terms.swaps
        return min(self.terms.swaps, version.exiled) if self.terms.off_again[0] else 0

    def options(self) -> list[Option]:
        """Every way that is worth trying, the cheapest first: uniform-cost search."""
        nothing = (0,) * len(self.versions)
        sheet = self.sheet
        marked = sum(sheet.before.values()) if sheet else 0
        unmarked = (sheet.more if sheet.left else sheet.spent) if sheet else 0
        start = _Table(
            tuple(version.stock for version in self.versions),
            tuple(version.exiled for version in self.versions),
            nothing,
            tuple(version.beside for version in self.versions),
            marked,
            unmarked,
            False,
            Used(),
        )
        number = count()
        queue: list[tuple[int, int, int, tuple[Bill, ...], _Table]] = [(0, 0, next(number), (), start)]
        best = {start: (0, 0)}
        found: list[Option] = []
        limit = BROKEN * BROKEN
        permanents = sum(version.goal for version in self.versions if "permanent" in version.card.keywords)
        while queue:
            cost, trouble, _, bills, table = heapq.heappop(queue)
            if (cost, trouble) > best[table] or cost > limit:
                continue
            if not table.unmarked and all(
                version.goal <= have <= version.goal + version.stock + spare
                for version, have, spare in zip(self.versions, table.held, self.spare, strict=True)
            ):
                option = self._option(cost, bills, table)
                if not any(other.cost <= option.cost and other.used.covers(option.used) for other in found):
                    found.append(option)
                if option.used.nothing:
                    limit = min(limit, option.cost + self.market.worth * (self.terms.swaps + permanents))
            for price, more, after in self._moves(table):
                rank = cost + price, trouble + sum(bill.trouble for bill in more)
                if after not in best or rank < best[after]:
                    best[after] = rank
                    heapq.heappush(queue, (*rank, next(number), (*bills, *more), after))
        return sorted(found, key=lambda option: option.rank)

    def _option(self, cost: int, bills: tuple[Bill, ...], table: _Table) -> Option:
        leaving = sum(
            have - need
            for version, have, need in zip(self.versions, table.held, self.goal, strict=True)
            if version.swappable
        )
        used = table.used._replace(leaving=min(leaving, self.terms.swaps) - table.used.swaps)
        if self.market.holes:
            used = used._replace(fills=False, opens=False)
        return Option(cost + BROKEN * sum(table.beside), used, bills)

    def _moves(self, t: _Table) -> Iterator[_Move]:
        for place in range(len(self.versions)):
            wanted = self._wanted(t, place)
            # a copy that comes with marked boxes may take the place of a blank one that was swapped out
            spare = self.terms.swaps if self.sheet and t.gifts[place] else self.spare[place]
            if wanted or (spare and self._wanted(t, place, spare)):
                yield from self._purchases(t, place)
            if wanted and not self.sheet:
                yield from self._upgrades(t, place)
        if self.sheet and t.unmarked:
            yield from self._boxes(t, self.sheet)

    def _wanted(self, t: _Table, place: int, spare: int = 0) -> bool:
        """Whether a copy of the version is needed: itself, or for a higher one."""
        if not self.goal[place] and not self.detours:
            return False
        kept = max(self.goal[place], self.versions[place].stock) if spare else self.goal[place]
        needed, have = kept + spare, t.held[place]
        for higher in self.higher[place]:
            needed += self.goal[higher]
            have += min(t.held[higher], self.goal[higher])
        return have < needed

    # purchases

    def _purchases(self, t: _Table, place: int) -> Iterator[_Move]:
        """A copy of a version: paid, for less after exile, to fill the deck, swapped in, or with a copy that was bought."""
        version = self.versions[place]
        card = version.card
        if "researched" in card.keywords and not version.goal:
            return
        again = t.exiled[place] > 0
        come = t._replace(held=_plus(t.held, place, 1), exiled=_plus(t.exiled, place, -1) if again else t.exiled)
        if t.gifts[place]:
            why = Free.BOXES if self.sheet else Free.MYRIAD
            purchase = self._purchase(card, How.COPY, 0, exiled=again) if self.sheet else self._new(version, again)
            yield 0, (Bill(purchase, 0, why),), self._given(come, card, -1)
            return
        if self.sheet and t.marked:
            price = max(MINIMUM, t.marked + card.surcharge + (0 if again else self.terms.dearer))
            yield from self._paid(self._purchase(card, How.COPY, price, exiled=again), come)
            return
        if self.sheet and not (self.sheet.left or self._allowed(self.sheet, 0)):
            return
        purchase = self._new(version, again)
        bought = self._given(come, card, _MYRIAD_COPIES) if "myriad" in card.keywords else come
        broken = BROKEN if "researched" in card.keywords else 0
        for cost, bills, after in self._paid(purchase, bought):
            yield cost + broken, bills, after
        if purchase.level or not version.status.counts:
            return
        used = t.used
        if self.pile == DECK and used.room > -self.market.holes - self.market.made:
            filled = bought._replace(used=used._replace(fills=True, room=used.room - 1))
            yield refill_price(card), (Bill(purchase, refill_price(card), Free.REFILL),), filled
        if self.pile != DECK and used.extra < self.market.extra:
            filled = bought._replace(used=used._replace(extra=used.extra + 1))
            yield refill_price(card), (Bill(purchase, refill_price(card), Free.REFILL),), filled
        if self.pile == DECK and used.swaps < self.terms.swaps:
            yield 0, (Bill(purchase, 0, Free.SWAP),), come._replace(used=used._replace(swaps=used.swaps + 1))

    def _paid(self, purchase: Purchase, after: _Table) -> Iterator[_Move]:
        """A purchase at its price, and for less if it is one of the first cards purchased again after exile."""
        yield purchase.price, (Bill(purchase, purchase.price),), after
        off, most = self.terms.off_again
        for less in range(1, min(off, most - after.used.again, purchase.price) + 1) if purchase.exiled else ():
            cost, used = purchase.price - less, after.used._replace(again=after.used.again + less)
            yield cost, (Bill(purchase, cost, off=less, by=self.again_by),), after._replace(used=used)

    def _given(self, t: _Table, card: Card, number: int) -> _Table:
        """The copies that come for nothing: further ones of a myriad card, of any card of its title and level."""
        gifts = tuple(
            gift + number
            if version.card.level == card.level and ("myriad" in version.card.keywords or self.sheet)
            else gift
            for gift, version in zip(t.gifts, self.versions, strict=True)
        )
        return t._replace(gifts=gifts)

    def _purchase(self, card: Card, how: How, price: int, **more: Any) -> Purchase:
        return Purchase(self.pile, card, how, price, **{"level": card.level or 0, **more})

    def _new(self, version: Change, again: bool) -> Purchase:
        card, how = version.card, How.AGAIN if again else How.NEW
        level = 0 if self.sheet else card.level or 0
        return self._purchase(card, how, self.terms.of_new(card, again), exiled=again, level=level)

    # upgrades

    def _upgrades(self, t: _Table, place: int) -> Iterator[_Move]:
        """A copy of a lower version becomes this one; of some cards a second copy is upgraded with it for nothing."""
        version = self.versions[place]
        for lower, source in enumerate(self.versions):
            if place not in self.higher[lower] or not t.held[lower]:
                continue
            if t.beside[lower]:
                purchase = self._upgrade(source, version, beside=True)
                beside = _plus(t.beside, lower, -1)
                yield from self._discounted(
                    purchase, self.kinds[lower], t, t._replace(held=_plus(t.held, place, 1), beside=beside)
                )
            purchase = self._upgrade(source, version)
            after = self._upgraded(t, lower, place, purchase)
            for cost, bills, following in self._discounted(purchase, self.kinds[lower], t, after):
                yield cost, bills, following
                if following.held[lower] and source.card.subtitle.casefold() in self.terms.second_free:
                    for second in self.higher[lower]:
                        if self._wanted(following, second):
                            other = self._upgrade(source, self.versions[second])
                            both = self._upgraded(following, lower, second, other)
                            yield cost, (*bills, Bill(other, 0, Free.SECOND)), both

    def _upgrade(self, source: Change, version: Change, beside: bool = False) -> Purchase:
        card = version.card
        price = Terms().of_new(card) if beside else upgrade_price(source.card, card)
        return self._purchase(card, How.UPGRADE, price, source=source.card, beside=beside)

    def _upgraded(self, t: _Table, lower: int, place: int, purchase: Purchase) -> _Table:
        used = t.used
        if purchase.makes_room and self.pile == DECK:
            used = used._replace(room=used.room + 1, opens=used.opens or not used.fills)
        after = t._replace(held=_plus(_plus(t.held, lower, -1), place, 1), used=used)
        return self._given(after, purchase.card, _MYRIAD_COPIES) if "myriad" in purchase.card.keywords else after

    def _discounted(self, purchase: Purchase, kind: int, t: _Table, after: _Table) -> Iterator[_Move]:
        """An upgrade at each place that it may take among the first ones, later than those before it; and in full."""
        used = after.used
        if kind and not t.late:
            for number in range(t.used.places.bit_length(), len(self.market.first)):
                first = self.market.first[number]
                if kind & first.active == first.holds:
                    cost = max(0, purchase.price - first.off)
                    bill = Bill(purchase, cost, off=purchase.price - cost, by=first.by, place=number)
                    yield cost, (bill,), after._replace(used=used._replace(places=used.places | 1 << number))
        yield purchase.price, (Bill(purchase, purchase.price),), after._replace(late=t.late or bool(kind))

    # upgrade sheets

    def _boxes(self, t: _Table, sheet: Sheet) -> Iterator[_Move]:
        """Boxes are marked on the sheet of a card in the deck, which is one upgrade; or with the new copies that are purchased.

        As many copies as boxes may come with them for nothing, if there is one (Rules Reference, "Customizable"; FAQ).
        """
        card = sheet.card
        if t.held[0]:
            purchase = self._purchase(card, How.BOXES, t.unmarked, copies=sheet.left or sheet.come)
            gifts = (min(t.unmarked, self.goal[0] - 1),)
            after = t._replace(marked=t.marked + t.unmarked, unmarked=0, gifts=gifts)
            yield from self._discounted(purchase, self.kinds[0], t, after)
            return
        exiled = min(sheet.come, sheet.exiled)
        for boxes in range(t.unmarked, 0, -1) if not t.marked else ():
            if boxes < t.unmarked and not self._allowed(sheet, boxes):
                continue
            price = max(MINIMUM, boxes + card.surcharge + (0 if exiled else self.terms.dearer))
            level = (min(boxes, sum(box.level_boxes for box in card.sheet)) + 1) // 2
            purchase = self._purchase(card, How.SHEET, price, copies=sheet.come, exiled=exiled > 0, level=level)
            after = t._replace(
                held=(sheet.come,), exiled=(t.exiled[0] - exiled,), marked=boxes, unmarked=t.unmarked - boxes
            )
            yield from self._paid(purchase, after)

    def _allowed(self, sheet: Sheet, boxes: int) -> bool:
        """Whether the deck may hold the card with only so many of its boxes marked, the first ones."""
        profile = self.changes.now if self.pile == DECK else self.changes.now.extra or self.changes.now
        marks: list[Mark] = []
        for index, spent in sorted(sheet.after.items()):
            if take := min(boxes, spent):
                marks.append(Mark(index, take))
                boxes -= take
        final = profile.upgraded(sheet.card.code, tuple(Mark(*each) for each in sorted(sheet.after.items())))
        status = profile.upgraded(sheet.card.code, tuple(marks))
        return status.kind is Kind.PLAYER and (not status.mask or status.mask == final.mask)
