"""Writes the search index with Whoosh: one field whose words have weights (BM25F), and fields for lookups.

An index is written at once, into a new folder, and never changed; `whoosh.index.open_dir` opens it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from whoosh import columns, fields, formats
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage
from whoosh.index import open_dir
from whoosh.reading import TermNotFound

from kb.registry.about import Edition
from kb.retrieval.analysis import index_words, stemmed, words
from kb.retrieval.document import Document, Vocabulary
from kb.retrieval.ranking import SATURATION, Gains
from kb.retrieval.record import IndexRecord, record_of

# Weight of a word by its place: the simple BM25F of Robertson, Zaragoza and Taylor (2004) adds weighted frequencies.
WEIGHTS = {"title": 1.5, "alias": 1.5, "asked": 0.7, "part": 1.5, "related": 1.0, "body": 1.0, "older": 0.3}
# The penalty for long documents (BM25's b), and the neutral length in index words.
LENGTH_SHARE, USUAL_LENGTH = 0.4, 110
# A query is not corrected to words of this length or shorter.
SHORT = 2


class Codec(W3Codec):  # type: ignore[misc]
    """A codec with postings in one uncompressed block, because they are read as a whole, and without field lengths."""

    length_stats = False

    def __init__(self) -> None:
        super().__init__(blocklimit=2**20, compression=0)


class Weighted(fields.FieldType):  # type: ignore[misc]
    """A field whose value is a mapping: each key is a term, each value its weight in the document."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None)

    def index(self, value: Mapping[str, float], **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Return the terms in the form that Whoosh indexes."""
        return ((term.encode("utf-8"), 1, weight, b"") for term, weight in value.items())


def schema() -> fields.Schema:
    """Return the fields of the index.

    `text` has the words of a document; `id`, `kind`, `scope`, `edition`, `name` and `handle` are for lookups. Two
    columns contain JSON: `record` for ranking a document, `document` for showing it. The last document is a special
    one: its columns contain the vocabulary and the known words.
    """
    weighted, column = Weighted(), fields.COLUMN(columns.VarBytesColumn())
    return fields.Schema(
        text=weighted,
        id=weighted,
        kind=weighted,
        scope=weighted,
        name=weighted,
        handle=weighted,
        edition=weighted,
        record=column,
        document=column,
    )


def write_index(
    folder: Path,
    documents: Iterable[Document],
    vocabulary: Vocabulary | None = None,
    progress: Callable[[int], None] = lambda _number: None,
) -> None:
    """Write the index of `documents` into the new folder `folder`; `progress` is called with the number written so
    far.

    Documents are sorted by id, so equal input in any order makes an equal index.
    """
    folder.mkdir()
    index = FileStorage(str(folder)).create_index(schema())
    known = Counter[str]()
    with index.writer(codec=Codec(), limitmb=512, compound=False) as writer:
        for number, document in enumerate(sorted(documents, key=lambda document: document.id)):
            record = record_of(document)
            terms = {field: dict.fromkeys(values, 1.0) for field, values in names(document, record).items()}
            writer.add_document(
                **terms, text=weighted_words(document), record=record.as_json, document=document.as_json
            )
            known.update(known_words(document))
            progress(number)
        counts = dict(sorted(known.items(), key=lambda pair: (-pair[1], pair[0])))
        writer.add_document(
            record=json.dumps(analysed(vocabulary or Vocabulary())).encode(), document=json.dumps(counts).encode()
        )


def weighted_words(document: Document) -> dict[str, float]:
    """Return the index words of a document with their weights.

    The weights are divided by the document's length factor here, so that a query need not look lengths up.
    """
    placed_words = placed(document)
    length = sum(len(listed) for _weight, listed in placed_words)
    factor = 1 - LENGTH_SHARE + LENGTH_SHARE * length / USUAL_LENGTH
    text: dict[str, float] = {}
    before = text.get
    for weight, listed in placed_words:
        share = round(weight / factor, 4)
        for word in listed:
            text[word] = before(word, 0.0) + share
    return text


def names(document: Document, record: IndexRecord) -> dict[str, Iterable[str]]:
    """Return the values of a document's other index fields (edition, id, kind, scope, name, handle)."""
    return {
        "edition": filter(None, [document.edition]),
        "id": [document.id],
        "kind": [document.kind],
        "scope": document.scopes,
        "name": filter(None, record.called),
        "handle": filter(None, handles(document)),
    }


def placed(document: Document) -> list[tuple[float, Sequence[str]]]:
    """Return the index words of each text of a document, with the weight of its place."""
    places = [
        ("title", (document.title,)),
        ("alias", document.aliases),
        ("asked", document.asked),
        ("part", document.parts),
        ("related", document.related),
        ("body", document.sentences),
        ("older", document.older),
    ]
    return [(WEIGHTS[place], index_words(text)) for place, texts in places for text in texts]


def handles(document: Document) -> list[str]:
    """Return further names that only this document has: printed codes, and the last part of its id."""
    last = " ".join(words(document.id.rsplit("/", 1)[-1].replace("-", " ")))
    return list(dict.fromkeys([*(" ".join(words(code)) for code in document.codes), last]))


def known_words(document: Document) -> dict[str, int]:
    """Return the words of a document that a query can be corrected to, with their weights (highest for words of titles)."""
    if document.own:  # a site's search contains these words, which must not come from a private copy
        return {}
    counts: dict[str, int] = {}
    before = counts.get
    of_title = 1 if document.kind == "card" else 12
    for weight, texts in (
        (of_title, (document.title,)),
        (8, document.aliases),
        (1, document.asked),
        (1, document.sentences),
    ):
        for text in texts:
            for word in words(text):
                counts[word] = before(word, 0) + weight
    return {word: number for word, number in counts.items() if len(word) > SHORT}


def analysed(vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the vocabulary as JSON, with synonyms stemmed and names folded for comparison."""
    return {
        "synonyms": {
            game: [[" ".join(index_words(phrase)) for phrase in group] for group in groups]
            for game, groups in vocabulary.synonyms.items()
        },
        "called": {scope: [" ".join(words(name)) for name in names] for scope, names in vocabulary.called.items()},
        "editions": {game: list(map(asdict, editions)) for game, editions in vocabulary.editions.items()},
    }


# The number of words, records and documents from the index to cache.
KEPT = 2_000


class OpenIndex:
    """An index opened for reading. Documents have numbers, in the order of their ids."""

    def __init__(self, folder: Path) -> None:
        self._reader = open_dir(str(folder), readonly=True).reader()
        # Another build may remove this folder, so open now all files that are read later.
        self._records, self._documents = map(self._reader.column_reader, ("record", "document"))
        # Cache: the same words are looked up repeatedly, at a prompt with every key.
        for name in ("numbers", "gains", "record", "document"):
            setattr(self, name, lru_cache(KEPT)(getattr(self, name)))

    def close(self) -> None:
        """Close the index's files."""
        self._reader.close()

    def size(self) -> int:
        """Return the number of documents, without the special last one."""
        return int(self._reader.doc_count_all()) - 1

    @cached_property
    def vocabulary(self) -> dict[str, Any]:
        """The `synonyms` and names of games (`called`) in the form of the index."""
        return dict(json.loads(self._records[self.size()]))

    @cached_property
    def words(self) -> dict[str, int]:
        """The words that a query can be corrected to, with their weights, the highest first."""
        return dict(json.loads(self._documents[self.size()]))

    def holds(self, field: str, value: str) -> bool:
        """Return True if a field has this value in some document."""
        # Half of a surrogate pair occurs nowhere, and Whoosh cannot look it up.
        return (field, value.encode("utf-8", "replace").decode()) in self._reader

    def has_scope(self, within: str) -> bool:
        """Return True if any document has this id prefix."""
        return self.holds("scope", within)

    def kinds(self) -> list[str]:
        """Return the kinds of entries (and `card`) in the index."""
        return self.terms("kind")

    def scopes(self, depth: int) -> list[str]:
        """Return the id prefixes of up to `depth` parts."""
        return [scope for scope in self.terms("scope") if scope.count("/") < depth]

    def folders(self) -> list[str]:
        """Return the id prefixes that contain documents: scopes that are not a document's own id."""
        return [place for place in self.scopes(4) if not self.holds("id", place)]

    def called(self) -> dict[str, list[str]]:
        """Return people's names for the games and sets in the index, by id prefix."""
        names = self.vocabulary["called"]
        places = sorted({*self.scopes(1), *filter(self.has_scope, names)})
        return {place: list(names.get(place, ())) for place in places}

    @cached_property
    def editions(self) -> dict[str, tuple[Edition, ...]]:
        """The editions of each game's rules, the newest first."""
        by_game = self.vocabulary["editions"]
        return {game: tuple(Edition(**edition) for edition in editions) for game, editions in by_game.items()}

    def terms(self, field: str) -> list[str]:
        """Return the values of a field, in order."""
        return [value.decode("utf-8") for value in self._reader.lexicon(field)]

    def knows(self, word: str) -> bool:
        """Return True if some document contains a (folded) word."""
        return self.how_often(stemmed(word)) > 0

    def documents(self) -> Iterator[Document]:
        """Yield every document, as indexed, in the order of the ids."""
        return map(self.document, range(self.size()))

    def stored(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the JSON of every document, in the order of the ids."""
        for number in range(self.size()):
            text = self._documents[number].decode("utf-8")
            yield json.loads(text)[0], text

    def record(self, number: int) -> IndexRecord:
        """Read the record that ranks a document, by its number."""
        return IndexRecord.from_json(self._records[number])

    def document(self, number: int) -> Document:
        """Read a document, as indexed, by its number."""
        return Document.from_json(self._documents[number])

    def how_often(self, word: str) -> int:
        """Return the number of documents that contain an index word."""
        return int(self._reader.doc_frequency("text", word))

    def numbers(self, field: str, value: str) -> frozenset[int]:
        """Return the numbers of the documents with this value in a field."""
        try:
            return frozenset(self._reader.postings(field, value).all_ids())
        except TermNotFound:
            return frozenset()

    def gains(self, word: str, among: frozenset[int] | None) -> Gains:
        """Return the documents (in `among`) that contain an index word, with the score of each for it. More
        occurrences give a higher score, up to 1.
        """
        if among is not None:
            return {number: gain for number, gain in self.gains(word, None).items() if number in among}
        gains: dict[int, float] = {}
        try:
            postings = self._reader.postings("text", word)
        except TermNotFound:
            return gains
        while postings.is_active():
            often = postings.weight()
            gains[postings.id()] = often / (often + SATURATION)
            postings.next()
        return gains
