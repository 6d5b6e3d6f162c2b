"""Reads the index that kb.search.index writes."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from kb.search.analysis import stemmed
from kb.search.document import Document
from kb.search.index import GAMES, KNOWN_WORDS, VOCABULARY
from kb.search.segment import open_segments

KEPT = 2_000


class OpenIndex:
    """An index opened for reading. Documents have numbers here; they hold for as long as it is open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segments = open_segments(folder)
        self._starts = [0]
        for segment in self._segments:
            self._starts.append(self._starts[-1] + segment.size)
        self._numbers: dict[tuple[str, str], frozenset[int]] = {}
        # A prompt asks the same words again with every key: what was read of the index is kept for the next query.
        self._kept_postings = lru_cache(KEPT)(self._read_postings)
        self.record = lru_cache(KEPT)(self._read_record)

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
        """How many entries each game has (`sizes`), and how many of them hold each index word (`often`)."""
        return self._side_file(GAMES)

    def _side_file(self, name: str) -> dict[str, Any]:
        return dict(json.loads((self._folder / name).read_text(encoding="utf-8")))

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
        return self.holds("text", stemmed(word))

    def numbers(self, field: str, value: str) -> frozenset[int]:
        """The documents with this value in a field."""
        if (field, value) not in self._numbers:
            self._numbers[field, value] = frozenset(number for number, _weight in self._pairs(field, value))
        return self._numbers[field, value]

    def size(self) -> int:
        """How many documents there are."""
        return self._starts[-1]

    def how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        return sum(segment.how_often(word) for segment in self._segments)

    def postings(self, word: str, among: frozenset[int] | None) -> list[tuple[int, float]]:
        """The documents (of `among`) that hold an index word, with its weight in each."""
        found = self._kept_postings(word)
        return found if among is None else [pair for pair in found if pair[0] in among]

    def _read_postings(self, word: str) -> list[tuple[int, float]]:
        return list(self._pairs("text", word))

    def _pairs(self, field: str, value: str) -> Iterator[tuple[int, float]]:
        """The documents that hold a value, in order, with its weight in each."""
        for start, segment in zip(self._starts, self._segments, strict=False):
            numbers, weights = segment.postings(field, value)
            yield from zip((start + number for number in numbers) if start else numbers, weights, strict=True)

    def _data(self, number: int) -> bytes:
        """What lies in the index of a document (see kb.search.index.stored)."""
        place = bisect_right(self._starts, number) - 1
        return self._segments[place].column("data", number - self._starts[place])

    def _read_record(self, number: int) -> dict[str, Any]:
        """What ranks a document, analysed."""
        return dict(json.loads(self._data(number).partition(b"\n")[0]))

    def document(self, number: int) -> Document:
        """A document as it was indexed."""
        return Document.from_json(self._data(number).partition(b"\n")[2])

    def documents(self) -> Iterator[Document]:
        """Every document, as it was indexed, in the order of the ids."""
        yield from sorted(map(self.document, range(self.size())), key=lambda document: document.id)
