"""How likely it is that the first hit of a query answers it."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from kb.retrieval.ranking import ALIAS, FIRST, Fit

# Weights of a logistic model, in the order of `features`: fitted by tests/benchmarks/bench_certainty.py on questions held out of our
# own content, which it prints with how often it answers and how often it is right then.
WEIGHTS = (-4.13, 0.66, -0.08, 0.78, 1.67, 1.74, -0.08, 3.4)
# From here on an answer is given. Questions held out of our own content are put in odder words than players', and many may be answered by
# another entry as well: 48 % of them are answered, 84 % of these by the very entry; of players' questions of the development sets 64 % are
# answered, 92 % of these right.
SURE = 0.62
# A hit that holds less of the question than this is about something else (none of the held-out questions is).
LEAST_MET = 0.4
# More words than this tell no more.
LONGEST = 12
# A first hit without a second counts as this many times better; more than e squared times better counts as that.
ALONE, MOST_LEAD = 4.0, 2.0


@dataclass(frozen=True, slots=True)
class First:
    """The first hit of a query: its points and those of the `second` (0: there is none), how it fits, the share of the query that it holds
    (`met`), the share of the words of its title that stand in the query, and how alike the two are in what they mean."""

    points: float
    second: float
    fit: Fit
    met: float
    title: float
    alike: float


def features(first: First, length: int) -> tuple[float, ...]:
    """What speaks for the first hit.

    A constant, the fit of its nearest asked question and of its name, the share of the query that it holds, by how much it
    leads (logarithm of its points over the second's), the `length` of the query in index words, the share of its title's words
    that were said, and how alike the two are in what they mean.
    """
    second = first.second or first.points / ALONE
    lead = min(log(max(first.points, 1e-9) / max(second, 1e-9)), MOST_LEAD)
    return (
        1.0,
        first.fit.asked,
        first.fit.name,
        first.met,
        lead,
        min(length, LONGEST) / LONGEST,
        first.title,
        first.alike,
    )


def certainty(first: First | None, length: int) -> float:
    """How likely (0 to 1) the first hit answers a query of `length` index words; 0 when there is none."""
    if first is None or (first.met < LEAST_MET and first.points < FIRST * ALIAS):
        return 0.0
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, features(first, length), strict=True))
    return 1 / (1 + exp(-value))
