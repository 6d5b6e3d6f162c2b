"""How likely it is that the first hit of a query answers it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from kb.search.ranking import Fit, Query

# Weights of a logistic model (see tests/benchmarks/bench_certainty.py, which fits them on questions held out of our own content).
CONSTANT, ASKED, NAME, MET, LEAD = -3.0, 4.0, 2.0, 2.0, 1.0
# From here on an answer is given: nine in ten of these are right.
SURE = 0.5


def certainty(query: Query, best: Sequence[tuple[float, Fit, float]]) -> float:
    """How likely (0 to 1) the first of the `best` hits answers: points, fit and share of the query met of the first two."""
    if not best:
        return 0.0
    points, found, met = best[0]
    second = best[1][0] if len(best) > 1 else points / 4
    lead = min(log(max(points, 1e-9) / max(second, 1e-9)), 2.0)
    value = CONSTANT + ASKED * found.asked + NAME * found.name + MET * met + LEAD * lead
    return 1 / (1 + exp(-value))
