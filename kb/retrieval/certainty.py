"""Estimate the probability that the first result of a search answers the query.

The search on the site computes the same probability from the same constants (`tables`), because only the positions of
the query's words matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from math import exp, log

from kb.frozen import frozen
from kb.retrieval.manner import PRODUCT, shared

# Weights of a logistic model: a constant, then one for each field of `First`. They are fitted to the sentences shown for 620 questions, each
# judged right or wrong by a reader, and 60 questions that no rule answers (tests/benchmarks/bench_certainty.py).
WEIGHTS = (-0.49, 2.46, 0.37, 2.92, -1.61, -2.22, -3.14, -1.34, 0.5)
# The least probability of a certain answer, and of a probable one.
SURE, PROBABLE = 0.8, 0.6
# ALONE: a first result without competition counts as this many times better than the next. MOST_LEAD: the greatest lead, a factor of
# e squared.
ALONE, MOST_LEAD = 4.0, 2.0
# The number of further hits compared with the first one.
NEXT = 11
# Standings of documents about one card, which match more often than they answer.
OF_A_CARD = ("card", "own card", "character", "card-change")
# Standings of documents that repeat rules, advise or give examples instead of stating rules.
ASIDE = ("advice", "overview")


@frozen
class First:
    """Evidence for and against the first result of a search being the answer. The function `certainty` weighs the
    evidence.
    """

    asked: float
    """The lead of its question over the best question of the next results: the difference between their similarities
    to the query. Each similarity is from 0 to 1.
    """
    lead: float
    """The lead over the next result (see `lead_over`)."""
    alike: float
    """The similarity in meaning between the result and the query (see kb.retrieval.likeness)."""
    of_a_card: bool
    """True if the result is about a single card, and the query is not just the name of that card."""
    aside: bool
    """True if the result is an overview, advice or an example."""
    strange: float
    """The share of the query's words that no document contains. If it is high, the query may be about another game."""
    unsaid: float
    """The share of the query's words that the answer does not contain. These words are neither in the names of the
    entry, nor in the best sentence, nor in the answered question.
    """
    manner: float
    """The share of question types that the query and the answered question have in common (see kb.retrieval.manner)."""


def lead_over(points: float, second: float) -> float:
    """Return the lead of a result over the next one: the logarithm of the ratio of their points. `second` is 0 if there
    is no next result.
    """
    return min(log(max(points, 1e-9) / max(second or points / ALONE, 1e-9)), MOST_LEAD)


def certainty(first: First) -> float:
    """Return the probability (0 to 1) that the shown part of the first result answers the query."""
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, (1.0, *astuple(first)), strict=True))
    return 1 / (1 + exp(-value))


def shared_manner(query: frozenset[str], question: frozenset[str] | None) -> float:
    """Return the value of `First.manner` for the question types of a query and of the answered question (None if there
    is no such question).
    """
    return 0.0 if question is None else shared(query, question)


def asks_for_product(query: frozenset[str], question: frozenset[str] | None) -> bool:
    """Return True if a query is about buying or rating the product, and the question that the entry answers is not."""
    return PRODUCT in query and (question is None or PRODUCT not in question)


def tables() -> Mapping[str, object]:
    """Return the constants of this module for the search on the site."""
    return {
        "weights": WEIGHTS,
        "sure": SURE,
        "probable": PROBABLE,
        "alone": ALONE,
        "mostLead": MOST_LEAD,
        "next": NEXT,
        "ofACard": OF_A_CARD,
        "asides": ASIDE,
        "product": PRODUCT,
    }
