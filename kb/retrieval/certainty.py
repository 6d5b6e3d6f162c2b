"""How likely it is that the first hit of a query answers it."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from kb.retrieval.ranking import ALIAS, FIRST

# Weights of a logistic model, in the order of `features`, fitted to questions of players whose answers are known. Asked anew, each tenth
# by the weights that the others gave: 62 % of 389 are answered, 93 % of these by an entry that was noted as their answer.
WEIGHTS = (-2.4, 3.22, 1.61, 2.37, -1.63)
# From here on an answer is given.
SURE = 0.76
# A hit that holds less of the question than this is about something else (none of the held-out questions is).
LEAST_MET = 0.4
# A first hit without a second counts as this many times better; more than e squared times better counts as that.
ALONE, MOST_LEAD = 4.0, 2.0
# Standings of what tells of one card: it is asked about more often than it answers.
OF_A_CARD = frozenset({"card", "own card", "character", "card-change"})


@dataclass(frozen=True, slots=True)
class First:
    """The first hit of a query: its points and those of the `second` (0: there is none), the fit of its nearest asked question (0 to 1), the
    share of the query that it holds (`met`), how alike the two are in what they mean, and its standing."""

    points: float
    second: float
    asked: float
    met: float
    alike: float
    standing: str
    names_another: bool

    @property
    def is_called_so(self) -> bool:
        """Whether the query is a name of it."""
        return self.points >= FIRST * ALIAS


def features(first: First) -> tuple[float, ...]:
    """What speaks for the first hit.

    A constant, the fit of its nearest asked question, by how much it leads (logarithm of its points over the second's), how alike it and
    the query are in what they mean, and against it that it tells of a card that the query does not just name.
    """
    second = first.second or first.points / ALONE
    lead = min(log(max(first.points, 1e-9) / max(second, 1e-9)), MOST_LEAD)
    return 1.0, first.asked, lead, first.alike, float(first.standing in OF_A_CARD and not first.is_called_so)


def certainty(first: First | None) -> float:
    """How likely (0 to 1) the first hit answers a query; 0 when there is none."""
    if first is None or first.names_another or (first.met < LEAST_MET and not first.is_called_so):
        return 0.0
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, features(first), strict=True))
    return 1 / (1 + exp(-value))
