"""Writes Whoosh segments whose bytes depend on nothing but the documents in them; kb.search.segment_file reads them.

Whoosh's own writer names segments by chance, keeps times in them and sorts through files; here a segment is named by what is in it,
its terms are sorted, and its postings lie as two arrays (numbers of documents, weights), so that a list of thousands is read at once.
"""

from __future__ import annotations

import pickle
import shutil
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import Struct
from tempfile import TemporaryDirectory
from zlib import crc32

from whoosh.codec.whoosh3 import W3Codec, W3FieldWriter, W3Segment
from whoosh.columns import VarBytesColumn
from whoosh.fields import COLUMN, ID, FieldType, Schema
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.filetables import OrderedHashWriter
from whoosh.filedb.structfile import StructFile
from whoosh.formats import Frequency

from kb.search.segment_file import (
    FIELD,
    HEAD,
    INDEX,
    LENGTHS,
    SLOT,
    SUMS,
    TERM,
    extras_of,
    hash_of,
    part_of,
    segment_file,
)

# What a document leaves in the index: `data` is what a hit shows, `terms` its words (by which its segment can be written again).
COLUMNS = ("data", "terms")
TEXT = "text"
Names = Mapping[str, Sequence[str]]
Weights = Mapping[str, float]
# A term that one document holds alone, as most names and ids are: its number and weight, as two arrays of one would lie.
SINGLE = Struct("=If")


class TermWriter(OrderedHashWriter):  # type: ignore[misc]
    """Writes Whoosh's hash of terms in fewer steps, to the same bytes: there are tens of thousands of them."""

    def __init__(self, file: StructFile) -> None:
        super().__init__(file)
        self._place = file.tell()
        # Hash and place in turn: of tens of thousands of terms, pairs would take megabytes.
        self.buckets = [array("Q") for _number in range(256)]

    def add(self, key: bytes, value: bytes) -> None:
        """A term with what lies beside its postings; terms come sorted."""
        place = self._place
        row = LENGTHS.pack(len(key), len(value)) + key + value
        self.dbfile.file.write(row)
        self._place = place + len(row)
        self.index.append(place)
        hashed = hash_of(key)
        self.buckets[hashed & 255].extend((hashed, place))

    def _write_hashes(self) -> None:
        place, empty = self._place, SLOT.pack(0, 0)
        for entries in self.buckets:
            size = len(entries)  # twice as many places as terms
            self.directory.append((place, size))
            slots = [empty] * size
            for hashed, at in zip(entries[::2], entries[1::2], strict=True):
                slot = (hashed >> 8) % size
                while slots[slot] is not empty:
                    slot = (slot + 1) % size
                slots[slot] = SLOT.pack(hashed, at)
            self.dbfile.write(b"".join(slots))
            place += size * SLOT.size


class Fields(W3FieldWriter):  # type: ignore[misc]
    """Writes the terms of a segment."""

    _tindex: OrderedHashWriter

    def __init__(self, codec: W3Codec, storage: FileStorage, segment: W3Segment) -> None:
        super().__init__(codec, storage, segment)
        file = self._tindex.dbfile
        file.seek(0)
        self._tindex = TermWriter(file)
        self._tindex.extras["fieldmap"] = self._fieldmap
        self._written = 0

    def words(self, found: dict[str, array[float] | tuple[int, float]]) -> None:
        """The words of the documents, each with the numbers of documents and its weights there; `found` is emptied."""
        listed = ((word, found.pop(word)) for word in sorted(found))  # as their bytes are sorted in UTF-8
        self._put(
            (word, held if isinstance(held, tuple) else (array("I", map(int, held[::2])), held[1::2]))
            for word, held in listed
        )

    def names(self, found: dict[str, array[int] | int]) -> None:
        """The names in a field, each with the documents that have it; `found` is emptied."""
        listed = ((name, found.pop(name)) for name in sorted(found))
        self._put(
            (name, (held, 1.0) if isinstance(held, int) else (held, array("d", [1.0]) * len(held)))
            for name, held in listed
        )

    def _put(self, terms: Iterable[tuple[str, tuple[int, float] | tuple[array[int], array[float]]]]) -> None:
        """Terms with the numbers of documents that hold them, and their weights there; terms come sorted, documents in their order.

        This is `start_term`, `add` and `finish_term` of Whoosh's writer in one step: there are tens of thousands of terms, most of which
        one document holds.
        """
        write, add, field = self._postfile.file.write, self._tindex.add, FIELD.pack(self._fieldid)
        told, single, written = TERM.pack, SINGLE.pack, self._written
        for term, (numbers, weights) in terms:
            if isinstance(numbers, int) or isinstance(weights, float):
                info = told(0, weights, 1, 0, 0, weights, numbers, numbers, written, 1)
                postings = single(numbers, weights)
            else:
                number = len(numbers)
                info = told(0, sum(weights), number, 0, 0, max(weights), numbers[0], numbers[-1], written, number)
                postings = numbers.tobytes() + array("f", weights).tobytes()
            write(postings)
            written += len(postings)
            add(field + term.encode("utf-8"), info)
        self._written = written


class Texts(VarBytesColumn.Writer):  # type: ignore[misc]
    """Writes a column of texts in fewer steps, to the same bytes."""

    def __init__(self, file: StructFile) -> None:
        super().__init__(file)
        self._sizes = array("Q")

    def add(self, docnum: int, v: bytes) -> None:
        """The text of a document; they come in order, and each has one."""
        self._dbfile.file.write(v)
        self._sizes.append(len(v))

    def finish(self, doccount: int) -> None:
        """Write where the texts lie."""
        places = array("Q", accumulate(self._sizes, initial=0))[:-1]
        self._lengths.array, self._offsets.array = map(narrow, (self._sizes, places))
        self._count = doccount
        super().finish(doccount)


def narrow(numbers: array[int]) -> array[int]:
    """The numbers in the narrowest array that Whoosh would take for them."""
    most = max(numbers, default=0)
    kind = next((kind for kind in "BHi" if most < 1 << (8 * array(kind).itemsize - (kind == "i"))), "I")
    return array(kind, numbers)


Held = tuple[Sequence[bytes], Names, Weights]
"""A document as its segment takes it in: its columns, by field the names that it has, its words with their weights."""


def schema() -> Schema:
    """Fields of the index."""
    text = FieldType(analyzer=None, format=Frequency(), scorable=True)
    names = {name: ID() for name in ("id", "scope", "kind", "name", "handle")}
    return Schema(**{TEXT: text}, **names, **{name: COLUMN(VarBytesColumn()) for name in COLUMNS})


def write_segment(folder: Path, name: str, size: int, documents: Iterable[Held]) -> None:
    """Write the segment `name` into `folder`, of `size` documents."""
    with TemporaryDirectory(dir=folder) as beside:  # the parts of one with tens of thousands of documents take 50 MB
        write_parts(FileStorage(beside), name, size, documents)
        with (folder / segment_file(name)).open("wb") as out:
            assemble(StructFile(out), Path(beside))
    seal(folder / segment_file(name), name)


def write_parts(storage: FileStorage, name: str, size: int, documents: Iterable[Held]) -> None:
    """Write the files of a segment."""
    segment, fields = W3Segment(W3Codec(), INDEX, size, name), schema()
    files = [storage.create_file(W3Codec.column_filename(segment, column)) for column in COLUMNS]
    writers = [Texts(file) for file in files]
    # Of each word number and weight, number and weight and so on; of each name the numbers. What one document holds alone has no array.
    words: dict[str, array[float] | tuple[int, float]] = {}
    lists: dict[str, dict[str, array[int] | int]] = defaultdict(dict)
    before = words.get
    for number, (columns, names, weights) in enumerate(documents):
        for writer, part in zip(writers, columns, strict=True):
            writer.add(number, part)
        for term, weight in weights.items():
            listed = before(term)
            if listed is None:
                words[term] = number, weight
            elif isinstance(listed, tuple):
                words[term] = array("d", (*listed, number, weight))
            else:
                listed.extend((number, weight))
        for field, terms in names.items():
            of_field = lists[field]
            for term in terms:
                held = of_field.get(term)
                if held is None:
                    of_field[term] = number
                elif isinstance(held, int):
                    of_field[term] = array("I", (held, number))
                else:
                    held.append(number)
    for writer, file in zip(writers, files, strict=True):
        writer.finish(size)
        file.close()
    put = Fields(segment.codec(), storage, segment)
    for field in sorted((*lists, TEXT) if words else lists):
        put.start_field(field, fields[field])
        if field == TEXT:
            put.words(words)
        else:
            put.names(lists.pop(field))
        put.finish_field()
    put.close()


def assemble(out: StructFile, beside: Path) -> None:
    """Write the files of a segment as one, as Whoosh does but for order and times."""
    out.write_long(0)
    out.write_int(0)
    directory = {}
    for path in sorted(beside.iterdir()):
        directory[path.name] = {"offset": out.tell(), "length": path.stat().st_size, "modified": 0.0}
        with path.open("rb") as part:
            shutil.copyfileobj(part, out.file)
    CompoundStorage.write_dir(out, 0, directory)


def seal(path: Path, name: str) -> None:
    """Append the checksums of its two pickled tables to the file of a segment."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        directory = data[HEAD.unpack_from(data)[0] :]
        terms = pickle.loads(directory)[part_of(name, "trm")]
        sums = crc32(directory), crc32(data[extras_of(data, terms["offset"], terms["length"])])
    with path.open("ab") as out:
        out.write(SUMS.pack(*sums))
