"""Purchases and their prices, and the search for all options to get the copies of one title.

A card just purchased may be upgraded at once (ruling 1.37), so the search may pass through all versions of the title.
The resources that several titles share are counted in `Used`.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import count
from typing import Any, NamedTuple

from kb.frozen import frozen
from kb.games.arkham.decks.card import ArkhamCard, Mark
from kb.games.arkham.decks.profile import Kind, Profile
from kb.games.arkham.decks.upgrade.changes import DECK, DeckChanges, PileChange
from kb.games.arkham.schema.options import Discount, Names

BROKEN = 10_000
"""The penalty for breaking a rule. It is so high that the cheapest order is legal if any order is."""
MINIMUM = 1
_MOST_COPIES = 6
_MYRIAD_COPIES = 2


class How(Enum):
    """A kind of purchase: the verb for it, the reason for its price, and the entry that states the price."""

    NEW = "purchase", "level {level}", "arkham/glossary/purchasing-cards"
    AGAIN = "purchase again", "level {level}", "arkham/glossary/exile"
    REFILL = "fill up", "level 0, up to the deck size", "arkham/rulings/1-18"
    SWAP = "swap in", "level 0 swap with {swaps}", "arkham/rulings/1-37"
    MYRIAD = "purchase", "further copy of a myriad card", "arkham/glossary/myriad"
    UPGRADE = "upgrade", "difference {price}", "arkham/glossary/upgrading-cards"
    BESIDE = "upgrade", "full cost {price}, the lower version stays", "arkham/glossary/upgrading-cards"
    SECOND = "upgrade", "second copy free with {second}", "arkham/glossary/upgrading-cards"
    BOXES = "mark boxes", "{price} marked", "arkham/glossary/customizable"
    SHEET = "purchase", "the experience of its upgrades", "arkham/glossary/purchasing-cards"
    MARKED = "purchase", "the experience of its upgrades", "arkham/faq/repurchasing-exiled-customizable"
    WITH_BOXES = "purchase", "a copy comes with the boxes marked", "arkham/faq/repurchasing-exiled-customizable"


@frozen
class Bill:
    """One purchase.

    - `price`: the experience before discounts. `cost`: the experience paid.
    - `off`: the discount. `by`: the cards that give it.
    - `level`: the card's level when it is purchased.
    - `source`: for an upgrade, the lower level version.
    - `copies`: the number of copies added.
    - `exiled`: True if the card is purchased again after exile.
    - `place`: the number of this upgrade among the first ones, which have discounts; -1: none.
    - `out`: label of the card swapped out for it.
    """

    pile: str
    card: ArkhamCard
    how: How
    price: int
    cost: int
    level: int
    source: ArkhamCard | None = None
    copies: int = 1
    exiled: bool = False
    off: int = 0
    by: str = ""
    place: int = -1
    out: str = ""

    @property
    def makes_room(self) -> bool:
        """Return True if a permanent card replaces one that is not permanent, so that the deck is one card short of its
        size.
        """
        return (
            "permanent" in self.card.keywords
            and self.replaces is not None
            and "permanent" not in self.replaces.keywords
        )

    @property
    def replaces(self) -> ArkhamCard | None:
        """Return the lower level version, if a copy of it leaves the deck."""
        return None if self.how is How.BESIDE else self.source

    @property
    def needs(self) -> ArkhamCard | None:
        """Return the card that must be in the deck before the purchase; None if there is none."""
        return self.card if self.how is How.BOXES else self.source

    @property
    def upgrades(self) -> bool:
        """Return True if the purchase counts as upgrading a card."""
        return self.source is not None or self.how is How.BOXES

    @property
    def enables(self) -> bool:
        """Return True if the card changes the terms of later purchases in the step (ruling 1.37).

        Such a card may change the deck size, the options, the swaps or the discounts.
        """
        special, buying = self.card.special, self.card.special.buying
        return bool(special.deck_size or special.gains or buying.swaps or buying.second_free or buying.discount)

    @property
    def trouble(self) -> int:
        """Return a number that ranks options of equal cost: a lower sum is better.

        The number prefers fewer purchases, and upgrades over new cards.
        """
        return 2 if self.upgrades else 4 if self.how is How.SWAP else 3


@frozen
class Terms:
    """The terms of the purchases in a step, which cards in the deck set.

    - `dearer`: the extra cost of every new card.
    - `swaps`: the number of level 0 cards that may be swapped.
    - `on_upgrades`: the discounts on upgrades, each with the name of the card that gives it, once for each copy.
    - `off_again`: the most saved on one card purchased again after exile, and on all such cards together.
    - `second_free`: subtitles of cards whose second copy is upgraded for free, together with the first.
    - `by`: names of the cards that set these terms, under "dearer", "swaps", "again" and "second".
    """

    dearer: int
    swaps: int
    on_upgrades: tuple[tuple[str, Discount], ...]
    off_again: tuple[int, int]
    second_free: Names
    by: dict[str, str]

    def of_new(self, card: ArkhamCard, again: bool = False, boxes: int = 0) -> int:
        """Return the experience for a new copy: its cost plus the extra cost of new cards, at least 1 (ruling 1.8).

        With `again`, the card is purchased again after exile, and there is no extra cost. `boxes` are the marked boxes
        of a customizable card, which cost 1 each.
        """
        return new_price(card, boxes + (0 if again else self.dearer))

    def kind(self, card: ArkhamCard) -> frozenset[int]:
        """Return the discounts that apply to upgrading the card, as indexes in `on_upgrades`. A discount may depend
        on the card's traits.
        """
        return frozenset(
            number
            for number, (_, discount) in enumerate(self.on_upgrades)
            if not discount.traits or not discount.traits.isdisjoint(card.traits)
        )


def terms_of(changes: DeckChanges) -> Terms:
    """Return the terms of a step.

    A benefit "after each scenario" needs a card that was in the deck during the scenario. All other benefits work as
    soon as the card is purchased (ruling 1.37).
    """
    dearer = swaps = less_again = most_again = 0
    on_upgrades: list[tuple[str, Discount]] = []
    second_free: Names = frozenset()
    by: defaultdict[str, set[str]] = defaultdict(set)
    for card, left, after in changes.held():
        buying, discount = card.special.buying, card.special.buying.discount
        dearer += buying.dearer * left
        swaps += buying.swaps * after
        second_free |= buying.second_free if after else frozenset()
        times = after if discount and discount.at_once else left
        if discount and discount.when == "upgrade":
            on_upgrades += [(card.name, discount)] * times
        elif discount:
            less_again, most_again = (
                less_again + discount.less * times,
                most_again + discount.less * discount.cards * times,
            )
        gives = {
            "dearer": buying.dearer and left,
            "swaps": buying.swaps and after,
            "second": buying.second_free and after,
            "again": discount and times,
        }
        for what, applies in gives.items():
            if applies:
                by[what].add(card.name)
    names = {what: " and ".join(sorted(cards)) for what, cards in by.items()}
    return Terms(dearer, swaps, tuple(on_upgrades), (less_again, most_again), second_free, names)


def new_price(card: ArkhamCard, dearer: int = 0) -> int:
    """Return the experience for a new copy of a card before discounts. `dearer` is the extra cost of the copy."""
    return max(MINIMUM, card.cost_of_a_copy + dearer)


def upgrade_price(source: ArkhamCard, card: ArkhamCard) -> int:
    """Return the experience for upgrading `source` to `card` before discounts.

    The price is the difference between the two costs, at least 1 (Rules Reference, "Experience").
    """
    return max(MINIMUM, card.cost_of_a_copy - source.cost_of_a_copy)


def is_upgrade(source: ArkhamCard, card: ArkhamCard) -> bool:
    """Return True if `card` is a higher level version of `source`: the same title at a higher level.

    At the same level, an exceptional version is higher than a version that is not (FAQ).
    """
    if source.title != card.title or source.level is None or card.level is None or source.sheet or card.sheet:
        return False
    return source.level < card.level or (
        source.level == card.level
        and "exceptional" in card.keywords
        and "exceptional" not in source.keywords
        and source.root != card.root
    )


class Used(NamedTuple):
    """The shared resources that the purchases for one title use (below 0) or provide (above 0).

    - `places`: a bit for each place among the first upgrades, which have discounts.
    - `again`: the experience saved on exiled cards.
    - `extra`: places in the extra deck.
    - `swaps`: swaps of level 0 cards.
    - `leaving`: level 0 copies that can be swapped out.
    - `room`: places in the deck. `lowest`: the lowest value of `room` during the purchases.
    """

    places: int = 0
    again: int = 0
    extra: int = 0
    swaps: int = 0
    leaving: int = 0
    room: int = 0
    lowest: int = 0

    def filled(self, places: int) -> Used:
        """Return the resources after `places` more places in the deck are filled. If `places` is below 0, places are
        freed.
        """
        room = self.room - places
        return self._replace(room=room, lowest=min(self.lowest, room))


class OpenPlace(NamedTuple):
    """One of the first upgrades of a step, which have discounts.

    - `active`: the discounts not used up yet.
    - `holds`: the active discounts that apply to this upgrade.
    - `off`: the experience saved. `by`: the cards that save it.
    """

    active: frozenset[int]
    holds: frozenset[int]
    off: int
    by: str


@frozen
class Market:
    """The resources of a step that all titles share.

    - `terms`: the terms of the purchases.
    - `first`: the first upgrades, which have discounts, in order.
    - `holes`: free places in the deck. `extra`: free places in the extra deck.
    - `made`: places in the deck that upgrades to permanent cards may make.
    - `worth`: the most that one place, or one swap, can save.
    """

    terms: Terms
    first: tuple[OpenPlace, ...]
    holes: int
    made: int
    extra: int
    worth: int


class PurchaseOption(NamedTuple):
    """One option to get the copies of a title: the cost, the trouble (see `Bill.trouble`), and the purchases in order."""

    cost: int
    trouble: int
    bills: tuple[Bill, ...]


Counts = tuple[int, ...]


class _Table(NamedTuple):
    """A state of the search, with one number for each version of the title in the first four fields.

    - `held`: copies in the deck. `exiled`: copies exiled and not purchased again yet.
    - `gifts`: free copies that come with a purchase. `beside`: copies that may stay uncounted.
    - `marked`, `unmarked`: boxes marked, and boxes still to mark.
    - `late`: True if an upgrade that could have a discount was paid in full.
    - `used`: the shared resources used.
    """

    held: Counts
    exiled: Counts
    gifts: Counts
    beside: Counts
    marked: int
    unmarked: int
    late: bool
    used: Used


_Move = tuple[tuple[Bill, ...], _Table]


def rules_of(changes: DeckChanges, pile: str) -> Profile:
    """Return the profile of the new deck, or of its extra deck if `pile` is the extra deck."""
    return changes.now if pile == DECK else changes.now.extra or changes.now


def versions_of(changes: DeckChanges, rows: Sequence[PileChange]) -> list[PileChange]:
    """Return all versions of a title by level: those in either deck, and those that may be purchased and upgraded on
    the way.

    `rows` are the changes of the versions in either deck.
    """
    versions = list(rows)
    profile = rules_of(changes, rows[0].pile)
    roots = {version.card.root for version in versions}
    masks = {0} | {change.status.mask for change in rows if change.after}
    for other in changes.facts.named(versions[0].card.name) if not rows[0].sheet else ():
        if other.code != other.root or other.root in roots or other.level is None or other.sheet:
            continue
        status = profile.status(other.code)
        # a version that takes a limited slot may only use the slot that the final version takes
        lasting = (
            status.card is not None and "permanent" not in status.card.keywords and not status.card.special.at_creation
        )
        if status.kind is Kind.PLAYER and lasting and status.card and status.mask in masks:
            versions.append(PileChange(rows[0].pile, status.card, status, status, 0, 0))
    return sorted(versions, key=lambda version: (version.card.level or 0, "exceptional" in version.card.keywords))


def _plus(counts: Counts, place: int, number: int) -> Counts:
    return (*counts[:place], counts[place] + number, *counts[place + 1 :])


class Title:
    """One title in one section of the deck, and the search for options to get its copies.

    A customizable card with marked boxes (`sheet`) is a title by itself.
    """

    def __init__(self, changes: DeckChanges, versions: list[PileChange], market: Market) -> None:
        self.changes, self.versions, self.market, self.terms = changes, versions, market, market.terms
        self.pile = versions[0].pile
        self.sheet = versions[0] if versions[0].sheet else None
        self.goal = tuple(version.goal for version in versions)
        self.detours = sum(self.goal) <= _MOST_COPIES
        self.higher = [
            [place for place, higher in enumerate(versions) if is_upgrade(version.card, higher.card)]
            for version in versions
        ]
        self.kinds = [self.terms.kind(version.card) for version in versions]

    def options(self) -> dict[Used, PurchaseOption]:
        """Return the cheapest option for each use of shared resources, found by uniform-cost search."""
        nothing = (0,) * len(self.versions)
        sheet = self.sheet
        start = _Table(
            held=tuple(version.stock for version in self.versions),
            exiled=tuple(version.exiled for version in self.versions),
            gifts=nothing,
            beside=tuple(version.beside for version in self.versions),
            marked=sum(sheet.marks_before.values()) if sheet else 0,
            unmarked=sheet.more_boxes if sheet else 0,
            late=False,
            used=Used(),
        )
        number = count()
        queue: list[tuple[int, int, int, tuple[Bill, ...], _Table]] = [(0, 0, next(number), (), start)]
        best = {start: (0, 0)}
        by_use: dict[Used, PurchaseOption] = {}
        limit = BROKEN * BROKEN
        permanents = sum(version.goal for version in self.versions if "permanent" in version.card.keywords)
        while queue:
            cost, trouble, _, purchases, table = heapq.heappop(queue)
            if (cost, trouble) > best[table] or cost > limit:
                continue
            if not table.unmarked and all(
                version.goal <= have <= version.goal + version.stock + self.terms.swaps
                for version, have in zip(self.versions, table.held, strict=True)
            ):
                used = self._used(table)
                total = cost + BROKEN * sum(table.beside)
                by_use.setdefault(used, PurchaseOption(total, trouble, purchases))
                if not used.places and min(used) >= 0:
                    limit = min(limit, total + self.market.worth * (self.terms.swaps + permanents))
            for more, after in self._moves(table):
                broken = sum(BROKEN for each in more if "researched" in each.card.keywords and not each.upgrades)
                rank = cost + sum(each.cost for each in more) + broken, trouble + sum(each.trouble for each in more)
                if after not in best or rank < best[after]:
                    best[after] = rank
                    heapq.heappush(queue, (*rank, next(number), (*purchases, *more), after))
        return by_use

    def _used(self, table: _Table) -> Used:
        leaving = sum(
            have - need
            for version, have, need in zip(self.versions, table.held, self.goal, strict=True)
            if version.swappable
        )
        return table.used._replace(leaving=min(leaving, self.terms.swaps) + table.used.swaps)

    def _moves(self, t: _Table) -> Iterator[_Move]:
        for place, version in enumerate(self.versions):
            if self._wanted(t, place, self._spare(t, place)):
                yield from self._purchases(t, place, version)
            if not self.sheet and self._wanted(t, place):
                yield from self._upgrades(t, place, version)
        if self.sheet and t.unmarked:
            yield from self._boxes(t, self.sheet)

    def _spare(self, t: _Table, place: int) -> int:
        """Return the number of copies that may be added beyond those needed, so that there is a level 0 card to swap
        out.

        A copy that comes with marked boxes may also replace a copy without marked boxes that was swapped out.
        """
        version = self.versions[place]
        if t.gifts[place] and (self.sheet or (version.stock and version.swappable)):
            return self.terms.swaps
        cheap = version.swappable and (self.terms.off_again[0] or self.terms.dearer)
        return min(self.terms.swaps, version.exiled) if cheap else 0

    def _wanted(self, t: _Table, place: int, spare: int = 0) -> bool:
        """Return True if another copy of the version is needed, either to stay or to be upgraded to a higher level
        version.
        """
        if not self.goal[place] and not self.detours:
            return False
        needed, have = self.goal[place], t.held[place]
        if spare:
            needed = max(needed, self.versions[place].stock) + spare
        for higher in self.higher[place]:
            needed += self.goal[higher]
            have += min(t.held[higher], self.goal[higher])
        return have < needed

    def _purchase(self, card: ArkhamCard, how: How, price: int, less: int = 0, **more: Any) -> tuple[Bill]:
        """Return one purchase as a tuple. It costs `less` experience below its price."""
        return (Bill(self.pile, card, how, price, price - less, **{"level": card.level or 0, **more}),)

    def _purchases(self, t: _Table, place: int, version: PileChange) -> Iterator[_Move]:
        """Yield the ways to add a copy of a version.

        It can be paid in full, paid with a discount after exile, free to fill the deck, swapped in, or free with
        another copy.
        """
        card, used, sheet = version.card, t.used, self.sheet
        again = t.exiled[place] > 0
        come = t._replace(held=_plus(t.held, place, 1), exiled=_plus(t.exiled, place, -again))
        if ("researched" in card.keywords and not version.goal) or (
            sheet and not t.marked and not self._allowed(sheet)
        ):
            return
        if t.gifts[place]:
            how = How.WITH_BOXES if sheet else How.MYRIAD
            yield self._purchase(card, how, 0, exiled=again), self._given(come, card, -1)
            return
        if sheet and t.marked:
            yield from self._paid(come, card, How.MARKED, self.terms.of_new(card, again, t.marked), exiled=again)
            return
        level = 0 if sheet else card.level or 0
        bought = self._given(come, card, _MYRIAD_COPIES) if "myriad" in card.keywords else come
        price, how = self.terms.of_new(card, again), How.AGAIN if again else How.NEW
        yield from self._paid(bought, card, how, price, exiled=again, level=level)
        if level or not version.status.counts:
            return
        refill = self._purchase(card, How.REFILL, max(0, card.surcharge), level=level)
        if self.pile != DECK and self.market.extra + used.extra > 0:
            yield refill, bought._replace(used=used._replace(extra=used.extra - 1))
        if self.pile == DECK and self.market.holes + self.market.made + used.room > 0:
            yield refill, bought._replace(used=used.filled(1))
        if self.pile == DECK and self.terms.swaps + used.swaps > 0:
            swap = self._purchase(card, How.SWAP, 0, level=level)
            yield swap, come._replace(used=used._replace(swaps=used.swaps - 1))

    def _given(self, t: _Table, card: ArkhamCard, number: int) -> _Table:
        """Return the state with `number` free copies added for each version that a purchased myriad card may bring.

        These versions have the same title and level.
        """
        same = (
            version.card.level == card.level and ("myriad" in version.card.keywords or self.sheet)
            for version in self.versions
        )
        return t._replace(
            gifts=tuple(gift + number if is_same else gift for gift, is_same in zip(t.gifts, same, strict=True))
        )

    def _paid(
        self, after: _Table, card: ArkhamCard, how: How, price: int, exiled: bool, **more: Any
    ) -> Iterator[_Move]:
        """Yield the purchase of a new copy at its price, and, if the card is `exiled`, at each price with a discount."""
        off, most = self.terms.off_again
        for less in range(min(off, most + after.used.again, price) + 1 if exiled else 1):
            used = after.used._replace(again=after.used.again - less)
            by = self.terms.by["again"] if less else ""
            yield (
                self._purchase(card, how, price, less, exiled=exiled, off=less, by=by, **more),
                after._replace(used=used),
            )

    def _upgrades(self, t: _Table, place: int, version: PileChange) -> Iterator[_Move]:
        """Yield the ways to upgrade a lower level version to this one. With some cards, a second copy is upgraded for
        free.
        """
        card = version.card
        for lower, source in enumerate(self.versions):
            if place not in self.higher[lower] or not t.held[lower]:
                continue
            if t.beside[lower]:
                stays = t._replace(held=_plus(t.held, place, 1), beside=_plus(t.beside, lower, -1))
                price = new_price(card)
                yield from self._discounted(stays, card, How.BESIDE, price, self.kinds[lower], source=source.card)
            after = self._upgraded(t, lower, place)
            price = upgrade_price(source.card, card)
            for first, following in self._discounted(
                after, card, How.UPGRADE, price, self.kinds[lower], source=source.card
            ):
                yield first, following
                if following.held[lower] and source.card.subtitle.casefold() in self.terms.second_free:
                    for second in self.higher[lower]:
                        if self._wanted(following, second):
                            other = self.versions[second].card
                            price = upgrade_price(source.card, other)
                            free = self._purchase(other, How.SECOND, price, price, source=source.card)
                            yield (*first, *free), self._upgraded(following, lower, second)

    def _upgraded(self, t: _Table, lower: int, place: int) -> _Table:
        source, card = self.versions[lower].card, self.versions[place].card
        room = "permanent" in card.keywords and "permanent" not in source.keywords and self.pile == DECK
        after = t._replace(held=_plus(_plus(t.held, lower, -1), place, 1), used=t.used.filled(-room))
        return self._given(after, card, _MYRIAD_COPIES) if "myriad" in card.keywords else after

    def _discounted(
        self, after: _Table, card: ArkhamCard, how: How, price: int, kind: frozenset[int], **more: Any
    ) -> Iterator[_Move]:
        """Yield an upgrade at full price, and with the discount of each free place that it may take among the first
        upgrades.
        """
        places = after.used.places
        for number, first in enumerate(self.market.first):
            if not after.late and number >= places.bit_length() and kind & first.active == first.holds:
                off = min(price, first.off)
                bill = self._purchase(card, how, price, off, off=off, by=first.by, place=number, **more)
                yield bill, after._replace(used=after.used._replace(places=places | 1 << number))
        yield self._purchase(card, how, price, **more), after._replace(late=after.late or bool(kind))

    def _boxes(self, t: _Table, sheet: PileChange) -> Iterator[_Move]:
        """Yield the ways to mark boxes on the sheet: as one upgrade of a card in the deck, or with new copies that
        are purchased.

        If there is one copy, further copies may come with the boxes for free, at most one for each box (Rules
        Reference, "Customizable"; FAQ).
        """
        card = sheet.card
        if t.held[0]:
            gifts = (min(t.unmarked, self.goal[0] - 1),)
            after = t._replace(marked=t.marked + t.unmarked, unmarked=0, gifts=gifts)
            yield from self._discounted(after, card, How.BOXES, t.unmarked, self.kinds[0], copies=0)
            return
        exiled = min(sheet.come, sheet.exiled)
        for boxes in range(t.unmarked, 0, -1) if not t.marked else ():
            if boxes == t.unmarked or self._allowed(sheet, boxes):
                price = self.terms.of_new(card, exiled > 0, boxes)
                level = (min(boxes, sum(box.level_boxes for box in card.sheet)) + 1) // 2
                after = t._replace(
                    held=(sheet.come,), exiled=(t.exiled[0] - exiled,), marked=boxes, unmarked=t.unmarked - boxes
                )
                yield from self._paid(after, card, How.SHEET, price, exiled=exiled > 0, level=level, copies=sheet.come)

    def _allowed(self, sheet: PileChange, boxes: int = 0) -> bool:
        """Return True if the deck may contain the card with only the first `boxes` boxes marked.

        A card without marked boxes is always allowed if the deck already contains a copy.
        """
        if not boxes and sheet.left:
            return True
        profile = rules_of(self.changes, self.pile)
        marks: list[Mark] = []
        for index, spent in sorted(sheet.marks.items()):
            if take := min(boxes, spent):
                marks.append(Mark(index, take))
                boxes -= take
        status = profile.upgraded(sheet.card.code, tuple(marks))
        return status.kind is Kind.PLAYER and status.mask in (0, sheet.status.mask)
