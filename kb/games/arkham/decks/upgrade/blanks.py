"""Level 0 cards that come into the deck: when they cost nothing, because they fill it or are swapped in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.upgrade.changes import DECK, Changes
from kb.games.arkham.decks.upgrade.purchases import MINIMUM, Free, How, Purchase, refill_price
from kb.games.arkham.decks.upgrade.ways import Chain, Way

NEVER = 1_000_000
"""What it costs to do what cannot be done."""


class Blank(NamedTuple):
    """A new level 0 card: what it costs, when it fills the deck, when it is swapped in (NEVER: it cannot be).

    chained: a permanent is made of it, so that the place it fills is free again.
    """

    pay: int
    fill: int
    swap: int
    pile: str
    chained: bool


PLAIN = Blank(1, 0, 0, DECK, False)
Blanks = tuple[tuple[Blank, int], ...]


@dataclass(frozen=True, slots=True)
class Room:
    """What there is for level 0 cards: free places by pile, swaps, and whether a kept card can be swapped out and
    purchased again (a detour that helps where a taboo list makes a level 0 card dear)."""

    deck: int
    extra: int
    swaps: int
    carriers: bool


def has_carrier(changes: Changes) -> bool:
    """Whether the deck keeps a level 0 card that can be swapped out and purchased again for 1 experience."""
    return any(
        change.pile == DECK and change.kept > 0 and change.purchasable and carrier(change.card, change.status.kind)
        for change in changes.cards
    )


def carrier(card: Card | None, kind: Kind) -> bool:
    """Whether a card is a plain one of level 0, which costs 1 experience and nothing when it fills the deck."""
    return (
        card is not None
        and kind is Kind.PLAYER
        and card.level == 0
        and not (card.permanent or card.sheet or card.surcharge or card.special.at_creation)
    )


def _may_be_free(purchase: Purchase) -> bool:
    """Whether the purchase is one that may fill the deck or be swapped in: a new card of level 0 that counts."""
    return (
        purchase.how in (How.NEW, How.AGAIN)
        and purchase.level == 0
        and purchase.counts
        and purchase.price >= MINIMUM
        and purchase.copies == 1
    )


def blank_of(chain: Chain, link: int, way: Way, room: Room, makes_room: bool) -> Blank | None:
    """The purchase as a level 0 card that may cost nothing; None when it is none, or nothing could make it free."""
    purchase = chain.purchases[link]
    if link or not _may_be_free(purchase):
        return None
    if way.swapped:
        return Blank(NEVER, NEVER, 0, purchase.pile, False)
    with_others = any(
        Free.MYRIAD in other.free and _same(other.purchases[0].card, chain.purchases[-1].card) for other in way.chains
    )
    swap = 0 if purchase.pile == DECK and room.swaps and not with_others else NEVER
    chained = makes_room and not room.deck
    found = Blank(purchase.price, refill_price(purchase.card), swap, purchase.pile, chained)
    return PLAIN if found == PLAIN else found


def _same(one: Card, other: Card) -> bool:
    return (one.title, one.level) == (other.title, other.level)


def added(one: Blanks, other: Blanks, most: int) -> tuple[Blanks, int]:
    """Both together; plain ones beyond those that could cost nothing are paid at once."""
    if not other and not one:
        return (), 0
    counts = Counter(dict(one))
    for kind, number in other:
        counts[kind] += number
    paid = max(0, counts[PLAIN] - most)
    if paid:
        counts[PLAIN] -= paid
    return tuple(sorted((kind, number) for kind, number in counts.items() if number)), paid


@lru_cache(maxsize=4096)
def cost_of_blanks(blanks: Blanks, room: Room, spare: int, leaving: int) -> tuple[int, tuple[tuple[Blank, str], ...]]:
    """What level 0 cards cost when places and swaps are used as well as can be, and how each is had.

    "fill": it fills the deck; "swap": swapped in for a level 0 card that leaves; "carry": swapped in for a level 0 card
    that stays and is purchased again ("carry fill": for nothing, to fill the deck); "pay": it is purchased.
    Sources: rulings 1.8, 1.18, 1.37; "Myriad"; "The list of taboos".
    """
    odd = [(kind, number) for kind, number in blanks if kind != PLAIN]
    plain = dict(blanks).get(PLAIN, 0)
    best: tuple[int, tuple[tuple[Blank, str], ...]] = (NEVER * 1000, ())
    for uses in product(*(list(_uses(kind, number, room, spare)) for kind, number in odd)):
        fills = sum(use["fill"] for (kind, _), use in zip(odd, uses, strict=True) if kind.pile == DECK)
        extra = sum(use["fill"] for (kind, _), use in zip(odd, uses, strict=True) if kind.pile != DECK)
        chained = sum(use["fill"] for (kind, _), use in zip(odd, uses, strict=True) if kind.chained)
        swaps, carried = sum(use["swap"] for use in uses), sum(use["carry"] for use in uses)
        places = room.deck + spare - fills
        left = room.swaps - swaps - carried
        if places < 0 or extra > room.extra or left < 0 or swaps > leaving or chained > max(0, spare - 1):
            continue
        cost = sum(_cost(kind, use) for (kind, _), use in zip(odd, uses, strict=True))
        swapped = min(plain, left, leaving - swaps)
        filled = min(places, plain - swapped + carried)
        cost += plain - swapped + carried - filled
        if cost < best[0]:
            free = min(filled, carried)
            had = [
                (kind, how)
                for (kind, _), use in zip(odd, uses, strict=True)
                for how, number in use.items()
                if how != "carry"
                for _ in range(number)
            ]
            carries = [kind for (kind, _), use in zip(odd, uses, strict=True) for _ in range(use["carry"])]
            had += [(kind, "carry fill" if place < free else "carry") for place, kind in enumerate(carries)]
            had += [(PLAIN, "fill")] * (filled - free) + [(PLAIN, "swap")] * swapped
            had += [(PLAIN, "pay")] * (plain - swapped - filled + free)
            best = (cost, tuple(had))
    return best


def _cost(kind: Blank, use: Counter[str]) -> int:
    return use["pay"] * kind.pay + use["fill"] * kind.fill + (use["swap"] + use["carry"]) * kind.swap


def _uses(kind: Blank, number: int, room: Room, spare: int) -> Iterator[Counter[str]]:
    """How many of the cards of a kind are had in which way."""
    places = room.deck + spare if kind.pile == DECK else room.extra
    for filled in range(min(number, places) + 1 if kind.fill < NEVER else 1):
        most = min(number - filled, room.swaps) if kind.swap < NEVER else 0
        for swapped in range(most + 1):
            for carried in range(most - swapped + 1 if room.carriers and kind.pay > 1 else 1):
                paid = number - filled - swapped - carried
                yield Counter(pay=paid, fill=filled, swap=swapped, carry=carried)
