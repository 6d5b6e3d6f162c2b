"""Orders the candidates of a query: what the index scored, and how well title, names and asked questions fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Share of its score that a hit keeps by its standing: rules before overviews (sheets, sequences) and advice, official
# rulings before players' consensus.
STANDING = {
    "rule": 1.0, "official-faq": 0.97, "designer": 0.94, "developer": 0.94, "community-consensus": 0.85, "card-change": 0.85,
    "overview": 0.85, "advice": 0.72, "card": 0.55, "official-document": 1.0, "superseded": 0.6,
    "designer on a card": 0.82, "developer on a card": 0.82, "community-consensus on a card": 0.76,
}  # fmt: skip
# Standing of an entry that is no ruling, by its kind (else `rule`).
OF_KIND = {
    "strategy": "advice", "example": "advice", "product": "advice", "reference": "overview", "erratum": "card-change", "taboo": "card-change",
}  # fmt: skip
OFFICIAL = {"official-document", "official-faq"}
NAME, ASKED, CARD = 1.0, 0.5, 0.4
EXACT, NAMED = 0.98, 1.3


def standing_of(kind: str, authority: str | None, on_cards: bool, superseded: bool) -> str:
    """The key of STANDING for an entry: what it counts for among equally good hits.

    An answer by staff or players on a single card stands below the rule and the FAQ, although it repeats the words of both.
    """
    if superseded:
        return "superseded"
    if authority:
        return f"{authority} on a card" if on_cards and authority not in OFFICIAL else authority
    return OF_KIND.get(kind, "rule")


@dataclass(frozen=True, slots=True)
class Query:
    """An analysed query: the weight of each index word, and of each alternative (synonym) the word it stands for."""

    weights: Mapping[str, float]
    alternatives: Mapping[str, str]

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return sum(self.weights.values()) or 1.0

    def overlap(self, listed: Sequence[str]) -> float:
        """Weight of the query's words that stand in `listed` (a synonym counts four fifths)."""
        found: dict[str, float] = {}
        for word in listed:
            if word in self.weights:
                found[word] = self.weights[word]
            elif word in self.alternatives:
                meant = self.alternatives[word]
                found[meant] = max(found.get(meant, 0.0), 0.8 * self.weights[meant])
        return sum(found.values())


def fit(query: Query, text: str, rarity: Mapping[str, float]) -> float:
    """How much a short text (title, question) and the query say the same, 0 to 1: harmonic mean of both coverages."""
    listed = text.split()
    shared = query.overlap(listed)
    if not shared:
        return 0.0
    size = sum(query.weights.get(word) or rarity.get(word, 2.0) for word in set(listed))
    return 2 * shared / (query.total + max(size, shared))


def score(query: Query, base: float, hit: Mapping[str, Any], rarity: Mapping[str, float]) -> float:
    """Final score of a candidate. `base` is the index's BM25F score, `hit` its stored record."""
    name = max((fit(query, text, rarity) for text in hit["names"]), default=0.0)
    asked = max((fit(query, text, rarity) for text in hit["asked"]), default=0.0)
    card = max((query.overlap(text.split()) / query.total for text in hit["related"]), default=0.0)
    standing = STANDING.get(hit["standing"], 1.0)
    if name >= EXACT:  # the player typed its very name: then a card is as good an answer as a rule
        standing = NAMED
    return base * (1 + NAME * name + ASKED * asked + CARD * card) * standing
