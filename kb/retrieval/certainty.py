"""How likely it is that the first hit of a query answers it."""

from __future__ import annotations

from dataclasses import astuple
from math import exp, log

from kb.frozen import frozen

# Weights of a logistic model: a constant, then those of the fields of `First`; fitted to questions of players whose answers are known. Of 371
# (their game chosen) 65 % are answered, 95 % of these by an entry that was noted as their answer.
WEIGHTS = (-1.85, 2.7, 2.2, 3.25, -1.94, -2.0, -0.72, 0.59, 1.4)
# From here on an answer is given.
SURE = 0.8
# A first hit that nothing else comes near to counts as this many times better; more than e squared times better counts as that.
ALONE, MOST_LEAD = 4.0, 2.0
# Among so many hits the first one's rivals are looked for.
NEXT = 11
# Standings of what tells of one card: it is asked about more often than it answers.
OF_A_CARD = frozenset({"card", "own card", "character", "card-change"})


@frozen
class First:
    """What speaks for the first hit, and against it.

    By how much its nearest asked question fits better than that of any other rule among the NEXT hits (each 0 to 1); by how much it leads
    the first hit that states another rule (`lead_over`); how alike it and the query are in what they mean; whether it tells of a card that
    the query does not just name; the share of the query that is left out: words of it that nobody uses (twice, for they tell of another
    game), and terms of the game that are neither in its names nor in the sentence shown nor in that question; the share of that question's
    words that the query lacks: it may ask for something else; whether another set states the same rule, as sets do with what is asked
    most; and by how much the sentence that is shown answers better than any that is not.
    """

    asked: float
    lead: float
    alike: float
    of_a_card: bool
    left_out: float
    more: float
    has_twin: bool
    clear: float


def lead_over(points: float, second: float) -> float:
    """By how much a hit leads another (the logarithm of its points over the other's; 0: there is none)."""
    return min(log(max(points, 1e-9) / max(second or points / ALONE, 1e-9)), MOST_LEAD)


def certainty(first: First) -> float:
    """How likely (0 to 1) the first hit answers a query."""
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, (1.0, *astuple(first)), strict=True))
    return 1 / (1 + exp(-value))
