"""The cheapest legal order of purchases, exactly: one way for each title, combined by dynamic programming.

What ties titles to each other is little: which upgrades come first (discounts hold for the first ones), how many level 0
cards fill the deck or are swapped in, which exiled cards are purchased again more cheaply. A state counts just that; of
two states that count the same only the cheaper is kept. tests/games/arkham/decks/upgrade/brute_force.py plays small steps
out card by card and finds nothing cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kb.games.arkham.decks.upgrade.blanks import (
    NEVER,
    PLAIN,
    Blank,
    Blanks,
    Room,
    added,
    blank_of,
    cost_of_blanks,
    has_carrier,
)
from kb.games.arkham.decks.upgrade.changes import DECK, EXTRA, Changes
from kb.games.arkham.decks.upgrade.purchases import Free, Purchase, Terms
from kb.games.arkham.decks.upgrade.ways import Chain, Way
from kb.games.arkham.schema.special import Discount

MOST_PLACES = 6


@dataclass(frozen=True, slots=True)
class Place:
    """One of the first upgrades of a step. holds: the discounts (bit by bit) that still hold there and must hold for the
    upgrade; active: those of which something is left; off: what it costs less."""

    holds: int
    active: int
    off: int

    def takes(self, discounts: int) -> bool:
        """Whether an upgrade for which these discounts hold can stand here."""
        return discounts & self.active == self.holds


def discounts_for(purchase: Purchase, discounts: Sequence[Discount]) -> int:
    """The discounts (bit by bit) that hold for an upgrade: by the traits of the card that is upgraded."""
    upgraded = purchase.source or purchase.card
    return sum(
        1 << number
        for number, discount in enumerate(discounts)
        if not discount.traits or not discount.traits.isdisjoint(upgraded.traits)
    )


def orders(discounts: Sequence[Discount], kinds: frozenset[int]) -> list[tuple[Place, ...]]:
    """All orders in which upgrades of these kinds (the discounts that hold for them) use up the discounts.

    Each discount holds for the first upgrades of its kind, whether it saves anything there or not.
    """
    found = list(_orders(discounts, kinds - {0}, tuple(discount.cards for discount in discounts), MOST_PLACES))
    return list(dict.fromkeys(found)) or [()]


def _orders(
    discounts: Sequence[Discount], kinds: frozenset[int], left: tuple[int, ...], places: int
) -> Iterator[tuple[Place, ...]]:
    active = sum(1 << number for number, cards in enumerate(left) if cards > 0)
    holding = {kind & active for kind in kinds} - {0}
    if not holding or not places:
        yield ()
        return
    for holds in sorted(holding):
        off = sum(discount.less for number, discount in enumerate(discounts) if holds >> number & 1)
        after = tuple(cards - (holds >> number & 1) for number, cards in enumerate(left))
        for rest in _orders(discounts, kinds, after, places - 1):
            yield (Place(holds, active, off), *rest)


BROKEN = 10_000
"""What breaking a rule counts for: the cheapest order is legal where any is."""
_CHAINS = 1_000


@dataclass(frozen=True, slots=True)
class Spot:
    """What becomes of one purchase of a way: the place of its discount (-1: none) among upgrades or among exiled cards."""

    purchase: Purchase
    free: Free
    upgrade: int = -1
    again: int = -1
    blank: Blank | None = None
    cost: int = 0
    chain: int = 0


@dataclass(frozen=True, slots=True)
class Option:
    """A way with its places settled. taken: the places (bit by bit) among the first upgrades, then among exiled cards."""

    cost: int
    taken: int
    blanks: Blanks
    room: int
    leaving: int
    spots: tuple[Spot, ...]


class State(NamedTuple):
    """What the titles so far have taken: places of discounts, level 0 cards, room they made, level 0 cards that leave."""

    taken: int
    blanks: Blanks
    room: int
    leaving: int


@dataclass(frozen=True, slots=True)
class _Path:
    """The options chosen so far, the last one first."""

    before: _Path | None
    option: Option


Row = tuple[int, int, _Path | None]
"""The cheapest way to a state: its cost, the number of purchases, the options."""


@dataclass(frozen=True, slots=True)
class Best:
    """The cheapest order. cost: with what broken rules count; spots: every purchase; uses: how each blank is had."""

    cost: int
    spots: tuple[Spot, ...]
    uses: tuple[tuple[Blank, str], ...]


def search(changes: Changes, terms: Terms, choices: Sequence[Sequence[Way]]) -> Best:
    """The cheapest combination of one way for each title."""
    room = Room(
        changes.holes.get(DECK, 0), changes.holes.get(EXTRA, 0), terms.swaps, terms.swaps > 0 and has_carrier(changes)
    )
    discounts, again = terms.on_upgrades, _again(terms)
    kinds = frozenset(
        discounts_for(purchase, discounts)
        for title in choices
        for way in title
        for chain in way.chains
        for purchase in chain.purchases
        if purchase.upgrades
    )
    best: Best | None = None
    for places in orders(discounts, kinds):
        settled = [_options(title, terms, places, again, room) for title in choices]
        other = _combine(settled, places, again, room)
        if best is None or (other.cost, len(other.spots)) < (best.cost, len(best.spots)):
            best = other
    assert best is not None
    return best


def _again(terms: Terms) -> tuple[int, ...]:
    """What each of the first cards purchased again after exile costs less."""
    discounts = terms.on_exiled
    most = max((discount.cards for discount in discounts), default=0)
    return tuple(sum(discount.less for discount in discounts if discount.cards > number) for number in range(most))


# one title


def _options(
    title: Sequence[Way], terms: Terms, places: tuple[Place, ...], again: tuple[int, ...], room: Room
) -> list[Option]:
    """The ways of a title with the places that their upgrades may take, without those that are never better."""
    found: dict[State, Option] = {}
    for way in title:
        for option in _settled(way, terms, places, again, room):
            key = State(option.taken, option.blanks, option.room, option.leaving)
            known = found.get(key)
            if known is None or (option.cost, len(option.spots)) < (known.cost, len(known.spots)):
                found[key] = option
    options = sorted(found.values(), key=lambda option: (option.cost, len(option.spots)))
    kept: list[Option] = []
    for option in options:
        if not any(_dominates(other, option) for other in kept):
            kept.append(option)
    return kept


def _dominates(one: Option, other: Option) -> bool:
    """Whether the first is at least as good whatever the other titles do. Only for blanks that are plain is this sure."""
    if one.taken & ~other.taken or one.room < other.room:
        return False
    have, want = dict(one.blanks), dict(other.blanks)
    if any(kind is not PLAIN and kind != PLAIN for kind in (*have, *want)):
        return one.blanks == other.blanks and one.leaving >= other.leaving and one.cost <= other.cost
    more = max(0, have.get(PLAIN, 0) - want.get(PLAIN, 0))
    fewer = max(0, want.get(PLAIN, 0) - have.get(PLAIN, 0))
    return one.cost + more <= other.cost and one.leaving + fewer >= other.leaving


def _settled(way: Way, terms: Terms, places: tuple[Place, ...], again: tuple[int, ...], room: Room) -> Iterator[Option]:
    """All options of one way, chain after chain; of chains placed alike the cheapest."""
    known: dict[tuple[int, Blanks], tuple[int, tuple[Spot, ...]]] = {(0, ()): (BROKEN * way.broken, ())}
    for number, chain in enumerate(way.chains):
        found: dict[tuple[int, Blanks], tuple[int, tuple[Spot, ...]]] = {}
        for bits, spots in list(_spots(chain, number, way, terms, places, again, room)):
            cost = sum(spot.cost for spot in spots if not spot.blank)
            own = tuple((spot.blank, 1) for spot in spots if spot.blank)
            for (taken, blanks), (paid, before) in known.items():
                if taken & bits:
                    continue
                key = (taken | bits, added(blanks, own, NEVER)[0])
                if key not in found or paid + cost < found[key][0]:
                    found[key] = (paid + cost, (*before, *spots))
        known = found
    for (taken, blanks), (cost, placed) in known.items():
        spare = sum(spot.purchase.makes_room and spot.purchase.pile == DECK for spot in placed)
        yield Option(cost, taken, blanks, spare, min(way.leaving, room.swaps), placed)


def _spots(
    chain: Chain, number: int, way: Way, terms: Terms, places: tuple[Place, ...], again: tuple[int, ...], room: Room
) -> Iterator[tuple[int, list[Spot]]]:
    """The ways to place the purchases of a chain: an upgrade has its place after those before it in the chain."""
    makes_room = any(purchase.makes_room for purchase in chain.purchases)

    def placed(link: int, first: int, free_before: bool) -> Iterator[tuple[int, list[Spot]]]:
        if link == len(chain.purchases):
            yield 0, []
            return
        purchase, free = chain.purchases[link], chain.free[link]
        if free is not Free.NO:
            for bits, rest in placed(link + 1, first, free_before):
                yield bits, [Spot(purchase, free, chain=number), *rest]
            return
        kind = discounts_for(purchase, terms.on_upgrades) if purchase.upgrades else 0
        if kind and not free_before:
            for place in range(first, len(places)):
                if places[place].takes(kind):
                    off = min(places[place].off, purchase.price)
                    for bits, rest in placed(link + 1, place + 1, False):
                        spot = Spot(purchase, free, upgrade=place, cost=purchase.price - off, chain=number)
                        yield bits | 1 << place, [spot, *rest]
        later = free_before or bool(kind)
        blank_ = blank_of(chain, link, way, room, makes_room)
        for bits, rest in placed(link + 1, first, later):
            cost = purchase.price if blank_ is None else blank_.pay
            yield bits, [Spot(purchase, free, blank=blank_, cost=cost, chain=number), *rest]
            if purchase.exiled and not way.swapped:
                for place, off in enumerate(again):
                    spot = Spot(purchase, free, again=place, cost=max(0, purchase.price - off), chain=number)
                    yield bits | 1 << len(places) + place, [spot, *rest]

    yield from placed(0, 0, False)


# all titles


def _combine(titles: Sequence[Sequence[Option]], places: tuple[Place, ...], again: tuple[int, ...], room: Room) -> Best:
    """Title after title, the cheapest way to each state; then what the level 0 cards cost."""
    spare = sum(max((option.room for option in options), default=0) for options in titles)
    most = room.deck + room.swaps + spare
    gain = sum(place.off for place in places) + sum(again)
    known: dict[State, Row] = {State(0, (), 0, 0): (0, 0, None)}
    for options in titles:
        found: dict[State, Row] = {}
        for state, (cost, number, path) in known.items():
            for option in options:
                if state.taken & option.taken:
                    continue
                blanks, paid = added(state.blanks, option.blanks, most)
                leaving = min(room.swaps, state.leaving + option.leaving)
                key = State(state.taken | option.taken, blanks, state.room + option.room, leaving)
                total, size = cost + option.cost + paid, number + len(option.spots)
                other = found.get(key)
                if other is None or (total, size) < other[:2]:
                    found[key] = (total, size, _Path(path, option))
        known = _pruned(found, gain, room, spare)
    return min(
        (_best(state, cost, path, room) for state, (cost, _, path) in known.items()),
        key=lambda best: (best.cost, len(best.spots)),
    )


def _best(state: State, cost: int, path: _Path | None, room: Room) -> Best:
    """The order that a path makes, with what its level 0 cards cost."""
    options: list[Option] = []
    while path is not None:
        options.append(path.option)
        path = path.before
    spots = tuple(
        replace(spot, chain=group * _CHAINS + spot.chain)
        for group, option in enumerate(reversed(options))
        for spot in option.spots
    )
    blanks, uses = cost_of_blanks(state.blanks, room, state.room, state.leaving)
    return Best(cost + blanks, spots, uses)


def _pruned(found: dict[State, Row], gain: int, room: Room, spare: int) -> dict[State, Row]:
    """Without the states that nothing to come could make the best."""
    if len(found) < 64:
        return found

    def paid(state: State) -> int:
        return sum(min(kind.pay, 10 * BROKEN) * number for kind, number in state.blanks)

    dearest = max((kind.pay for state in found for kind, _ in state.blanks if kind.pay < NEVER), default=1)
    gain += (room.deck + room.extra + spare + room.swaps) * dearest
    least = min(cost + paid(state) for state, (cost, _, _) in found.items())
    return {state: row for state, row in found.items() if row[0] <= least + gain}
