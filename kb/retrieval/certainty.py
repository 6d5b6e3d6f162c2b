"""How likely it is that the first hit of a query answers it."""

from __future__ import annotations

from dataclasses import astuple
from math import exp, log

from kb.frozen import frozen

# Weights of a logistic model: a constant, then those of the fields of `First`. They are fitted to the sentences shown for 620 questions, each
# judged right or wrong by a reader, and 60 questions of other games (tests/benchmarks/bench_certainty.py).
WEIGHTS = (-1.17, 3.04, 0.39, 3.68, -1.73, -1.38, -1.33, 0.29)
# What the chance is multiplied by if the rarest word of the query is neither in the names of the entry nor in the sentence or question shown.
WITHOUT_RAREST = 0.8
# From here on an answer is certain; from here on it is probable.
SURE, PROBABLE = 0.62, 0.42
# A first hit that nothing else comes near to counts as this many times better; more than e squared times better counts as that.
ALONE, MOST_LEAD = 4.0, 2.0
# Among so many hits the first one's rivals are looked for.
NEXT = 11
# Standings of what tells of one card: it is asked about more often than it answers.
OF_A_CARD = frozenset({"card", "own card", "character", "card-change"})


@frozen
class First:
    """What speaks for the first hit, and against it."""

    asked: float
    """By how much the question that it answers fits better than any question of another rule among the NEXT hits (each 0 to 1)."""
    lead: float
    """By how much it leads the first hit that states another rule (`lead_over`)."""
    alike: float
    """How alike it and the query are in what they mean (kb.retrieval.likeness)."""
    of_a_card: bool
    """Whether it is about one card that the query does not just name."""
    left_out: float
    """The share of the query that is left out: terms of the game and (twice) words that nobody uses, which are about another game."""
    unsaid: float
    """The share of the query that is neither in the names of the entry nor in the sentence that leads nor in the question it answers."""
    manner: float
    """The share of manners in which both the query and that question ask (kb.retrieval.manner)."""


def lead_over(points: float, second: float) -> float:
    """By how much a hit leads another (the logarithm of its points over the other's; 0: there is none)."""
    return min(log(max(points, 1e-9) / max(second or points / ALONE, 1e-9)), MOST_LEAD)


def certainty(first: First, has_rarest: bool) -> float:
    """How likely (0 to 1) what is shown of the first hit answers a query.

    `has_rarest`: the rarest word of the query is in the names of the entry, or in the sentence or the question that are shown.
    """
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, (1.0, *astuple(first)), strict=True))
    return (1 if has_rarest else WITHOUT_RAREST) / (1 + exp(-value))
