"""Writes the search index with Whoosh: one field whose words carry weights (BM25F), and what else a document is found by.

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
from kb.retrieval.record import Record, record_of

# Weight of a word by where it stands: the simple BM25F of Robertson, Zaragoza and Taylor (2004) adds weighted frequencies.
WEIGHTS = {"title": 1.5, "alias": 1.5, "asked": 0.7, "part": 1.5, "related": 1.0, "body": 1.0, "older": 0.3}
# How much a long document loses (BM25's b), and the length (in index words) that neither gains nor loses.
LENGTH_SHARE, USUAL_LENGTH = 0.4, 110
# A query is not corrected to words of so few letters.
SHORT = 2


class Codec(W3Codec):  # type: ignore[misc]
    """Postings in one block, not compressed, for they are read whole; no field has lengths, and Whoosh does not look for any."""

    length_stats = False

    def __init__(self) -> None:
        super().__init__(blocklimit=2**20, compression=0)


class Weighted(fields.FieldType):  # type: ignore[misc]
    """A field whose value is a mapping: each key is a term, each value its weight in the document."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None)

    def index(self, value: Mapping[str, float], **_options: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        """The terms as Whoosh takes them in."""
        return ((term.encode("utf-8"), 1, weight, b"") for term, weight in value.items())


def schema() -> fields.Schema:
    """The fields of the index.

    `text` has the words of a document; `id`, `kind`, `scope`, `edition`, `name` and `handle` what it is looked up by.
    Two columns hold JSON: `record` what ranks a document, `document` what is shown of it. The
    last document is none: its columns hold the vocabulary and the known words.
    """
    weighted, column = Weighted(), fields.COLUMN(columns.VarBytesColumn())
    return fields.Schema(
        text=weighted, id=weighted, kind=weighted, scope=weighted, name=weighted, handle=weighted, edition=weighted,
        record=column, document=column,
    )  # fmt: skip


def write_index(
    folder: Path,
    documents: Iterable[Document],
    vocabulary: Vocabulary | None = None,
    progress: Callable[[int], None] = lambda _number: None,
) -> None:
    """Write the index of `documents` into the new folder `folder`; `progress` is told how many are in it.

    Equal documents always lie in the same order, whatever the order in which they come: their ids'.
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
    """The index words of a document with their weights.

    These are divided by the document's length factor here, so that a query need not look lengths up.
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


def names(document: Document, record: Record) -> dict[str, Iterable[str]]:
    """The values of a document's other index fields (edition, id, kind, scope, name, handle)."""
    return {
        "edition": filter(None, [document.edition]),
        "id": [document.id], "kind": [document.kind], "scope": document.scopes, "name": filter(None, record.called),
        "handle": filter(None, handles(document)),
    }  # fmt: skip


def placed(document: Document) -> list[tuple[float, Sequence[str]]]:
    """The index words of each text of a document, with the weight of the place where it stands."""
    places = [("title", (document.title,)), ("alias", document.aliases), ("asked", document.asked), ("part", document.parts),
              ("related", document.related), ("body", document.sentences), ("older", document.older)]  # fmt: skip
    return [(WEIGHTS[place], index_words(text)) for place, texts in places for text in texts]


def handles(document: Document) -> list[str]:
    """What else names a document alone: printed codes, and the last part of its id."""
    last = " ".join(words(document.id.rsplit("/", 1)[-1].replace("-", " ")))
    return list(dict.fromkeys([*(" ".join(words(code)) for code in document.codes), last]))


def known_words(document: Document) -> dict[str, int]:
    """The words of a document that a query can be corrected to, with how much they count (words of titles most)."""
    if document.own:  # a site's search is given these words, and nothing of a private copy
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
    """The vocabulary as JSON, with synonyms stemmed and names folded as the index compares them."""
    return {
        "synonyms": {
            game: [[" ".join(index_words(phrase)) for phrase in group] for group in groups]
            for game, groups in vocabulary.synonyms.items()
        },
        "called": {scope: [" ".join(words(name)) for name in names] for scope, names in vocabulary.called.items()},
        "editions": {game: list(map(asdict, editions)) for game, editions in vocabulary.editions.items()},
    }


# How many words, records and documents are kept of those that were read of the index.
KEPT = 2_000


class OpenIndex:
    """An index opened for reading. Documents have numbers here, in the order of their ids."""

    def __init__(self, folder: Path) -> None:
        self._reader = open_dir(str(folder), readonly=True).reader()
        # Another build may remove this folder: what is read later than now has to be open.
        self._records, self._documents = map(self._reader.column_reader, ("record", "document"))
        # The same words are asked again and again, at a prompt with every key.
        for name in ("numbers", "gains", "record", "document"):
            setattr(self, name, lru_cache(KEPT)(getattr(self, name)))

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
        """Whether any document has this id prefix."""
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
        by_game = self.vocabulary["editions"]
        return {game: tuple(Edition(**edition) for edition in editions) for game, editions in by_game.items()}

    def terms(self, field: str) -> list[str]:
        """The values that a field has, in order."""
        return [value.decode("utf-8") for value in self._reader.lexicon(field)]

    def knows(self, word: str) -> bool:
        """Whether some document holds a (folded) word."""
        return self.how_often(stemmed(word)) > 0

    def documents(self) -> Iterator[Document]:
        """Every document, as it was indexed, in the order of the ids."""
        return map(self.document, range(self.size()))

    def stored(self) -> Iterator[tuple[str, str]]:
        """The id and the JSON of every document, in the order of the ids."""
        for number in range(self.size()):
            text = self._documents[number].decode("utf-8")
            yield json.loads(text)[0], text

    def record(self, number: int) -> Record:
        """Read the record that ranks a document, by its number."""
        return Record.from_json(self._records[number])

    def document(self, number: int) -> Document:
        """Read a document as it was indexed, by its number."""
        return Document.from_json(self._documents[number])

    def how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        return int(self._reader.doc_frequency("text", word))

    def numbers(self, field: str, value: str) -> frozenset[int]:
        """The numbers of the documents with this value in a field."""
        try:
            return frozenset(self._reader.postings(field, value).all_ids())
        except TermNotFound:
            return frozenset()

    def gains(self, word: str, among: frozenset[int] | None) -> Gains:
        """The documents (of `among`) that hold an index word, and what each gains by it: the more the more often it stands there, up to 1."""
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
