"""Writes the Whoosh index: one field whose words carry weights (BM25F), so that a query looks each word up once.

Documents lie in a fixed number of segments, each in the one that its id names. A segment's bytes depend on nothing but the documents in
it: when some change, only their segments are written again, and the result is, byte for byte, what a new index of all would be.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

from kb.files.same import same_file
from kb.search.analysis import index_words, words
from kb.search.document import Document, Vocabulary, json_bytes
from kb.search.names import words_of_names
from kb.search.record import record_of, stored
from kb.search.segment_file import SEGMENTS, SegmentFile, open_segments, segment_file
from kb.search.spool import Row, Spool
from kb.search.terms import Terms
from kb.search.totals import COUNTS, Totals, write_json, write_totals

if TYPE_CHECKING:
    from kb.search.segment import Names, Weights

# Weight of a word by where it stands: the simple BM25F of Robertson, Zaragoza and Taylor (2004) adds weighted frequencies.
WEIGHTS = {"title": 1.5, "alias": 1.5, "asked": 0.7, "part": 1.5, "related": 1.0, "body": 1.0, "older": 0.3}
# How much a long document loses (BM25's b), and the length (in index words) that neither gains nor loses.
LENGTH_SHARE, USUAL_LENGTH = 0.4, 110
FORMAT = 21
# A query is not corrected to words of so few letters.
SHORT = 2
# Into how many segments entries and cards are divided: more make a change quicker to take in, and a search slower.
SEGMENTS_OF_ENTRIES, SEGMENTS_OF_CARDS = 8, 2
SEGMENTS_IN_ALL = SEGMENTS_OF_ENTRIES + SEGMENTS_OF_CARDS
MANIFEST = "documents.json"
PIECE = 1_000
VOCABULARY = "vocabulary.json"


@dataclass(frozen=True, slots=True)
class Same:
    """A document of which nothing has changed since the index was written that an update goes out from."""

    id: str
    kind: str
    digest: str


def row_of(document: Document) -> Row:
    """The document, analysed.

    The weights of its words are divided by the document's length factor here, so that a query need not look lengths up.
    """
    analysed = placed(document)
    length = sum(len(listed) for _weight, listed in analysed)
    factor = 1 - LENGTH_SHARE + LENGTH_SHARE * length / USUAL_LENGTH
    text: dict[str, float] = {}
    before = text.get
    for weight, listed in analysed:
        share = round(weight / factor, 4)
        for word in listed:
            text[word] = before(word, 0.0) + share
    record = record_of(document)
    names = {
        "id": [document.id], "kind": [document.kind], "scope": list(dict.fromkeys(document.scopes)),
        "name": list(filter(None, record.called)), "handle": list(filter(None, handles(document))),
    }  # fmt: skip
    counts = document.kind != "card" and not document.own
    terms = Terms(document.game, counts, names, text, known_words(document), *words_of_names(document))
    return Row(stored(record, document), terms.packed())


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
    for weight, texts in ((1 if document.kind == "card" else 12, (document.title,)), (8, document.aliases)):
        for text in texts:
            for word in words(text):
                counts[word] = before(word, 0) + weight
    for text in (*document.asked, *document.sentences):
        for word in words(text):
            counts[word] = before(word, 0) + 1
    return {word: number for word, number in counts.items() if len(word) > SHORT}


def update_index(
    folder: Path,
    documents: Iterable[Document | Same],
    vocabulary: Vocabulary | None,
    previous: Path | None,
    progress: Callable[[float], None],
    cards: Iterable[Document] | None = None,
) -> None:
    """Write the index of `documents` into the new folder `folder`; `cards`, when they are given, are all of them, and written before a
    document is asked for.

    When `previous` holds an index of the same format, the segments in which nothing changed are taken from there, and the vocabulary
    when none is given.
    `progress` is told the share that is done (0 to 1) once all documents have come.
    """
    folder.mkdir()
    known = read_manifest(previous)
    written: dict[int, tuple[str, int]] = {}
    digests: dict[str, str] = {}
    for given in (documents,) if cards is None else (cards, documents):
        with ExitStack() as stack:
            spools = [stack.enter_context(Spool(folder / f"spool-{number}")) for number in range(SEGMENTS_IN_ALL)]
            segments = divided(given, spools, known)
            for number, held in enumerate(segments):
                if given is documents:
                    progress(0.5 + number / len(segments) / 2)
                if held and number in written:
                    raise ValueError(f"{next(iter(held))} comes when its segment is written")
                if held:
                    written[number] = put_segment(folder, held, spools[number], previous, known), len(held)
                    digests.update(held)
                    held.clear()
    write_json(folder / SEGMENTS, {"segments": [told for _number, told in sorted(written.items())]})
    write_manifest(folder / MANIFEST, digests)
    if vocabulary is None and previous:
        shutil.copyfile(previous / VOCABULARY, folder / VOCABULARY)
    else:
        write_json(folder / VOCABULARY, analysed(vocabulary or Vocabulary()))
    write_totals(folder, [name for _number, (name, _size) in sorted(written.items())])
    progress(1.0)


def divided(
    documents: Iterable[Document | Same], spools: Sequence[Spool], known: Mapping[str, str]
) -> list[dict[str, str]]:
    """By segment, the digests of the documents in it by id; each that is not `known` so is put aside in the spool of its segment."""
    segments: list[dict[str, str]] = [{} for _spool in spools]
    for document in documents:
        number = segment_of(document.id, document.kind)
        segments[number][document.id] = document.digest
        if known.get(document.id) != document.digest:
            if isinstance(document, Same):
                raise ValueError(f"{document.id} is not in the index that it should be taken from")
            spools[number].put(document.id, row_of(document))
    return segments


def write_manifest(path: Path, digests: Mapping[str, str]) -> None:
    """Write what an index says of itself: its documents in order, with their digests. In pieces, for of large sources it is large."""
    listed = sorted(digests)
    with path.open("wb") as file:
        file.write(b'{"digests":{')
        for start in range(0, len(listed), PIECE):
            piece = json_bytes({document: digests[document] for document in listed[start : start + PIECE]})
            file.write((b"," if start else b"") + piece[1:-1])
        file.write(b'},"format":%d}' % FORMAT)


def segment_of(document: str, kind: str) -> int:
    """The number of the segment that a document lies in."""
    place = crc32(document.encode("utf-8", "surrogatepass"))
    return SEGMENTS_OF_ENTRIES + place % SEGMENTS_OF_CARDS if kind == "card" else place % SEGMENTS_OF_ENTRIES


def put_segment(
    folder: Path, held: Mapping[str, str], spool: Spool, previous: Path | None, known: Mapping[str, str]
) -> str:
    """Put the segment of the documents `held` (digest by id) into `folder`; returns its name, which stands for what is in it.

    A segment that `previous` has is taken from there; in one that is written anew, documents that have not changed come from there.
    """
    from kb.search.segment import write_segment  # searches import this module, and need nothing of Whoosh's writing

    listed = sorted(held.items())
    name = hashlib.blake2b(f"{FORMAT}\0{listed}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    files = (segment_file(name), f"{name}{COUNTS}")
    if previous and all((previous / file).is_file() for file in files):
        for file in files:
            same_file(previous / file, folder / file)
        return name
    places = spool.places()
    totals = Totals()
    with ExitStack() as stack:
        older = open_segments(previous) if previous and len(places) < len(held) else []
        for segment in older:
            stack.enter_context(segment)

        def rows() -> Iterator[tuple[Row, Names, Weights]]:
            for document, digest in listed:
                place = places.get(document)
                old = document if known.get(document) == digest else ""
                row = row_in(older, old) if place is None else spool.row(place)
                terms = Terms.unpacked(row.terms)
                totals.add(terms)
                yield row, terms.names, terms.text

        write_segment(folder, name, len(listed), rows())
    write_json(folder / f"{name}{COUNTS}", totals.told())
    return name


def row_in(segments: list[SegmentFile], document: str) -> Row:
    """The row of a document that lies in an index written before; its segment comes first then, for the next ones likely lie there too.
    Raises KeyError when none does."""
    for place, segment in enumerate(segments):
        numbers, _weights = segment.postings("id", document)
        for number in numbers:
            if place:
                segments.insert(0, segments.pop(place))
            return Row(segment.column("data", number), segment.column("terms", number))
    raise KeyError(document)


def read_manifest(previous: Path | None) -> dict[str, str]:
    """Digest by document id of an index written before; empty when it is of another format."""
    return cast("dict[str, str]", manifest(previous).get("digests", {})) if previous else {}


def manifest(folder: Path) -> dict[str, Any]:
    """What an index says of itself; nothing when it is of another format."""
    try:
        told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) and told.get("format") == FORMAT else {}


def analysed(vocabulary: Vocabulary) -> dict[str, Any]:
    """The vocabulary as index words."""
    return {
        "synonyms": {
            game: [[" ".join(index_words(phrase)) for phrase in group] for group in groups]
            for game, groups in vocabulary.synonyms.items()
        },
        "called": {scope: [" ".join(words(name)) for name in names] for scope, names in vocabulary.called.items()},
    }
