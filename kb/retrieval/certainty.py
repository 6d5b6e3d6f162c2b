"""Estimates the probability that the first hit of a query answers it.

The page's search computes the same from the same figures (`tables`): all of it depends on where the words of the query are.
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
# A first hit without competition counts as this many times better; a lead is capped at a factor of e squared.
ALONE, MOST_LEAD = 4.0, 2.0
# The number of further hits compared with the first one.
NEXT = 11
# Standings of documents about one card, which match more often than they answer.
OF_A_CARD = ("card", "own card", "character", "card-change")
# Standings of documents that repeat rules, advise or give examples instead of stating rules.
ASIDE = ("advice", "overview")


@frozen
class First:
    """Evidence for and against the first hit."""

    asked: float
    """The lead of its answered question over the best question of the NEXT hits (each 0 to 1)."""
    lead: float
    """The lead over the next hit (`lead_over`)."""
    alike: float
    """The similarity in meaning between it and the query (kb.retrieval.likeness)."""
    of_a_card: bool
    """True if it is about one card and the query is not just that card's name."""
    aside: bool
    """True if it gives an overview, advice or examples."""
    strange: float
    """The share of the query that is in no document: the query may be about another game."""
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


def certainty(first: First) -> float:
    """Return the probability (0 to 1) that the shown part of the first hit answers a query."""
    value = sum(weight * feature for weight, feature in zip(WEIGHTS, (1.0, *astuple(first)), strict=True))
    return 1 / (1 + exp(-value))


def shared_manner(query: frozenset[str], question: frozenset[str] | None) -> float:
    """Return `First.manner` for the manners of a query and of the question that is answered (None: there is none)."""
    return 0.0 if question is None else shared(query, question)


def asks_for_product(query: frozenset[str], question: frozenset[str] | None) -> bool:
    """Return True if a query asks about buying or rating the product and the answered question does not."""
    return PRODUCT in query and (question is None or PRODUCT not in question)


def tables() -> Mapping[str, object]:
    """Return the figures of this module, as the page's search reads them."""
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
