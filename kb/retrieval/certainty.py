"""Estimates the probability that the first hit of a query answers it."""

from __future__ import annotations

from dataclasses import astuple
from math import exp, log

from kb.frozen import frozen

# Weights of a logistic model: a constant, then one for each field of `First`. They are fitted to the sentences shown for 620 questions, each
# judged right or wrong by a reader, and 60 questions of other games (tests/benchmarks/bench_certainty.py).
WEIGHTS = (-1.17, 3.04, 0.39, 3.68, -1.73, -1.38, -1.33, 0.29)
# Factor if the rarest word of the query is neither in the names of the entry nor in the sentence or question shown.
WITHOUT_RAREST = 0.8
# The least probability of a certain answer, and of a probable one.
SURE, PROBABLE = 0.62, 0.42
# A first hit without competition counts as this many times better; a lead is capped at a factor of e squared.
ALONE, MOST_LEAD = 4.0, 2.0
# The number of further hits compared with the first one.
NEXT = 11
# Standings of documents about one card, which match more often than they answer.
OF_A_CARD = frozenset({"card", "own card", "character", "card-change"})


@frozen
class First:
    """Evidence for and against the first hit."""

    asked: float
    """The lead of its answered question over the best question of another rule among the NEXT hits (each 0 to 1)."""
    lead: float
    """The lead over the first hit that states another rule (`lead_over`)."""
    alike: float
    """The similarity in meaning between it and the query (kb.retrieval.likeness)."""
    of_a_card: bool
    """True if it is about one card and the query is not just that card's name."""
    left_out: float
    """The share of the query left out: terms of the game and (counted twice) unknown words, which are about another game."""
    unsaid: float
    """The share of the query that is neither in the names of the entry, nor in the leading sentence, nor in the
    question it answers.
    """
    manner: float
    """The share of question types that the query and that question have in common (kb.retrieval.manner)."""


def lead_over(points: float, second: float) -> float:
    """Return the lead of a hit over another: the logarithm of the ratio of their points. `second` is 0 if there is no
    other.
    """
    return min(log(max(points, 1e-9) / max(second or points / ALONE, 1e-9)), MOST_LEAD)


def certainty(first: First, has_rarest: bool) -> float:
    """Return the probability (0 to 1) that the shown part of the first hit answers a query.

    `has_rarest`: the rarest word of the query is in the names of the entry, or in the sentence or question shown.
    """
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, (1.0, *astuple(first)), strict=True))
    return (1 if has_rarest else WITHOUT_RAREST) / (1 + exp(-value))
