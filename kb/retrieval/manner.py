"""Recognize types of questions: about a duty, a permission, a number, a time, an order, a place, a person or a price,
or with a negation.

The index leaves out the words that show the type, because many questions contain them. But they distinguish the
questions of one entry: "must I use the reward" and "when may I use the reward" have different answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

MANNERS = {
    "duty": r"\b(?:must|ha(?:ve|s|d) to|forced?|needs?(?:ed)? to|needed|required?|obliged|mandatory|optional|compulsory|do (?:i|we|you) need)\b",
    "permission": r"\b(?:can|may|could|allowed?|ok(?:ay)?|permitted|possible|legal)\b",
    "number": r"\bhow (?:many|much|often|long|far)\b|\b(?:limit|maximum|number of|once|twice|more than one|at most)\b",
    "time": r"\b(?:when|at what (?:point|time)|which (?:step|phase)|timing)\b",
    "order": r"\b(?:before|after|first|then|order|earlier|later)\b",
    "place": r"\b(?:where|which (?:pile|place|deck)|go(?:es)?)\b",
    "person": r"\b(?:who|whose|which (?:player|investigator|character|of us))\b",
    "price": r"\b(?:costs?|pay|price|free)\b",
    "others": r"\b(?:friend|buddy|mate|pal|partner|another|someone|somebody|anyone|others?|wife|husband|each of us|both of us|we all|us)\b",
    "product": r"\b(?:download|install|app|sleeves?|cheap(?:er|est)?|(?:should|where (?:can|do)) (?:i|we) (?:buy|get)"
    r"|worth (?:buying|it|playing)|any (?:good|fun)|strongest|best|come out)\b",
    "negation": r"\b(?:not|never|no|cannot|can['’]?t|don['’]?t|doesn['’]?t|won['’]?t|isn['’]?t|without|nothing|none|nobody)\b",
}
"""The pattern for each type of question, for texts in lower case. The search on the site uses the same patterns."""
# The type of questions about buying, using or rating the product, instead of playing by its rules.
PRODUCT = "product"
_PATTERNS = {name: re.compile(pattern, re.ASCII) for name, pattern in MANNERS.items()}
# The bonus of a question with exactly the same types as the query.
SAME = 0.15


@lru_cache(maxsize=32_768)
def manners(text: str) -> frozenset[str]:
    """Return the types of question that a text belongs to, as names in MANNERS."""
    typed = text.lower()
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(typed))


def shared(query: frozenset[str], question: frozenset[str]) -> float:
    """Return the share of question types that two questions have in common (0 to 1)."""
    return len(query & question) / max(1, len(query | question))


def tables() -> Mapping[str, object]:
    """Return the constants of this module for the search on the site."""
    return {"manners": MANNERS, "same": SAME}
