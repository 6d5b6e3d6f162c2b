"""Reads the index that kb.retrieval.index writes, with Whoosh's reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from whoosh.index import open_dir
from whoosh.reading import TermNotFound

from kb.registry.about import Edition
from kb.retrieval.analysis import stemmed
from kb.retrieval.document import Document
from kb.retrieval.matching import Gains
from kb.retrieval.ranking import SATURATION
from kb.retrieval.record import Record

# How many words and records are kept that were read of the index, of how many words it is known how often they stand there, and how
# many documents are kept whole.
KEPT, KEPT_COUNTS, KEPT_SHOWN = 2_000, 20_000, 1_000


class OpenIndex:
    """An index opened for reading. Documents have numbers here, in the order of their ids."""

    def __init__(self, folder: Path) -> None:
        self._reader = open_dir(str(folder), readonly=True).reader()
        # Another build may remove this folder: what is read later than now has to be open.
        self._records, self._documents = map(self._reader.column_reader, ("record", "document"))
        # The same words are asked again and again, at a prompt with every key: what was read of the index is kept for the next query.
        self.numbers = lru_cache(KEPT)(self._read_numbers)
        self.how_often = lru_cache(KEPT_COUNTS)(self._read_how_often)
        self.gains = lru_cache(KEPT)(self._read_gains)
        self.record = lru_cache(KEPT)(self._read_record)
        self.document = lru_cache(KEPT_SHOWN)(self._read_document)

    def close(self) -> None:
        """Close the index's files."""
        self._reader.close()

    def size(self) -> int:
        """How many documents there are; the last that lies in the index is none."""
        return int(self._reader.doc_count_all()) - 1

    @cached_property
    def vocabulary(self) -> dict[str, Any]:
        """`synonyms` and names of games (`called`) as the index uses them."""
        return dict(json.loads(self._records[self.size()]))

    @cached_property
    def words(self) -> dict[str, int]:
        """The words a query can be corrected to, with how much each counts, those first that count most."""
        return dict(json.loads(self._documents[self.size()]))

    def holds(self, field: str, value: str) -> bool:
        """Whether a field has this value in some document."""
        # Half a character stands nowhere, and Whoosh could not look for it.
        return (field, value.encode("utf-8", "replace").decode()) in self._reader

    def has_scope(self, within: str) -> bool:
        """Whether anything lies below an id prefix."""
        return self.holds("scope", within)

    def kinds(self) -> list[str]:
        """The kinds of entries (and `card`) that are there."""
        return self.terms("kind")

    def scopes(self, depth: int) -> list[str]:
        """The id prefixes of up to `depth` parts."""
        return [scope for scope in self.terms("scope") if scope.count("/") < depth]

    def folders(self) -> list[str]:
        """The id prefixes that hold something: scopes that are no document's own id."""
        return [place for place in self.scopes(4) if not self.holds("id", place)]

    def called(self) -> dict[str, list[str]]:
        """What people call the games and sets that are there, by id prefix."""
        names = self.vocabulary["called"]
        places = sorted({*self.scopes(1), *filter(self.has_scope, names)})
        return {place: list(names.get(place, ())) for place in places}

    @cached_property
    def editions(self) -> dict[str, tuple[Edition, ...]]:
        """The editions of each game's rules, the newest first."""
        told = self.vocabulary["editions"]
        return {game: tuple(Edition(**edition) for edition in editions) for game, editions in told.items()}

    def terms(self, field: str) -> list[str]:
        """The values that a field has, in order."""
        return [value.decode("utf-8") for value in self._reader.lexicon(field)]

    def knows(self, word: str) -> bool:
        """Whether some document holds a (folded) word."""
        return self.how_often(stemmed(word)) > 0

    def documents(self) -> Iterator[Document]:
        """Every document, as it was indexed, in the order of the ids."""
        return map(self._read_document, range(self.size()))

    def stored(self) -> Iterator[tuple[str, str]]:
        """The id and the JSON of every document, in the order of the ids."""
        for number in range(self.size()):
            text = self._documents[number].decode("utf-8")
            yield json.loads(text)[0], text

    def _read_record(self, number: int) -> Record:
        """What ranks a document, analysed."""
        return Record.from_json(self._records[number])

    def _read_document(self, number: int) -> Document:
        """A document as it was indexed."""
        return Document.from_json(self._documents[number])

    def _read_how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        return int(self._reader.doc_frequency("text", word))

    def _read_numbers(self, field: str, value: str) -> frozenset[int]:
        """The documents with this value in a field."""
        try:
            return frozenset(self._reader.postings(field, value).all_ids())
        except TermNotFound:
            return frozenset()

    def _read_gains(self, word: str, among: frozenset[int] | None) -> Gains:
        """The documents (of `among`) that hold an index word, and what each gains by it: the more the more often it stands there, up to 1."""
        if among is not None:
            return {number: gain for number, gain in self.gains(word, None).items() if number in among}
        found: dict[int, float] = {}
        try:
            postings = self._reader.postings("text", word)
        except TermNotFound:
            return found
        while postings.is_active():
            often = postings.weight()
            found[postings.id()] = often / (often + SATURATION)
            postings.next()
        return found
