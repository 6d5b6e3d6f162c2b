"""How likely it is that the first hit of a query answers it.

The page's search computes the same from the same figures (`tables`): everything here is known from where the words of the query are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from math import exp, log

from kb.frozen import frozen
from kb.retrieval.manner import PRODUCT, shared

# Weights of a logistic model: a constant, then those of the fields of `First`. They are fitted to the sentences shown for 620 questions, each
# judged right or wrong by a reader, and 60 questions that no rule answers (tests/benchmarks/bench_certainty.py).
WEIGHTS = (-0.49, 2.46, 0.37, 2.92, -1.61, -2.22, -3.14, -1.34, 0.5)
# From here on an answer is certain; from here on it is probable.
SURE, PROBABLE = 0.8, 0.6
# A first hit that nothing else comes near to counts as this many times better; more than e squared times better counts as that.
ALONE, MOST_LEAD = 4.0, 2.0
# Among so many hits the first one's rivals are looked for.
NEXT = 11
# Standings of what tells of one card: it is asked about more often than it answers.
OF_A_CARD = ("card", "own card", "character", "card-change")
# Standings of what repeats rules, or advises and gives examples, instead of stating rules.
ASIDE = ("advice", "overview")


@frozen
class First:
    """What speaks for the first hit, and against it."""

    asked: float
    """By how much the question that it answers fits better than any question of the NEXT hits (each 0 to 1)."""
    lead: float
    """By how much it leads the next hit (`lead_over`)."""
    alike: float
    """How alike it and the query are in what they mean (kb.retrieval.likeness)."""
    of_a_card: bool
    """Whether it is about one card that the query does not just name."""
    aside: bool
    """Whether it gives an overview, advice or examples."""
    strange: float
    """The share of the query that no document has: it may be about another game."""
    unsaid: float
    """The share of the query that is neither in the names of the entry nor in the sentence that leads nor in the question it answers."""
    manner: float
    """The share of manners in which both the query and that question ask (kb.retrieval.manner)."""


def lead_over(points: float, second: float) -> float:
    """By how much a hit leads another (the logarithm of its points over the other's; 0: there is none)."""
    return min(log(max(points, 1e-9) / max(second or points / ALONE, 1e-9)), MOST_LEAD)


def certainty(first: First) -> float:
    """How likely (0 to 1) what is shown of the first hit answers a query."""
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, (1.0, *astuple(first)), strict=True))
    return 1 / (1 + exp(-value))


def shared_manner(query: frozenset[str], question: frozenset[str] | None) -> float:
    """Return `First.manner` for the manners of a query and of the question that is answered (None: there is none)."""
    return 0.0 if question is None else shared(query, question)


def asks_for_product(query: frozenset[str], question: frozenset[str] | None) -> bool:
    """Return True if a query asks about buying or rating the product, and the question that is answered does not."""
    return PRODUCT in query and (question is None or PRODUCT not in question)


def tables() -> Mapping[str, object]:
    """The figures of this module, as the page's search reads them."""
    return {
        "weights": WEIGHTS, "sure": SURE, "probable": PROBABLE, "alone": ALONE, "mostLead": MOST_LEAD, "next": NEXT, "ofACard": OF_A_CARD,
        "asides": ASIDE, "product": PRODUCT,
    }  # fmt: skip
