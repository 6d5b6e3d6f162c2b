"""A question that names a card, taken apart: the names, and the rest with the cards' types in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.retrieval.analysis import stemmed
from kb.retrieval.asked import AskedIndex, rarity
from kb.retrieval.matching import Gains, Lift, Part, best_of
from kb.retrieval.names import BESIDES, TYPES, Name, favour, likely, names_in, part_in, types
from kb.retrieval.ranking import Query
from kb.retrieval.record import Record


@dataclass(frozen=True, slots=True)
class Rest:
    """What a question asks beside the names in it, as a query with the cards' types, and the documents that hold each of its words.
    `names` has for each name its words and the documents that hold each, `favour` what a hit gains that speaks of one of the cards."""

    query: Query
    parts: list[Part]
    names: Sequence[Mapping[str, Gains]]
    favour: float

    def besides(self, lift: Lift, known: Mapping[int, float]) -> list[int]:
        """The documents that fit the rest best, without those that are known."""
        return [number for number, _points in best_of(self.parts, lift, BESIDES) if number not in known]

    def is_named_by(self, number: int) -> bool:
        """Whether a document speaks of one of the cards: it holds every word of the name."""
        return any(all(number in held for held in name.values()) for name in self.names)

    def favour_of(self, record: Record) -> float:
        """What a hit gains that speaks of one of the cards."""
        return self.favour * part_in(record, {word for name in self.names for word in name})


class NamedIndex(AskedIndex):
    """An open index that knows which words of a question are a card's name."""

    def _rest(
        self, asked: Sequence[str], query: Query, begun: dict[str, str], place: str | None, among: frozenset[int] | None
    ) -> Rest | None:
        """The rest of a question; None when it names no card, or nothing besides."""
        names = self._names(query, place, among)
        left = Counter(map(stemmed, asked))
        left.subtract(word for name in names for word in name.words)
        rest = [word for word in asked if left[stemmed(word)] > 0]
        if not names or not rest:
            return None
        begun = {word: own for word, own in begun.items() if own == stemmed(rest[-1])}
        own, parts = self._parts(rest, self._alternatives(rest, place) | begun, begun, among)
        weights, alternatives = dict(own.weights), dict(own.alternatives)
        with_types = [*parts, *self._types(names, weights, alternatives, place, among)]
        held = [{word: self.gains(word, among) for word in name.words} for name in names]
        return Rest(Query(weights, alternatives), with_types, held, favour(len(parts)))

    def _names(self, query: Query, place: str | None, among: frozenset[int] | None) -> list[Name]:
        """The cards that a question names."""
        games = [place.split("/")[0]] if place else list(self.entries)
        often = self.often(query.weights)
        about = self.about_cards({word: often.get(word, {}) for word in query.weights}, games)
        sure = likely(query.weights, about, often, games)
        if not sure:
            return []
        bearing = self.numbers("kind", "card") | self.numbers("kind", "character")
        numbers = {number for word in sure for number in self.gains(word, among) if number in bearing}
        return names_in(query.weights, sure, ((number, self.record(number)) for number in sorted(numbers)))

    def _types(
        self,
        names: Sequence[Name],
        weights: dict[str, float],
        alternatives: dict[str, str],
        place: str | None,
        among: frozenset[int] | None,
    ) -> list[Part]:
        """A word for each name that stands for the types of its cards, of which the best counts; it is added to the query."""
        parts = []
        for at, name in enumerate(names):
            typed = dict.fromkeys(word for number in name.bearers for word in types(self.document(number)))
            own = [word for word in typed if word not in weights and word not in alternatives]
            others = [
                word for word in self._alternatives(own, place) if word not in weights and word not in alternatives
            ]
            if own:
                told = (*own, *others)
                common = len(set[int]().union(*(self.gains(word, among) for word in told)))
                word = f"#{at}"
                weights[word] = TYPES * rarity(self.size() if among is None else len(among), common)
                alternatives.update(dict.fromkeys((*own, *others), word))
                parts.append(Part(weights[word], {}, [self.gains(each, among) for each in told]))
        return parts
