"""Which documents match a query best: BM25F over the postings of its words, without adding up what cannot come first.

Words are taken in the order of how much they can bring. Once the documents found so far are further ahead than the words that are left
can bring anyone, these words are looked up for them alone (MaxScore, Turtle and Flood 1995); the points are exact.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb.search.ranking import NEAR, SYNONYM

Gains = Mapping[int, float]
"""What each document gains by a word that it holds, 0 to 1 before the word's weight."""
# Sums of the same figures in another order differ by less than this.
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """A word of the query: its weight, the documents that hold it, and for each of its synonyms those that hold that."""

    weight: float
    own: Gains
    others: Sequence[Gains]

    def gain(self, number: int) -> float:
        """What a document gains: the best of the word and its synonyms."""
        found = self.own.get(number, 0.0)
        for other in self.others:
            if (value := other.get(number)) is not None and value * SYNONYM > found:
                found = value * SYNONYM
        return found

    def gains(self) -> Gains:
        """What every document gains."""
        if not self.others:
            return self.own
        found = dict(self.own)
        for other in self.others:
            for number, value in other.items():
                if value * SYNONYM > found.get(number, 0.0):
                    found[number] = value * SYNONYM
        return found

    def most(self) -> float:
        """No document gains more than this by the word, its weight counted."""
        bounds = (max(own.values(), default=0.0) * share for own, share in self._shares())
        return self.weight * max(bounds, default=0.0)

    def _shares(self) -> Iterable[tuple[Gains, float]]:
        yield self.own, 1.0
        for other in self.others:
            yield other, SYNONYM


@dataclass(frozen=True, slots=True)
class Lift:
    """By how much the points of documents are raised: `factors` by the number that `places` gives each document."""

    places: Sequence[int]
    factors: Sequence[float]


def best_of(parts: Sequence[Part], lift: Lift, wanted: int) -> list[tuple[int, float]]:
    """The `wanted` best documents with their points, best first, the lower number first among equals."""
    if not parts:
        return []
    most = {id(part): part.most() for part in parts}
    ordered = sorted(parts, key=lambda part: -most[id(part)])
    left = sum(most.values())
    places, factors = lift.places, lift.factors
    highest = max(factors)
    sums: dict[int, float] = {}
    least = taken = 0.0
    known = 0
    for part in ordered:
        if left < taken:  # before, no document can be ahead of what is left: none has more than was taken
            least = nth(sums, places, factors, wanted, least)
            if left * highest < least:
                break
        known += 1
        left -= most[id(part)]
        taken += most[id(part)]
        weight = part.weight
        if sums:
            for number, gain in part.gains().items():
                sums[number] = sums.get(number, 0.0) + gain * weight
        else:
            sums = {number: gain * weight for number, gain in part.gains().items()}
    else:
        least = nth(sums, places, factors, wanted, least)
    left += SLACK
    sums = {number: value for number, value in sums.items() if (value + left) * factors[places[number]] >= least}
    for part in ordered[known:]:  # fewer stay near with every word that is looked up for them
        left -= most[id(part)]
        weight, value_of = part.weight, part.gain if part.others else part.own.get
        for number in sums:
            if value := value_of(number):
                sums[number] += value * weight
        least = nth(sums, places, factors, wanted, least)
        sums = {number: value for number, value in sums.items() if (value + left) * factors[places[number]] >= least}
    return heapq.nlargest(wanted, points(parts, lift, list(sums)), key=lambda pair: (pair[1], -pair[0]))


def nth(sums: Gains, places: Sequence[int], factors: Sequence[float], wanted: int, least: float) -> float:
    """What the last of the `wanted` best has at least; 0 when there are fewer. It was `least` before, and sums only grow."""
    if len(sums) < wanted:
        return 0.0
    ahead = [raised for number, value in sums.items() if (raised := value * factors[places[number]]) >= least]
    return sorted(ahead)[-wanted] - SLACK


def points(parts: Sequence[Part], lift: Lift, numbers: Sequence[int]) -> list[tuple[int, float]]:
    """The points of some documents."""
    sums = [0.0] * len(numbers)
    for part in parts:
        weight, gain = part.weight, part.gain if part.others else part.own.get
        for at, number in enumerate(numbers):
            if value := gain(number):
                sums[at] += value * weight
    places, factors = lift.places, lift.factors
    return [(number, value * factors[places[number]]) for number, value in zip(numbers, sums, strict=True)]


def met(parts: Sequence[Part], number: int) -> float:
    """The weight of the query's words that a document holds (of a synonym four fifths)."""
    found = 0.0
    for part in parts:
        if number in part.own:
            found += part.weight
        elif any(number in other for other in part.others):
            found += NEAR * part.weight
    return found


def total(parts: Sequence[Part]) -> int:
    """How many documents hold a word of the query or a synonym of one."""
    return len(set[int]().union(*(gains for part in parts for gains in (part.own, *part.others))))
