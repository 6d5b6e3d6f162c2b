"""Write the search index with Whoosh, and read it. The index has one field with weighted words (BM25F), and fields
for lookups.

An index is written in one go into a new folder, and is never changed afterwards. `whoosh.index.open_dir` opens it.
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

# The weight of a word by the field that contains it. Weighted frequencies are added, as in the simple BM25F of Robertson, Zaragoza and
# Taylor (2004).
WEIGHTS = {"title": 1.5, "alias": 1.5, "asked": 0.7, "part": 1.5, "related": 1.0, "body": 1.0, "older": 0.3}
# The penalty for long documents (BM25's b), and the neutral length in index words.
LENGTH_SHARE, USUAL_LENGTH = 0.4, 110
# Words of at most this many letters are not used to correct queries.
SHORT = 2


class Codec(W3Codec):  # type: ignore[misc]
    """A codec that stores the postings of a word in one uncompressed block, because they are read as a whole. The codec
    stores no field lengths.
    """

    length_stats = False

    def __init__(self) -> None:
        super().__init__(blocklimit=2**20, compression=0)


class Weighted(fields.FieldType):  # type: ignore[misc]
    """A field whose value is a mapping of terms to their weights in the document."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None)

    def index(self, value: Mapping[str, float], **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Yield the terms of the mapping `value` in the form that Whoosh indexes."""
        return ((term.encode("utf-8"), 1, weight, b"") for term, weight in value.items())


def schema() -> fields.Schema:
    """Return the fields of the index.

    `text` contains the words of a document. `id`, `kind`, `scope`, `edition`, `name` and `handle` are for lookups. Two
    columns contain JSON: `record` is for ranking a document, `document` for showing it. An additional document at the
    end contains the vocabulary and the known words in these columns.
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
    """Write an index of `documents` into the new folder `folder`. `progress` is called with the number of each
    document.

    Documents are sorted by id, so that the same documents in any order make the same index.
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

    The weights are already divided by the factor for the document's length, so that a query does not need the lengths.
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
    """Return the values of a document for the fields other than `text`: edition, id, kind, scope, name, handle."""
    return {
        "edition": filter(None, [document.edition]),
        "id": [document.id],
        "kind": [document.kind],
        "scope": document.scopes,
        "name": filter(None, record.called),
        "handle": filter(None, handles(document)),
    }


def placed(document: Document) -> list[tuple[float, Sequence[str]]]:
    """Return the index words of each text of a document, with the weight for the kind of text (title, body …)."""
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
    """Return names that belong only to this document: its printed codes, and the last part of its id."""
    last = " ".join(words(document.id.rsplit("/", 1)[-1].replace("-", " ")))
    return list(dict.fromkeys([*(" ".join(words(code)) for code in document.codes), last]))


def known_words(document: Document) -> dict[str, int]:
    """Return the words of a document that can be used to correct a query, with their weights. Words in titles have the
    highest weights.
    """
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
    """Return the vocabulary as JSON: synonyms as index words, and names normalized for comparison."""
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
    """An index that is open for reading. Documents have numbers, in the order of their ids."""

    def __init__(self, folder: Path) -> None:
        self._reader = open_dir(str(folder), readonly=True).reader()
        # Another build may remove this folder, so open now all files that are read later.
        self._records, self._documents = map(self._reader.column_reader, ("record", "document"))
        # The same words are looked up again and again, at a prompt with every key, so the results are cached.
        for name in ("numbers", "searched", "gains", "record", "document"):
            setattr(self, name, lru_cache(KEPT)(getattr(self, name)))

    def close(self) -> None:
        """Close the index's files."""
        self._reader.close()

    def size(self) -> int:
        """Return the number of documents. The additional document with the vocabulary is not counted."""
        return int(self._reader.doc_count_all()) - 1

    @cached_property
    def vocabulary(self) -> dict[str, Any]:
        """The synonyms (`synonyms`), the names of games and sets (`called`) and the editions (`editions`), as written
        by `analysed`.
        """
        return dict(json.loads(self._records[self.size()]))

    @cached_property
    def words(self) -> dict[str, int]:
        """The words that can be used to correct a query, with their weights, highest first."""
        return dict(json.loads(self._documents[self.size()]))

    def holds(self, field: str, value: str) -> bool:
        """Return True if the field `field` of some document has the value `value`."""
        # Whoosh cannot look up unpaired surrogates, and no document contains them.
        return (field, value.encode("utf-8", "replace").decode()) in self._reader

    def has_scope(self, within: str) -> bool:
        """Return True if the id prefix `within` contains a document."""
        return self.holds("scope", within)

    def kinds(self) -> list[str]:
        """Return the kinds of entries (and `card`) in the index."""
        return self.terms("kind")

    def scopes(self, depth: int) -> list[str]:
        """Return the documents' id prefixes that have at most `depth` parts."""
        return [scope for scope in self.terms("scope") if scope.count("/") < depth]

    def folders(self) -> list[str]:
        """Return the id prefixes that contain documents, without the ids of the documents themselves."""
        return [place for place in self.scopes(4) if not self.holds("id", place)]

    def called(self) -> dict[str, list[str]]:
        """Return the names that people use for the games and sets in the index, by id prefix."""
        names = self.vocabulary["called"]
        places = sorted({*self.scopes(1), *filter(self.has_scope, names)})
        return {place: list(names.get(place, ())) for place in places}

    @cached_property
    def editions(self) -> dict[str, tuple[Edition, ...]]:
        """The editions of each game's rules, newest first."""
        by_game = self.vocabulary["editions"]
        return {game: tuple(Edition(**edition) for edition in editions) for game, editions in by_game.items()}

    def terms(self, field: str) -> list[str]:
        """Return all values of a field, sorted."""
        return [value.decode("utf-8") for value in self._reader.lexicon(field)]

    def knows(self, word: str) -> bool:
        """Return True if some document contains a word. `word` must be folded (see kb.retrieval.analysis.folded)."""
        return self.how_often(stemmed(word)) > 0

    def documents(self) -> Iterator[Document]:
        """Yield every document of the index in the order of the ids."""
        return map(self.document, range(self.size()))

    def stored(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the JSON of every document in the order of the ids."""
        for number in range(self.size()):
            text = self._documents[number].decode("utf-8")
            yield json.loads(text)[0], text

    def record(self, number: int) -> IndexRecord:
        """Return the record used to rank the document `number`."""
        return IndexRecord.from_json(self._records[number])

    def document(self, number: int) -> Document:
        """Return the document `number`."""
        return Document.from_json(self._documents[number])

    def how_often(self, word: str) -> int:
        """Return the number of documents that contain an index word."""
        return int(self._reader.doc_frequency("text", word))

    def numbers(self, field: str, value: str) -> frozenset[int]:
        """Return the numbers of the documents whose field `field` has the value `value`."""
        try:
            return frozenset(self._reader.postings(field, value).all_ids())
        except TermNotFound:
            return frozenset()

    def searched(self, place: str | None, kind: str | None, later: frozenset[str]) -> frozenset[int] | None:
        """Return the numbers of the documents inside the id prefix `place`, of the kind `kind`, and of none of the
        editions in `later`. None means all documents.
        """
        narrow = [self.numbers(name, value) for name, value in (("scope", place), ("kind", kind)) if value]
        among = frozenset.intersection(*narrow) if narrow else None
        if not later:
            return among
        searched = frozenset(range(self.size())) if among is None else among
        return searched.difference(*(self.numbers("edition", each) for each in later))

    def gains(self, word: str, among: frozenset[int] | None) -> Gains:
        """Return the documents that contain an index word, with a score (0 to 1) for each. More occurrences give a
        higher score.

        With `among`, only the documents with these numbers are returned.
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
