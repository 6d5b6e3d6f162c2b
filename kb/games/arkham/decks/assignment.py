"""The assignment of cards to limited deckbuilding slots: whether all find one, and which card takes a slot of which option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kb.decks.names import either
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.schema.options import CLASSES, Option

Taken = list[tuple[Card, int]]


def fits(demand: Mapping[int, int], capacities: Sequence[int]) -> bool:
    """Whether every card finds a slot.

    `demand` counts cards by the set of options that let them in (bit i: option i), `capacities` are the options' slots.
    By Hall's theorem it is enough that no set of options is asked for more than it has.
    """
    for chosen in range(1, 1 << len(capacities)):
        asked = sum(count for mask, count in demand.items() if mask & ~chosen == 0)
        if asked > sum(capacity for bit, capacity in enumerate(capacities) if chosen >> bit & 1):
            return False
    return True


def seat(masks: Sequence[int], capacities: Sequence[int]) -> list[int | None]:
    """The option in which each card sits, None for those that find no slot.

    `masks` says for each card which options let it in. As many cards as possible are seated (augmenting paths), earlier
    cards before later ones.
    """
    seats: list[int | None] = [None] * len(masks)

    def place(card: int, tried: set[int]) -> bool:
        """Seat a card, moving others to other options of theirs where that makes room."""
        for option, capacity in enumerate(capacities):
            if not masks[card] >> option & 1 or option in tried:
                continue
            tried.add(option)
            seated = [other for other, at in enumerate(seats) if at == option]
            if len(seated) < capacity or any(place(other, tried) for other in seated):
                seats[card] = option
                return True
        return False

    for card in range(len(masks)):
        place(card, set())
    return seats


def assign(tally: Tally) -> tuple[list[dict[str, Any]], Taken]:
    """The limited options as plain JSON values, with the cards in their slots, and the cards that find none.

    Cards with fewer options are seated first.
    """
    profile = tally.profile
    capacities = [option.limit for option in profile.limited]
    rows = sorted(
        (
            (status.mask, status.card, copies - tally.ignored.get(status.code, 0))
            for status, copies in tally.rows
            if status.mask and status.card is not None
        ),
        key=lambda row: row[0].bit_count(),
    )
    # More copies than there are slots cannot all be seated: the rest need not be tried.
    tried = [(mask, card) for mask, card, copies in rows for _ in range(min(copies, sum(capacities)))]
    seats = seat([mask for mask, _ in tried], capacities)
    cards = {card.code: card for _, card, _ in rows}
    taken = [
        Counter(card.code for (_, card), at in zip(tried, seats, strict=True) if at == n)
        for n in range(len(capacities))
    ]
    left = Counter(card.code for (_, card), at in zip(tried, seats, strict=True) if at is None)
    for _, card, copies in rows:
        left[card.code] += max(0, copies - sum(capacities))
    slots = []
    for option, source, codes in zip(profile.limited, profile.sources, taken, strict=True):
        name, held = _name(option, source), [(cards[code], copies) for code, copies in codes.items()]
        listed = ", ".join(f"{copies} {card.label}" for card, copies in held)
        slots.append(
            {
                "slots": name,
                "used": codes.total(),
                "limit": option.limit,
                "cards": [{"code": card.code, "name": card.name, "copies": copies} for card, copies in held],
                "text": f"uses {codes.total()} of {option.limit} {name}{': ' if held else ''}{listed}",
            }
        )
    return slots, [(cards[code], copies) for code, copies in left.items() if copies]


def _name(wanted: Option, source: str) -> str:
    """What the slots of an option are called: `slots for level 0 seeker or survivor cards`."""
    words = ["other"] if wanted.other else []
    if wanted.level:
        low, high = wanted.level
        words.append(f"level {low}" if low == high else f"level {low}-{high}")
    for names in (
        (name for name in CLASSES if name in wanted.classes) if wanted.classes != frozenset(CLASSES) else (),
        (trait.title() for trait in sorted(wanted.traits)),
        sorted(wanted.tags),
    ):
        words += filter(None, [either(names)])
    words.append(either(f"{kind}s" for kind in sorted(wanted.types)) or "cards")
    return f"slots{f' of {source}' if source else ''} for {' '.join(words)}"
