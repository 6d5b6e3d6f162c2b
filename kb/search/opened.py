"""Reads the index that kb.search.index writes. These two alone know Whoosh."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from whoosh.index import open_dir

from kb.search.analysis import stemmed
from kb.search.document import Document
from kb.search.index import GAMES, KNOWN_WORDS, VOCABULARY

KEPT = 2_000


class OpenIndex:
    """An index opened for reading. Documents have numbers here; they hold for as long as it is open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = open_dir(str(folder), readonly=True)
        self._reader = self._index.reader()
        self._numbers: dict[tuple[str, str], frozenset[int]] = {}
        # A prompt asks the same words again with every key: what was read of the index is kept for the next query.
        self._kept_postings = lru_cache(KEPT)(self._read_postings)
        self.record = lru_cache(KEPT)(self._read_record)

    def close(self) -> None:
        """Close the index's files."""
        self._reader.close()
        self._index.close()

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
        return [kind.decode() for kind in self._reader.lexicon("kind")]

    def scopes(self, depth: int) -> list[str]:
        """The id prefixes of up to `depth` parts."""
        found = (scope.decode() for scope in self._reader.lexicon("scope"))
        return [scope for scope in found if scope.count("/") < depth]

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
        return (field, value) in self._reader

    def knows(self, word: str) -> bool:
        """Whether some document holds a (folded) word."""
        return self.holds("text", stemmed(word))

    def numbers(self, field: str, value: str) -> frozenset[int]:
        """The documents with this value in a field."""
        if (field, value) not in self._numbers:
            known = self._reader.postings(field, value).all_ids() if self.holds(field, value) else ()
            self._numbers[field, value] = frozenset(known)
        return self._numbers[field, value]

    def size(self) -> int:
        """How many documents there are."""
        return int(self._reader.doc_count())

    def how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        return int(self._reader.doc_frequency("text", word))

    def postings(self, word: str, among: frozenset[int] | None) -> list[tuple[int, float]]:
        """The documents (of `among`) that hold an index word, with its weight in each."""
        found = self._kept_postings(word)
        return found if among is None else [pair for pair in found if pair[0] in among]

    def _read_postings(self, word: str) -> list[tuple[int, float]]:
        if not self.holds("text", word):
            return []
        matcher, found = self._reader.postings("text", word), []
        while matcher.is_active():
            found.append((matcher.id(), matcher.weight()))
            matcher.next()
        return found

    def _read_record(self, number: int) -> dict[str, Any]:
        """What ranks a document, analysed (see kb.search.index.stored)."""
        return dict(json.loads(self._reader.stored_fields(number)["data"].partition("\n")[0]))

    def document(self, number: int) -> Document:
        """A document as it was indexed."""
        stored: dict[str, Any] = json.loads(self._reader.stored_fields(number)["data"].partition("\n")[2])
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()
        }
        return Document(**values)

    def documents(self) -> Iterator[Document]:
        """Every document, as it was indexed, in the order of the ids."""
        yield from sorted(map(self.document, self._reader.all_doc_ids()), key=lambda document: document.id)
