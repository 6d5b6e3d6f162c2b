"""Purchases and their prices, and the possible ways to get the copies of one title: a search over small states.

A card just purchased may be upgraded at once (ruling 1.37), so the search may pass through all versions of the title.
Resources that titles share are counted in `Used`.
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
"""The penalty for breaking a rule: the cheapest order is legal if any order is."""
MINIMUM = 1
_MOST_COPIES = 6
_MYRIAD_COPIES = 2


class How(Enum):
    """A kind of purchase: its word, the explanation of its cost, and the entry that states it."""

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
    """One purchase. price: before discounts; cost: the price minus the discount `off` of the cards `by`.

    level: the card's level when it is purchased. source: the lower version of an upgrade. copies: the number of copies
    added. exiled: whether it is purchased again. place: its place among the first upgrades, which have discounts (-1:
    none). out: label of the card swapped out for it.
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
        """Return True if it leaves the deck one card short of its size: the lower version counted toward it, but the
        card does not.
        """
        return (
            "permanent" in self.card.keywords
            and self.replaces is not None
            and "permanent" not in self.replaces.keywords
        )

    @property
    def replaces(self) -> ArkhamCard | None:
        """Return the lower version, if a copy of it left."""
        return None if self.how is How.BESIDE else self.source

    @property
    def needs(self) -> ArkhamCard | None:
        """Return the card that must be in the old deck."""
        return self.card if self.how is How.BOXES else self.source

    @property
    def upgrades(self) -> bool:
        """Return True if it counts as upgrading a card."""
        return self.source is not None or self.how is How.BOXES

    @property
    def enables(self) -> bool:
        """Return True if the card changes later purchases of the step: deck size, options, swaps, discounts (ruling
        1.37).
        """
        special, buying = self.card.special, self.card.special.buying
        return bool(special.deck_size or special.gains or buying.swaps or buying.second_free or buying.discount)

    @property
    def trouble(self) -> int:
        """Return a number to compare options of equal cost: fewer purchases are better, and upgrades are better than
        new cards.
        """
        return 2 if self.upgrades else 4 if self.how is How.SWAP else 3


@frozen
class Terms:
    """The terms of a step's purchases, from the cards in the deck.

    dearer: extra cost of every new card. swaps: how many level 0 cards may be swapped. on_upgrades: discounts on
    upgrades, one for each copy of a card that gives one, with its name. off_again: the most saved on one card purchased
    again after exile, and on all of them. second_free: subtitles of cards whose second copy is upgraded for free.
    by: names of the cards that give each of these ("dearer", "swaps", "again", "second").
    """

    dearer: int
    swaps: int
    on_upgrades: tuple[tuple[str, Discount], ...]
    off_again: tuple[int, int]
    second_free: Names
    by: dict[str, str]

    def of_new(self, card: ArkhamCard, again: bool = False) -> int:
        """Return the experience for a new copy: its cost and the extra cost of new cards, at least 1 (rulings 1.8)."""
        return new_price(card, 0 if again else self.dearer)

    def kind(self, card: ArkhamCard) -> frozenset[int]:
        """Return the numbers of the discounts that apply to upgrading a card, by its traits."""
        return frozenset(
            number
            for number, (_, discount) in enumerate(self.on_upgrades)
            if not discount.traits or not discount.traits.isdisjoint(card.traits)
        )


def terms_of(changes: DeckChanges) -> Terms:
    """Return the terms of a step. A benefit "after each scenario" needs a scenario played with the card; other benefits
    work at once (1.37).
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
    """Return the experience for a new copy before discounts."""
    return max(MINIMUM, card.cost_of_a_copy + dearer)


def upgrade_price(source: ArkhamCard, card: ArkhamCard) -> int:
    """Return the experience for an upgrade before discounts: the difference, at least 1 (Rules Reference, "Experience")."""
    return max(MINIMUM, card.cost_of_a_copy - source.cost_of_a_copy)


def is_upgrade(source: ArkhamCard, card: ArkhamCard) -> bool:
    """Return True if a card is a higher level version of another: same title, higher level, or exceptional at the same
    level (FAQ).
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
    """Resources that the purchases for several titles share: below 0 if purchases use them, above 0 if they provide
    them.

    `places` has a bit for each place among the first upgrades. `again` is the experience saved on exiled cards, `extra`
    are places in the extra deck, `swaps` the swaps, `leaving` the level 0 copies that can be swapped out, and `room`
    the places in the deck. `lowest` is the minimum of `room` during the purchases.
    """

    places: int = 0
    again: int = 0
    extra: int = 0
    swaps: int = 0
    leaving: int = 0
    room: int = 0
    lowest: int = 0

    def filled(self, places: int) -> Used:
        """Return a copy with `places` more places of the deck filled (below 0: freed)."""
        room = self.room - places
        return self._replace(room=room, lowest=min(self.lowest, room))


class OpenPlace(NamedTuple):
    """One of the first upgrades of a step: the discounts not used up by then, the discounts that apply to it, the
    amount saved, and the cards that save it.
    """

    active: frozenset[int]
    holds: frozenset[int]
    off: int
    by: str


@frozen
class Market:
    """The resources of a step for all titles: its terms, the first upgrades, free places in the deck, places that
    permanents may make, places in the extra deck, and the most that a place or a swap saves.
    """

    terms: Terms
    first: tuple[OpenPlace, ...]
    holes: int
    made: int
    extra: int
    worth: int


class PurchaseOption(NamedTuple):
    """One option for a title: its cost, its trouble, its purchases in order."""

    cost: int
    trouble: int
    bills: tuple[Bill, ...]


Counts = tuple[int, ...]


class _Table(NamedTuple):
    """A state: copies held, exiled copies left, copies that come with a purchase, copies that may stay uncounted,
    boxes marked and still to mark, and whether an upgrade eligible for a discount was paid in full.
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
    """Return the profile of the new deck, or of its extra deck, by the section of the purchases."""
    return changes.now if pile == DECK else changes.now.extra or changes.now


def versions_of(changes: DeckChanges, rows: Sequence[PileChange]) -> list[PileChange]:
    """Return the versions in either deck, and versions that may be purchased and upgraded on the way, in the order of
    their levels.
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
    """One title in one section; a customizable card with marked boxes is a separate title, `sheet`."""

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
        """Return every useful option, the cheapest first: uniform-cost search."""
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
        """Return the number of copies that may be added beyond those needed, only to have a level 0 card to swap out.

        A copy that comes with marked boxes may also replace a blank one that was swapped out.
        """
        version = self.versions[place]
        if t.gifts[place] and (self.sheet or (version.stock and version.swappable)):
            return self.terms.swaps
        cheap = version.swappable and (self.terms.off_again[0] or self.terms.dearer)
        return min(self.terms.swaps, version.exiled) if cheap else 0

    def _wanted(self, t: _Table, place: int, spare: int = 0) -> bool:
        """Return True if a copy of the version is needed, either as it is or to reach a higher version."""
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
        """Return a purchase that costs `less` below its price."""
        return (Bill(self.pile, card, how, price, price - less, **{"level": card.level or 0, **more}),)

    def _purchases(self, t: _Table, place: int, version: PileChange) -> Iterator[_Move]:
        """Yield the ways to add a copy of a version: paid, reduced after exile, filling the deck, swapped in, or with
        a copy that was bought.
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
            price = max(MINIMUM, t.marked + card.surcharge + (0 if again else self.terms.dearer))
            yield from self._paid(come, card, How.MARKED, price, exiled=again)
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
        """Return the state with the free copies of a myriad card added: further copies of any card with its title and
        level.
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
        """Yield a purchase at its price, and at lower prices if it is one of the first cards purchased again after exile."""
        off, most = self.terms.off_again
        for less in range(min(off, most + after.used.again, price) + 1 if exiled else 1):
            used = after.used._replace(again=after.used.again - less)
            by = self.terms.by["again"] if less else ""
            yield (
                self._purchase(card, how, price, less, exiled=exiled, off=less, by=by, **more),
                after._replace(used=used),
            )

    def _upgrades(self, t: _Table, place: int, version: PileChange) -> Iterator[_Move]:
        """Yield upgrades of a lower version to this one; some cards also upgrade a second copy for free."""
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
        """Yield an upgrade at each free place that it may take among the first upgrades, and also at full price."""
        places = after.used.places
        for number, first in enumerate(self.market.first):
            if kind and not after.late and number >= places.bit_length() and kind & first.active == first.holds:
                off = min(price, first.off)
                bill = self._purchase(card, how, price, off, off=off, by=first.by, place=number, **more)
                yield bill, after._replace(used=after.used._replace(places=places | 1 << number))
        yield self._purchase(card, how, price, **more), after._replace(late=after.late or bool(kind))

    def _boxes(self, t: _Table, sheet: PileChange) -> Iterator[_Move]:
        """Yield ways to mark boxes on the sheet of a card in the deck, which is one upgrade, or with new copies that
        are purchased.

        If there is one copy, as many further copies as boxes may come with them for free (Rules Reference,
        "Customizable"; FAQ).
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
                price = max(MINIMUM, boxes + card.surcharge + (0 if exiled else self.terms.dearer))
                level = (min(boxes, sum(box.level_boxes for box in card.sheet)) + 1) // 2
                after = t._replace(
                    held=(sheet.come,), exiled=(t.exiled[0] - exiled,), marked=boxes, unmarked=t.unmarked - boxes
                )
                yield from self._paid(after, card, How.SHEET, price, exiled=exiled > 0, level=level, copies=sheet.come)

    def _allowed(self, sheet: PileChange, boxes: int = 0) -> bool:
        """Return True if the deck may contain the card with only the first `boxes` boxes marked. A blank card is
        allowed if one is in the deck.
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
