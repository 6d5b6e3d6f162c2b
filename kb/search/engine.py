"""Answers queries from the index. Only this class and kb.search.index know Whoosh."""

from __future__ import annotations

import heapq
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from typing import Any

from whoosh.index import open_dir

from kb.search.analysis import STOP, index_words, query_words, stemmed, words
from kb.search.answer import answer
from kb.search.index import KNOWN_WORDS, VOCABULARY
from kb.search.ranking import Query, score
from kb.search.suggest import correct

CANDIDATES = 50
SYNONYM = 0.7
# BM25's saturation: the more often a word stands in a document, the less another time adds.
SATURATION = 1.2
# What a hit of the game or set that the query names gains.
PREFERRED = 2.5


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `snippet` has the matched words between the signs of kb.search.answer.MARK."""

    id: str
    title: str
    game: str
    kind: str
    source: str
    score: float
    snippet: str
    covers: tuple[str, ...]
    spoiler: str | None
    standing: str


@dataclass(frozen=True, slots=True)
class Results:
    """Hits of a query, best first. `corrected` is the query as it was understood when a word was misspelled; `total`
    counts all that match; `sure` is the share (0 to 1) of the question's weight that the first hit's text holds."""

    query: str
    corrected: str | None
    total: int
    hits: tuple[Hit, ...]
    sure: float


class SearchIndex:
    """An index opened for searching."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = open_dir(str(folder), readonly=True)
        self._reader = self._index.reader()
        self._within: dict[tuple[str, str], frozenset[int]] = {}

    @cached_property
    def _vocabulary(self) -> dict[str, Any]:
        return dict(json.loads((self._folder / VOCABULARY).read_text(encoding="utf-8")))

    @cached_property
    def _words(self) -> dict[str, int]:
        return dict(json.loads((self._folder / KNOWN_WORDS).read_text(encoding="utf-8")))

    def close(self) -> None:
        """Close the index's files."""
        self._reader.close()
        self._index.close()

    def search(
        self, text: str, within: str | None = None, kind: str | None = None, limit: int = 10, spoilers: bool = True
    ) -> Results:
        """The entries and cards that answer `text`.

        `within` is an id prefix (`arkham`, `pathfinder/mm`), `kind` a kind of entry or `card`; `spoilers=False` leaves out what is
        marked as giving away a campaign.
        """
        meant, rest = self._named_scope(text)
        typed = query_words(rest)
        known, corrected = self._correct(typed, text)
        narrow = [self._documents(name, value) for name, value in (("scope", within), ("kind", kind)) if value]
        among = frozenset.intersection(*narrow) if narrow else None
        query, points = self._match(known, self._alternatives(known, within), among)
        best = heapq.nlargest(max(CANDIDATES, limit), points.items(), key=lambda pair: pair[1])
        rarity: dict[str, float] = {}
        ranked: list[tuple[float, dict[str, Any]]] = []
        for number, base in best:
            record = json.loads(self._reader.stored_fields(number)["data"])
            if spoilers or not record["spoiler"]:
                preferred = PREFERRED if meant and record["id"].startswith(meant) else 1.0
                ranked.append((preferred * score(query, base, record, rarity), record))
        ranked.sort(key=lambda pair: (-pair[0], pair[1]["id"]))
        hits = tuple(self._hit(total, record, query) for total, record in ranked[:limit])
        sure = max((self._coverage(query, record) for _points, record in ranked[:3]), default=0.0)
        return Results(text, corrected, len(points), hits, sure)

    def has_scope(self, within: str) -> bool:
        """Whether anything lies below an id prefix."""
        return ("scope", within) in self._reader

    def kinds(self) -> list[str]:
        """The kinds of entries (and `card`) that are there."""
        return [kind.decode() for kind in self._reader.lexicon("kind")]

    def scopes(self, depth: int) -> list[str]:
        """The id prefixes of up to `depth` parts."""
        found = (scope.decode() for scope in self._reader.lexicon("scope"))
        return [scope for scope in found if scope.count("/") < depth]

    def _hit(self, points: float, record: dict[str, Any], query: Query) -> Hit:
        return Hit(
            id=record["id"], title=record["title"], game=record["game"], kind=record["kind"], source=record["source"],
            score=round(points, 3), snippet=answer(record["sentences"], query, record["names"][:1]), covers=tuple(record["covers"]),
            spoiler=record["spoiler"], standing=record["standing"],
        )  # fmt: skip

    @staticmethod
    def _coverage(query: Query, record: dict[str, Any]) -> float:
        said = {word for key in ("names", "asked") for text in record[key] for word in text.split()}
        said.update(word for sentence in record["sentences"] for word in index_words(sentence))
        return query.overlap(list(said)) / query.total

    def _named_scope(self, text: str) -> tuple[str | None, str]:
        """The id prefix of a game or set that the query names, and the query without that name."""
        typed = f" {' '.join(words(text))} "
        names = [
            (name, scope)
            for scope, listed in self._vocabulary["called"].items()
            for name in listed
            if f" {name} " in typed
        ]
        if not names:
            return None, text
        name, scope = max(names, key=lambda pair: len(pair[0]))
        rest = typed.replace(f" {name} ", " ").strip()
        return (scope, rest) if rest else (None, text)

    def _known(self, word: str) -> bool:
        return ("text", stemmed(word)) in self._reader

    def _correct(self, typed: Sequence[str], text: str) -> tuple[list[str], str | None]:
        """The words with misspelled ones replaced, and the corrected query when one was."""
        known, changed = [], False
        shown = text
        for word in typed:
            better = None
            if word not in STOP and not self._known(word):
                better = correct(word, self._words)
            if better:
                shown, changed = shown.casefold().replace(word, better), True
            known.append(better or word)
        return known, shown if changed else None

    def _documents(self, field: str, value: str) -> frozenset[int]:
        """Numbers of the documents with this value in a field."""
        if (field, value) not in self._within:
            known = (field, value) in self._reader
            self._within[field, value] = frozenset(self._reader.postings(field, value).all_ids() if known else ())
        return self._within[field, value]

    def _postings(self, word: str, among: frozenset[int] | None) -> list[tuple[int, float]]:
        """Documents that hold an index word, with its weight in each."""
        if ("text", word) not in self._reader:
            return []
        matcher, found = self._reader.postings("text", word), []
        while matcher.is_active():
            number = matcher.id()
            if among is None or number in among:
                found.append((number, matcher.weight()))
            matcher.next()
        return found

    def _match(
        self, typed: Sequence[str], alternatives: dict[str, str], among: frozenset[int] | None
    ) -> tuple[Query, dict[int, float]]:
        """The query with the weight of each word, and the BM25F score of every document that holds one.

        Rare words count more; how rare a word is, is counted among the documents asked for. Of a word and its synonyms
        only the best counts. (Whoosh's own union of matchers took three times as long.)
        """
        total = self._reader.doc_count_all() if among is None else len(among)
        weights: dict[str, float] = {}
        points: dict[int, float] = {}
        for word in dict.fromkeys(stemmed(word) for word in typed):
            own = self._postings(word, among)
            weight = weights[word] = log(1 + total / (len(own) + 1)) + 0.5
            gained = {number: often / (often + SATURATION) for number, often in own}
            for other in (other for other, meant in alternatives.items() if meant == word):
                for number, often in self._postings(other, among):
                    gained[number] = max(gained.get(number, 0.0), SYNONYM * often / (often + SATURATION))
            for number, value in gained.items():
                points[number] = points.get(number, 0.0) + value * weight
        return Query(weights, alternatives), points

    def _alternatives(self, typed: Sequence[str], within: str | None) -> dict[str, str]:
        """Synonyms of the query's words and phrases: each index word brought in, with the word of the query it stands for.

        Of a phrase only its rarest word is brought in.
        """
        stems = [stemmed(word) for word in typed]
        phrase = f" {' '.join(stems)} "
        found: dict[str, str] = {}
        for game, groups in self._vocabulary["synonyms"].items():
            if within and not within.startswith(game):
                continue
            for group in groups:
                present = next((member for member in group if f" {member} " in phrase), None)
                if present is None:
                    continue
                meant = self._rarest(present)
                for word in map(self._rarest, group):
                    if word not in stems:
                        found.setdefault(word, meant)
        return found

    def _rarest(self, phrase: str) -> str:
        """The word of a phrase of index words that stands in the fewest documents."""
        return min(phrase.split(), key=lambda word: self._reader.doc_frequency("text", word), default="")
