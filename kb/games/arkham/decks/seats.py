"""Seats cards in limited deckbuilding slots so that as many as possible find one: a flow, not first come first served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
