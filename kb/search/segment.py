"""Writes and reads Whoosh segments whose bytes depend on nothing but the documents in them.

Whoosh's own writer names segments by chance, keeps times in them and sorts through files; here a segment is named by what is in it,
its terms are sorted, and its postings lie as two arrays (numbers of documents, weights), so that a list of thousands is read at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import Any, cast

from whoosh.codec.whoosh3 import W3Codec, W3FieldWriter, W3Segment, W3TermsReader
from whoosh.columns import VarBytesColumn
from whoosh.fields import COLUMN, ID, FieldType, Schema
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.filedb.structfile import StructFile
from whoosh.formats import Frequency
from whoosh.index import TOC
from whoosh.reading import SegmentReader

from kb.errors import KbError

INDEX = "MAIN"
# What a document leaves in the index: `data` is what a hit shows, `terms` its words (by which its segment can be written again).
COLUMNS = ("data", "terms")
# What lies of a term beside its postings: whoosh.codec.whoosh3.W3TermInfo, then the place and length of its postings.
TERM, FIELD = Struct("!BfIBBfIIqi"), Struct("!H")
Terms = Mapping[str, Mapping[str, float]]


class DamagedIndexError(KbError):
    """The files of an index are not as they were written."""


class TermFile(W3TermsReader):  # type: ignore[misc]
    """The terms of a segment."""

    def find(self, field: str, term: bytes) -> tuple[int, int] | None:
        """Where the postings of a term begin, and how many there are."""
        for place, length in self._tindex.ranges_for_key(self._keycoder(field, term)):
            info = TERM.unpack(self._dbfile.get(place, length))
            return info[-2], info[-1]
        return None

    def postings(self, field: str, term: bytes) -> tuple[Sequence[int], Sequence[float]]:
        """The documents that hold a term, in order, and its weight in each."""
        if (found := self.find(field, term)) is None:
            return (), ()
        offset, length = found
        numbers, weights = array("I"), array("f")
        numbers.frombytes(self._postfile.get(offset, 4 * length))
        weights.frombytes(self._postfile.get(offset + 4 * length, 4 * length))
        return numbers, weights


class ArrayCodec(W3Codec):  # type: ignore[misc]
    """Whoosh's codec with lists of postings as two arrays."""

    def terms_reader(self, storage: Any, segment: Any) -> TermFile:
        """The terms of a segment."""
        name = segment.make_filename(self.TERMS_EXT)
        return TermFile(
            self, storage.open_file(name), storage.file_length(name), segment.open_file(storage, self.POSTS_EXT)
        )


class Fields(W3FieldWriter):  # type: ignore[misc]
    """Writes the terms of a segment."""

    def add_term(self, term: bytes, numbers: Sequence[int], weights: Sequence[float]) -> None:
        """A term with its postings; terms come sorted, postings in the order of the documents.

        This is `start_term`, `add` and `finish_term` of Whoosh's writer in one step: there are tens of thousands of terms.
        """
        file = self._postfile
        info = TERM.pack(
            0, sum(weights), len(numbers), 0, 0, max(weights), numbers[0], numbers[-1], file.tell(), len(numbers)
        )
        file.write(array("I", numbers).tobytes() + array("f", weights).tobytes())
        self._tindex.add(FIELD.pack(self._fieldid) + term, info)


def schema() -> Schema:
    """Fields of the index."""
    text = FieldType(analyzer=None, format=Frequency(), scorable=True)
    names = {name: ID() for name in ("id", "scope", "kind", "name", "handle")}
    return Schema(text=text, **names, **{name: COLUMN(VarBytesColumn()) for name in COLUMNS})


def write_segment(folder: Path, name: str, size: int, documents: Iterable[tuple[tuple[bytes, bytes], Terms]]) -> None:
    """Write the segment `name` into `folder`: of each of its `size` documents its columns, and its terms with their weights by field."""
    storage, segment, fields = RamStorage(), W3Segment(ArrayCodec(), INDEX, size, name), schema()
    files = [storage.create_file(W3Codec.column_filename(segment, column)) for column in COLUMNS]
    writers = [VarBytesColumn().writer(file) for file in files]
    # Of each term number and weight, number and weight and so on.
    lists: dict[str, dict[str, array[float]]] = {}
    for number, (columns, held) in enumerate(documents):
        for writer, part in zip(writers, columns, strict=True):
            writer.add(number, part)
        for field, weights in held.items():
            lists_of_field = lists.setdefault(field, {})
            for term, weight in weights.items():
                listed = lists_of_field.get(term)
                if listed is None:
                    listed = lists_of_field[term] = array("d")
                listed.extend((number, weight))
    for writer, file in zip(writers, files, strict=True):
        writer.finish(size)
        file.close()
    terms = Fields(segment.codec(), storage, segment)
    for field in sorted(lists):
        terms.start_field(field, fields[field])
        for key in sorted(key.encode("utf-8") for key in lists[field]):
            listed = lists[field].pop(key.decode("utf-8"))
            terms.add_term(key, array("I", map(int, listed[::2])), listed[1::2])
        terms.finish_field()
    terms.close()
    with (folder / segment.make_filename(segment.COMPOUND_EXT)).open("wb") as out:
        assemble(StructFile(out), storage)


def assemble(out: StructFile, storage: RamStorage) -> None:
    """Write the files of a segment as one, as Whoosh does but for order and times."""
    out.write_long(0)
    out.write_int(0)
    directory = {}
    for name in sorted(storage.list()):
        data = storage.files[name]
        directory[name] = {"offset": out.tell(), "length": len(data), "modified": 0.0}
        out.write(data)
    CompoundStorage.write_dir(out, 0, directory)


def write_contents(folder: Path, names: Sequence[tuple[str, int]]) -> None:
    """Write the file that makes an index of the segments `names`, each with the number of its documents."""
    segments = []
    for name, size in names:
        segment = W3Segment(ArrayCodec(), INDEX, size, name)
        segment.compound = True
        segments.append(segment)
    TOC(schema(), segments, 1).write(FileStorage(str(folder)), INDEX)


def segment_file(name: str) -> str:
    """The file of a segment."""
    return str(W3Segment(ArrayCodec(), INDEX, 0, name).make_filename(W3Segment.COMPOUND_EXT))


class SegmentFile:
    """A segment opened for reading. Its documents have numbers from 0."""

    def __init__(self, reader: SegmentReader) -> None:
        self._reader = reader
        self._terms: TermFile = reader._terms
        self.size = int(reader.doc_count_all())
        self._columns: dict[str, Any] = {}

    def __enter__(self) -> SegmentFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close its file."""
        self._columns.clear()
        self._reader.close()

    def holds(self, field: str, value: str) -> bool:
        """Whether a field has this value in some document."""
        return self._terms.find(field, encoded(value)) is not None

    def terms(self, field: str) -> list[str]:
        """The values of a field."""
        return [term.decode("utf-8") for term in self._reader.lexicon(field)] if self.has(field) else []

    def has(self, field: str) -> bool:
        """Whether some document has a value in this field."""
        return field in self._reader.indexed_field_names()

    def how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        found = self._terms.find("text", encoded(word))
        return found[1] if found else 0

    def postings(self, field: str, value: str) -> tuple[Sequence[int], Sequence[float]]:
        """The documents with a value in a field, in order, and its weight in each."""
        return self._terms.postings(field, encoded(value))

    def column(self, name: str, number: int) -> bytes:
        """What a document left in a column."""
        if name not in self._columns:
            self._columns[name] = self._reader.column_reader(name, translate=False)
        return cast("bytes", self._columns[name][number])

    def each(self, name: str) -> Iterator[bytes]:
        """What every document left in a column, in order; they lie in the order of their ids."""
        for number in range(self.size):
            yield self.column(name, number)


def encoded(value: str) -> bytes:
    """A value as it is looked up; half characters, which no document holds, are not found."""
    return value.encode("utf-8", "surrogatepass")


def open_segments(folder: Path) -> list[SegmentFile]:
    """The segments of an index. Raises DamagedIndexError when they cannot be opened."""
    storage, fields = FileStorage(str(folder)), schema()
    try:
        found = TOC.read(storage, INDEX, 1, fields).segments
        return [SegmentFile(SegmentReader(storage, fields, segment)) for segment in found]
    except Exception as error:  # whatever unpickling and unpacking raise on bytes that are none of theirs
        what = f"{type(error).__name__}: {error}"
        raise DamagedIndexError(f"The search index in {folder} is damaged ({what}): `kb build` rebuilds it.") from error
