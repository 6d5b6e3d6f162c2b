"""Which documents match a query best: BM25F over the postings of its words, without adding up what cannot come first.

Words are taken in the order of how much they can bring. Once the best of the documents found so far have more than the words that are left
can bring anyone, these words are looked up for those documents alone (MaxScore, Turtle and Flood 1995); the points are exact.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kb.search.ranking import NEAR, SYNONYM

Gains = Mapping[int, float]
"""What each document gains by a word that it holds, 0 to 1 before the word's weight."""
# Sums of the same figures in another order differ by less than this.
SLACK = 1e-9
# From so many postings on that may still have to be added up it is worth while to look at the documents that are ahead.
MANY = 4_000


@dataclass(frozen=True, slots=True)
class Part:
    """A word of the query: its weight, the documents that hold it, for each of its synonyms those that hold that, and what a document
    gains by the word at the `most`, its weight counted."""

    weight: float
    own: Gains
    others: Sequence[Gains]
    most: float

    def size(self) -> int:
        """How many postings there are of the word and its synonyms."""
        return len(self.own) + sum(map(len, self.others))

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

    def gains_of(self, numbers: Mapping[int, Any]) -> Gains:
        """What those of some documents gain that hold it."""
        own = self.own
        found = {number: own[number] for number in numbers.keys() & own.keys()}
        for other in self.others:
            for number in numbers.keys() & other.keys():
                if (value := other[number] * SYNONYM) > found.get(number, 0.0):
                    found[number] = value
        return found


@dataclass(frozen=True, slots=True)
class Lift:
    """By how much the points of documents are raised: `factors` by the number that `places` gives each document."""

    places: Sequence[int]
    factors: Sequence[float]


def best_of(parts: Sequence[Part], lift: Lift, wanted: int, known: Sequence[int] = ()) -> list[tuple[int, float]]:
    """The `wanted` best documents with their points, best first, the lower number first among equals.

    The better the documents are that are `known` beforehand, the fewer others are looked at.
    """
    if not parts:
        return []
    ordered = sorted(parts, key=lambda part: -part.most)
    left = sum(part.most for part in parts)
    highest = max(lift.factors)
    sums: dict[int, float] = {}
    size = sum(map(Part.size, parts))
    least = last_of(parts, lift, known, wanted) if size >= MANY else 0.0
    taken = 0.0
    added = looked = 0
    for part in ordered:
        if left < taken and left * highest >= least:
            if size < MANY:
                least = nth(sums, lift, wanted, least)
            else:  # what those that are ahead have in the end tells better what others must have
                least = max(least, last_of(parts, lift, foremost(sums, lift, wanted, ordered[0].most), wanted))
            looked = added
        if left * highest < least:
            break
        added += 1
        left -= part.most
        taken += part.most
        size -= part.size()
        weight = part.weight
        if sums:
            for number, gain in part.gains().items():
                sums[number] = sums.get(number, 0.0) + gain * weight
        else:
            sums = {number: gain * weight for number, gain in part.gains().items()}
    if looked < added:
        least = nth(sums, lift, wanted, least)
    sums = near(sums, lift, left + SLACK, least)
    for part in ordered[added:]:  # fewer stay near with every word that is looked up for them
        left -= part.most
        weight = part.weight
        for number, gain in part.gains_of(sums).items():
            sums[number] += gain * weight
        least = nth(sums, lift, wanted, least)
        sums = near(sums, lift, left + SLACK, least)
    return heapq.nlargest(wanted, points(parts, lift, list(sums)), key=lambda pair: (pair[1], -pair[0]))


def near(sums: Gains, lift: Lift, left: float, least: float) -> dict[int, float]:
    """The documents that have `least` if they gain all that is left."""
    places, factors = lift.places, lift.factors
    bar = least / max(factors) - left - SLACK  # most do not have this
    return {
        number: value
        for number, value in sums.items()
        if value >= bar and (value + left) * factors[places[number]] >= least
    }


def nth(sums: Gains, lift: Lift, wanted: int, least: float) -> float:
    """What the last of the `wanted` best has at least by what was added up; `least` when that is less, as it is when there are fewer."""
    places, factors = lift.places, lift.factors
    ahead = [raised for number, value in sums.items() if (raised := value * factors[places[number]]) >= least]
    return max(least, sorted(ahead)[-wanted] - SLACK) if len(ahead) >= wanted else least


def foremost(sums: Gains, lift: Lift, wanted: int, enough: float) -> Sequence[int]:
    """`wanted` documents that are ahead so far, of those that have more than `enough` when they suffice; none when there are fewer."""
    if len(sums) < wanted:
        return ()
    places, factors = lift.places, lift.factors
    ahead = [number for number, value in sums.items() if value > enough]
    if len(ahead) < wanted:
        ahead = list(sums)
    raised = [sums[number] * factors[places[number]] for number in ahead]
    bar = sorted(raised)[-wanted]
    return [number for number, value in zip(ahead, raised, strict=True) if value >= bar]


def last_of(parts: Sequence[Part], lift: Lift, numbers: Sequence[int], wanted: int) -> float:
    """What the last of the `wanted` best has at least, by what these documents have; 0 when they are fewer."""
    if len(numbers) < wanted:
        return 0.0
    return sorted(value for _number, value in points(parts, lift, numbers))[-wanted] - SLACK


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
