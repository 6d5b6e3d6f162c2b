"""The assignment of cards to limited deckbuilding slots, for reports: which card takes a slot of which option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kb.decks.names import either
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.profile import Profile
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.schema.options import CLASSES, Option

Demand = Mapping[int, int]


def fits(demand: Demand, capacities: Sequence[int]) -> bool:
    """Whether every card finds a slot.

    `demand` counts cards by the set of options that let them in (bit i: option i), `capacities` are the options' slots.
    By Hall's theorem it is enough that no set of options is asked for more than it has.
    """
    if len(capacities) == 1:
        return sum(demand.values()) <= capacities[0]
    for chosen in range(1, 1 << len(capacities)):
        asked = sum(count for mask, count in demand.items() if mask & ~chosen == 0)
        if asked and asked > sum(capacity for bit, capacity in enumerate(capacities) if chosen >> bit & 1):
            return False
    return True


def seat(masks: Sequence[int], capacities: Sequence[int]) -> list[int | None]:
    """The option in which each card sits, None for those that find no slot.

    `masks` says for each card which options let it in. As many cards as possible are seated (augmenting paths), earlier
    cards before later ones.
    """
    seats: list[int | None] = [None] * len(masks)
    taken: list[list[int]] = [[] for _ in capacities]
    for card in range(len(masks)):
        _place(card, masks, capacities, seats, taken, set())
    return seats


def _place(
    card: int,
    masks: Sequence[int],
    capacities: Sequence[int],
    seats: list[int | None],
    taken: list[list[int]],
    tried: set[int],
) -> bool:
    """Seat a card, moving others to other options of theirs where that makes room."""
    for option in range(len(capacities)):
        if not masks[card] >> option & 1 or option in tried:
            continue
        tried.add(option)
        if len(taken[option]) < capacities[option]:
            taken[option].append(card)
            seats[card] = option
            return True
        for other in taken[option]:
            if _place(other, masks, capacities, seats, taken, tried):
                taken[option].remove(other)
                taken[option].append(card)
                seats[card] = option
                return True
    return False


Taken = tuple[tuple[Card, int], ...]


@dataclass(frozen=True, slots=True)
class Slots:
    """One limited option: what it is called, how many slots it has and which cards take them."""

    name: str
    limit: int
    cards: Taken

    @property
    def used(self) -> int:
        """Number of slots that are taken."""
        return sum(copies for _, copies in self.cards)

    @property
    def summary(self) -> str:
        """`uses 3 of 5 slots (level 0): 2 Backstab [01051], 1 Sure Gamble [01056]`."""
        return f"uses {self.used} of {self.limit} {self.name}{': ' if self.cards else ''}{_listed(self.cards)}"


@dataclass(frozen=True, slots=True)
class Assignment:
    """All limited options of a deck, and the cards that find no slot."""

    slots: tuple[Slots, ...]
    left: Taken

    @property
    def left_over(self) -> str:
        """The cards without a slot, for people."""
        return _listed(self.left)

    def details(self) -> list[dict[str, Any]]:
        """The assignment as plain JSON values."""
        return [
            {
                "slots": slots.name,
                "used": slots.used,
                "limit": slots.limit,
                "cards": [{"code": card.code, "name": card.name, "copies": copies} for card, copies in slots.cards],
                "text": slots.summary,
            }
            for slots in self.slots
        ]


def assign(tally: Tally) -> Assignment:
    """Seat every card that needs a limited slot; cards with fewer options are seated first."""
    profile = tally.profile
    rows = [
        (status.card, status.mask, copies - tally.ignored.get(status.code, 0))
        for status, copies in tally.unusual
        if status.mask and status.card is not None
    ]
    capacities = [option.limit for option in profile.limited]
    if len(capacities) == 1 and sum(copies for _, _, copies in rows) <= capacities[0]:
        taken = [[(card, copies) for card, _, copies in rows]]
        left: list[tuple[Card, int]] = []
    else:
        taken, left = _seated(rows, capacities)
    return Assignment(
        tuple(
            Slots(name, limit, tuple(cards))
            for name, limit, cards in zip(_slot_names(profile), capacities, taken, strict=True)
        ),
        tuple(left),
    )


@lru_cache(maxsize=1024)
def _slot_names(profile: Profile) -> tuple[str, ...]:
    """What the slots of each limited option are called."""
    return tuple(_name(option, source) for option, source in zip(profile.limited, profile.sources, strict=True))


def _seated(
    rows: list[tuple[Card, int, int]], capacities: list[int]
) -> tuple[list[list[tuple[Card, int]]], list[tuple[Card, int]]]:
    """The cards of each option and those without a slot."""
    # More copies than there are slots cannot all be seated: the rest need not be tried.
    seats_in_all = sum(capacities)
    copies = [(card, mask) for card, mask, number in rows for _ in range(min(number, seats_in_all))]
    copies.sort(key=lambda copy: copy[1].bit_count())
    seats = seat([mask for _, mask in copies], capacities)
    taken: list[list[Card]] = [[] for _ in capacities]
    left: list[Card] = []
    for (card, _), place in zip(copies, seats, strict=True):
        (left if place is None else taken[place]).append(card)
    without = {card.code: (card, number - seats_in_all) for card, _mask, number in rows if number > seats_in_all}
    first = [(card, count + without.pop(card.code, (card, 0))[1]) for card, count in _together(left)]
    return [_together(held) for held in taken], [*first, *without.values()]


def _together(copies: list[Card]) -> list[tuple[Card, int]]:
    """Copies of the same card counted."""
    counts: dict[str, tuple[Card, int]] = {}
    for card in copies:
        counts[card.code] = (card, counts.get(card.code, (card, 0))[1] + 1)
    return list(counts.values())


def _name(option: Option, source: str) -> str:
    """What the slots of an option are called: `slots for level 0 seeker or survivor cards`."""
    wanted = option.wanted
    words = []
    if wanted.level:
        low, high = wanted.level
        words.append(f"level {low}" if low == high else f"level {low}-{high}")
    if wanted.classes and wanted.classes != frozenset(CLASSES):
        words.append(either(name for name in CLASSES if name in wanted.classes))
    if wanted.traits:
        words.append(either(trait.title() for trait in sorted(wanted.traits)))
    if wanted.tags:
        words.append(either(sorted(wanted.tags)))
    words.append(either(f"{kind}s" for kind in sorted(wanted.types)) or "cards")
    slots = f"slots of {source}" if source else "slots"
    return f"{slots} for {'' if not option.other else 'other '}{' '.join(words)}"


def _listed(cards: Taken) -> str:
    return ", ".join(f"{copies} {card.label}" for card, copies in cards)
