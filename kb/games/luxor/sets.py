"""The best number of complete treasure sets, and which tiles make them up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TREASURES = ("vase", "jewelry", "statue")
MOST_WILD_CARDS_IN_A_SET = 2


@dataclass(frozen=True, slots=True)
class Treasures:
    """The treasure tiles and wild card tiles of a player."""

    vases: int = 0
    jewelry: int = 0
    statues: int = 0
    wild_cards: int = 0

    @property
    def of_each_type(self) -> tuple[int, int, int]:
        """Vases, jewelry, statues."""
        return self.vases, self.jewelry, self.statues


@dataclass(frozen=True, slots=True)
class TreasureSet:
    """One complete set: the types that are there as treasures, in order; wild cards stand for the others."""

    treasures: tuple[str, ...]

    @property
    def wild_cards(self) -> int:
        """Wild cards in the set."""
        return len(TREASURES) - len(self.treasures)


def can_make(tiles: Treasures, sets: int) -> bool:
    """Whether the tiles make that many complete sets.

    A treasure is worth more than a wild card, which can stand in for it, so each set that can have its own vase has it,
    and so on; at most one of each type goes into a set. What is missing must be there in wild cards. A set of three
    wild cards is not allowed, so every set needs a treasure: there must be at least as many as sets.
    """
    used = sum(min(sets, number) for number in tiles.of_each_type)
    return (
        used >= sets * (len(TREASURES) - MOST_WILD_CARDS_IN_A_SET) and len(TREASURES) * sets - used <= tiles.wild_cards
    )


def most_sets(tiles: Treasures) -> int:
    """The largest number of complete sets. With one set fewer everything still fits, so the first that fails is the limit."""
    sets = 0
    while can_make(tiles, sets + 1):
        sets += 1
    return sets


def best_sets(tiles: Treasures) -> tuple[TreasureSet, ...]:
    """As many complete sets as the tiles make, those with the fewest wild cards first."""
    sets = most_sets(tiles)
    held: list[list[str]] = [[] for _ in range(sets)]
    for treasure, place in _dealt(tiles, sets):
        held[place].append(treasure)
    return tuple(sorted((TreasureSet(tuple(inside)) for inside in held), key=lambda each: each.wild_cards))


def _dealt(tiles: Treasures, sets: int) -> Iterator[tuple[str, int]]:
    """Each treasure with the set it goes to: dealt around, so that no set is passed over and none gets a type twice."""
    place = 0
    for treasure, number in zip(TREASURES, tiles.of_each_type, strict=True):
        for _ in range(min(number, sets)):
            yield treasure, place % sets
            place += 1
