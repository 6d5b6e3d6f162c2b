"""How likely it is that the first hit of a query answers it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from kb.search.ranking import ALIAS, FIRST, Fit

# Weights of a logistic model, in the order of `features`: fitted by tests/benchmarks/bench_certainty.py on questions held out of our
# own content, which it prints with how often it answers and how often it is right then.
WEIGHTS = (-2.2, 1.74, 0.21, 0.82, 1.82, 0.52)
# From here on an answer is given. Questions held out of our own content are put in odder words than players': of what is answered there
# 70 % name the very entry; of players' questions of the development sets 55 % are answered, 90 % of these right.
SURE = 0.52
# A hit that holds less of the question than this is about something else (none of the held-out questions is).
LEAST_MET = 0.4
# More words than this tell no more.
LONGEST = 12
# A first hit without a second counts as this many times better; more than e squared times better counts as that.
ALONE, MOST_LEAD = 4.0, 2.0


def features(best: Sequence[tuple[float, Fit, float]], length: int) -> tuple[float, ...]:
    """What speaks for the first of the `best` hits (points, fit, share of the query met; the first two are enough).

    A constant, the fit of its nearest asked question and of its name, the share of the query that it holds, by how much it
    leads (logarithm of its points over the second's), and the `length` of the query in index words.
    """
    points, found, met = best[0]
    second = best[1][0] if len(best) > 1 else points / ALONE
    lead = min(log(max(points, 1e-9) / max(second, 1e-9)), MOST_LEAD)
    return 1.0, found.asked, found.name, met, lead, min(length, LONGEST) / LONGEST


def certainty(best: Sequence[tuple[float, Fit, float]], length: int) -> float:
    """How likely (0 to 1) the first of the `best` hits answers a query of `length` index words; 0 when there is none."""
    if not best or (best[0][2] < LEAST_MET and best[0][0] < FIRST * ALIAS):
        return 0.0
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, features(best, length), strict=True))
    return 1 / (1 + exp(-value))
