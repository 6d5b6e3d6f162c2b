"""Which documents match a query best: BM25F over the postings of its words."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kb.retrieval.ranking import NEAR, SYNONYM

Gains = Mapping[int, float]
"""What each document gains by a word that it holds, 0 to 1 before the word's weight."""


@dataclass(frozen=True)
class Part:
    """A word of the query: its weight, the documents that hold it, and for each of its synonyms those that hold that."""

    weight: float
    own: Gains
    others: Sequence[Gains] = ()

    @cached_property
    def gains(self) -> Gains:
        """What each document gains: the best of the word and its synonyms."""
        if not self.others:
            return self.own
        found = dict(self.own)
        for other in self.others:
            for number, value in other.items():
                if value * SYNONYM > found.get(number, 0.0):
                    found[number] = value * SYNONYM
        return found


def best_of(parts: Sequence[Part], wanted: int) -> list[tuple[int, float]]:
    """The `wanted` best documents with their points, best first, the lower number first among equals."""
    sums: dict[int, float] = {}
    before = sums.get
    for part in parts:
        weight = part.weight
        for number, gain in part.gains.items():
            sums[number] = before(number, 0.0) + gain * weight
    return heapq.nlargest(wanted, sums.items(), key=lambda pair: (pair[1], -pair[0]))


def points(parts: Sequence[Part], numbers: Sequence[int]) -> list[tuple[int, float]]:
    """The points of some documents."""
    return [(number, sum(part.gains.get(number, 0.0) * part.weight for part in parts)) for number in numbers]


def met(parts: Sequence[Part], number: int) -> float:
    """The weight of the query's words that a document holds (of a synonym four fifths)."""
    return sum(part.weight * (1 if number in part.own else NEAR) for part in parts if number in part.gains)


def total(parts: Sequence[Part]) -> int:
    """How many documents hold a word of the query or a synonym of one."""
    return len(set[int]().union(*(part.gains for part in parts)))
