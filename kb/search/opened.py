"""Reads the index that kb.search.index writes."""

from __future__ import annotations

import heapq
import json
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from kb.search.analysis import stemmed
from kb.search.document import Document
from kb.search.index import VOCABULARY
from kb.search.matching import Gains
from kb.search.ranking import SATURATION
from kb.search.record import Record, document_in, json_in, record_in
from kb.search.segment_file import open_segments
from kb.search.totals import GAMES, KNOWN_WORDS

# How many words and records are kept that were read of the index, of how many words it is known how often they stand there, and how
# many documents are kept whole.
KEPT, KEPT_COUNTS, KEPT_SHOWN = 2_000, 20_000, 1_000


class OpenIndex:
    """An index opened for reading. Documents have numbers here; they hold for as long as it is open."""

    def __init__(self, folder: Path) -> None:
        # Another process that takes in a change removes this folder: what is read later than now has to be at hand.
        self._side_files = {name: (folder / name).read_bytes() for name in (VOCABULARY, KNOWN_WORDS, GAMES)}
        self._segments = open_segments(folder)
        self._starts = [0]
        for segment in self._segments:
            self._starts.append(self._starts[-1] + segment.size)
        # The same words are asked again and again, at a prompt with every key: what was read of the index is kept for the next query.
        self.numbers = lru_cache(KEPT)(self._read_numbers)
        self.how_often = lru_cache(KEPT_COUNTS)(self._read_how_often)
        self._gains = lru_cache(KEPT)(self._read_gains)
        self._gains_among = lru_cache(KEPT)(self._read_gains_among)
        self.most = lru_cache(KEPT)(self._read_most)
        self.record = lru_cache(KEPT)(self._read_record)
        self.document = lru_cache(KEPT_SHOWN)(self._read_document)

    def close(self) -> None:
        """Close the index's files."""
        for segment in self._segments:
            segment.close()

    @cached_property
    def vocabulary(self) -> dict[str, Any]:
        """`synonyms` and names of games (`called`) as the index uses them."""
        return self._side_file(VOCABULARY)

    @cached_property
    def words(self) -> dict[str, int]:
        """The words a query can be corrected to, with how much each counts, those first that count most."""
        return self._side_file(KNOWN_WORDS)

    @cached_property
    def words_by_game(self) -> dict[str, Any]:
        """How many entries each game has (`sizes`), how many of them hold each index word (`often`), and of the words that are likely a
        card's name how many are about such a card (`named`)."""
        return self._side_file(GAMES)

    def _side_file(self, name: str) -> dict[str, Any]:
        return dict(json.loads(self._side_files[name]))

    def has_scope(self, within: str) -> bool:
        """Whether anything lies below an id prefix."""
        return self.holds("scope", within)

    def kinds(self) -> list[str]:
        """The kinds of entries (and `card`) that are there."""
        return self._terms("kind")

    def scopes(self, depth: int) -> list[str]:
        """The id prefixes of up to `depth` parts."""
        return [scope for scope in self._terms("scope") if scope.count("/") < depth]

    def _terms(self, field: str) -> list[str]:
        return sorted({term for segment in self._segments for term in segment.terms(field)})

    def folders(self) -> list[str]:
        """The id prefixes that hold something: scopes that are no document's own id."""
        return [place for place in self.scopes(4) if not self.holds("id", place)]

    def called(self) -> dict[str, list[str]]:
        """What people call the games and sets that are there, by id prefix."""
        names = self.vocabulary["called"]
        places = sorted({*self.scopes(1), *filter(self.has_scope, names)})
        return {place: list(names.get(place, ())) for place in places}

    def holds(self, field: str, value: str) -> bool:
        """Whether a field has this value in some document."""
        return any(segment.holds(field, value) for segment in self._segments)

    def knows(self, word: str) -> bool:
        """Whether some document holds a (folded) word."""
        return self.how_often(stemmed(word)) > 0

    def _read_numbers(self, field: str, value: str) -> frozenset[int]:
        """The documents with this value in a field."""
        return frozenset(number for number, _weight in self._pairs(field, value))

    def runs(self, field: str, value: str) -> Iterator[tuple[int, int]]:
        """The documents with this value in a field as runs, from the first to before the last: ids of a game follow each other."""
        for start, segment in zip(self._starts, self._segments, strict=False):
            numbers = segment.postings(field, value)[0]
            at = 0
            while at < len(numbers):
                # Where the numbers go on by one they are ahead of their places by the same.
                ahead = numbers[at] - at
                end = bisect_right(range(len(numbers)), ahead, at, key=lambda place: numbers[place] - place)
                yield start + numbers[at], start + numbers[at] + end - at
                at = end

    def size(self) -> int:
        """How many documents there are."""
        return self._starts[-1]

    def _read_how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        return sum(segment.how_often(word) for segment in self._segments)

    def gains(self, word: str, among: frozenset[int] | None) -> Gains:
        """The documents (of `among`) that hold an index word, and what each gains by it: the more the more often it stands there, up to 1."""
        return self._gains(word) if among is None else self._gains_among(word, among)

    def _read_gains(self, word: str) -> Gains:
        return {number: often / (often + SATURATION) for number, often in self._pairs("text", word)}

    def _read_gains_among(self, word: str, among: frozenset[int]) -> Gains:
        return {number: gain for number, gain in self._gains(word).items() if number in among}

    def _read_most(self, word: str, among: frozenset[int] | None) -> float:
        """No document (of `among`) gains more by an index word."""
        return max(self.gains(word, among).values(), default=0.0)

    def _pairs(self, field: str, value: str) -> Iterator[tuple[int, float]]:
        """The documents that hold a value, in order, with its weight in each."""
        for start, segment in zip(self._starts, self._segments, strict=False):
            numbers, weights = segment.postings(field, value)
            yield from zip((start + number for number in numbers) if start else numbers, weights, strict=True)

    def _data(self, number: int) -> bytes:
        """What lies in the index of a document (see kb.search.record.stored)."""
        place = bisect_right(self._starts, number) - 1
        return self._segments[place].column("data", number - self._starts[place])

    def _read_record(self, number: int) -> Record:
        """What ranks a document, analysed."""
        return record_in(self._data(number))

    def _read_document(self, number: int) -> Document:
        """A document as it was indexed."""
        return document_in(self._data(number))

    def documents(self) -> Iterator[Document]:
        """Every document, as it was indexed, in the order of the ids."""
        return (Document.from_json(text) for _id, text in self.stored())

    def stored(self) -> Iterator[tuple[str, str]]:
        """The id and the JSON of every document, in the order of the ids: who knows the JSON need not read it."""
        held = (map(json_in, segment.each("data")) for segment in self._segments)
        yield from heapq.merge(*held, key=lambda told: told[0])
