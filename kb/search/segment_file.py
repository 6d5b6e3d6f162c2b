"""Reads the segments that kb.search.segment writes, in the form of Whoosh's files: a search needs nothing else of Whoosh, nor a copy of them.

A segment is one file: the place of its directory, the files within one after the other, the directory. Terms lie in a file of Whoosh's
ordered hashes (whoosh.filedb.filetables), what documents left in columns of texts (whoosh.columns.VarBytesColumn). Behind all of that stand
checksums of the two tables that Whoosh pickles: of bytes that were changed, unpickling would take any memory.
"""

from __future__ import annotations

import json
import mmap
import pickle
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from hashlib import md5
from itertools import accumulate, chain
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import Any
from zlib import crc32

from kb.errors import KbError

# Which segments make the index, in order, each with the number of its documents.
SEGMENTS = "segments.json"
INDEX = "MAIN"
# What lies of a term beside its postings: whoosh.codec.whoosh3.W3TermInfo, then the place and length of its postings.
TERM, FIELD = Struct("!BfIBBfIIqi"), Struct("!H")
HEAD, SLOT, TABLE, LENGTHS, NUMBER = Struct("!qi"), Struct("!Iq"), Struct("!qi"), Struct("!ii"), Struct("!i")
SUMS = Struct("!II")
TABLES = 256
AT_ONCE = 1_000
"""Documents that are read one after the other before the system is told that their part of the file may go."""


class DamagedIndexError(KbError):
    """The files of an index are not as they were written."""


def segment_file(name: str) -> str:
    """The file of a segment."""
    return f"{INDEX}_{name}.seg"


def part_of(name: str, kind: str) -> str:
    """A file within that of a segment."""
    return f"{INDEX}_{name}.{kind}"


def hash_of(key: bytes) -> int:
    """The number by which Whoosh's hashes find a key."""
    return int.from_bytes(md5(key, usedforsecurity=False).digest()[-4:], "big")


def extras_of(data: bytes | mmap.mmap, base: int, length: int) -> slice:
    """Where the pickled table lies in the file of terms that begins at `base`."""
    last = base + length - NUMBER.size
    return slice(last - NUMBER.unpack_from(data, last)[0], last)


def unpickled(told: bytes, checksum: int) -> Any:
    """What was pickled. Raises ValueError when the bytes are not those that were written."""
    if crc32(told) != checksum:
        raise ValueError("a table is not as it was written")
    return pickle.loads(told)


class TermFile:
    """The terms of a segment: the file within `data` that begins at `base`."""

    def __init__(self, data: mmap.mmap, base: int, length: int, checksum: int) -> None:
        self._data, self._base = data, base
        extras = extras_of(data, base, length)
        self._tables, self._last = extras.start - TABLES * TABLE.size, extras.stop
        self._told = unpickled(data[extras], checksum)
        self.fields: dict[str, int] = self._told["fieldmap"]

    def find(self, field: str, term: bytes) -> tuple[int, int] | None:
        """Where the postings of a term begin, and how many there are."""
        if field not in self.fields:
            return None
        data, base = self._data, self._base
        key = FIELD.pack(self.fields[field]) + term
        hashed = hash_of(key)
        start, size = TABLE.unpack_from(data, self._tables + (hashed & 255) * TABLE.size)
        if base + start + size * SLOT.size > self._tables:
            raise ValueError("a table of terms is not as it was written")
        at = (hashed >> 8) % size if size else 0
        for slot in chain(range(at, size), range(at)):
            found, place = SLOT.unpack_from(data, base + start + slot * SLOT.size)
            if not place:
                return None
            if found == hashed and self._key(place) == key:
                info = TERM.unpack_from(data, base + place + LENGTHS.size + len(key))
                return info[-2], info[-1]
        return None

    def listed(self, field: str) -> Iterator[bytes]:
        """The terms of a field, in order."""
        if field in self.fields:
            # The places of the terms in their order lie at the end.
            kind, number = str(self._told["indextype"]), int(self._told["indexlen"])
            order = numbers_at(self._data, self._last - number * array(kind).itemsize, kind, number)
            sign = FIELD.pack(self.fields[field])
            for place in order[bisect_left(order, sign, key=self._key) :]:
                key = self._key(place)
                if not key.startswith(sign):
                    return
                yield key[FIELD.size :]

    def _key(self, place: int) -> bytes:
        begin = self._base + place + LENGTHS.size
        return self._data[begin : begin + LENGTHS.unpack_from(self._data, begin - LENGTHS.size)[0]]


class Column:
    """What each of `size` documents left in a column: the file within `data` that begins at `base`."""

    def __init__(self, data: mmap.mmap, base: int, length: int, size: int) -> None:
        self._data, self._base = data, base
        end = base + length - 1
        kind = chr(data[end])
        if kind == "X":  # of very many documents the places are written, too
            kind, places = chr(data[end - 2]), chr(data[end - 1])
            end -= 2 + size * array(places).itemsize
            self._places: Sequence[int] = numbers_at(data, end, places, size)
            self._sizes = numbers_at(data, end - size * array(kind).itemsize, kind, size)
        else:
            self._sizes = numbers_at(data, end - size * array(kind).itemsize, kind, size)
            self._places = array("Q", accumulate(self._sizes, initial=0))

    def __getitem__(self, number: int) -> bytes:
        begin = self._base + self._places[number]
        return self._data[begin : begin + self._sizes[number]]


def numbers_at(data: mmap.mmap, place: int, kind: str, number: int) -> array[int]:
    """Numbers of a kind (as `array` names them), written with the highest byte first."""
    found: array[int] = array(kind)
    found.frombytes(data[place : place + number * found.itemsize])
    if sys.byteorder == "little":
        found.byteswap()
    return found


class SegmentFile:
    """A segment opened for reading. Its documents have numbers from 0."""

    def __init__(self, folder: Path, name: str, size: int) -> None:
        self.size = size
        self._name = name
        with (folder / segment_file(name)).open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        end = len(self._data) - SUMS.size
        directory, terms = SUMS.unpack_from(self._data, end)
        self._parts: dict[str, Any] = unpickled(self._data[HEAD.unpack_from(self._data)[0] : end], directory)
        self._terms = TermFile(self._data, *self._part("trm"), terms)
        self._postings, _length = self._part("pst")
        self._columns: dict[str, Column] = {}

    def __enter__(self) -> SegmentFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _part(self, kind: str) -> tuple[int, int]:
        """Where a file within that of the segment begins, and its length."""
        found = self._parts[part_of(self._name, kind)]
        return int(found["offset"]), int(found["length"])

    def close(self) -> None:
        """Close its file."""
        self._columns.clear()
        self._data.close()

    def holds(self, field: str, value: str) -> bool:
        """Whether a field has this value in some document."""
        return self._terms.find(field, encoded(value)) is not None

    def terms(self, field: str) -> list[str]:
        """The values of a field."""
        return [term.decode("utf-8") for term in self._terms.listed(field)]

    def how_often(self, word: str) -> int:
        """How many documents hold an index word."""
        found = self._terms.find("text", encoded(word))
        return found[1] if found else 0

    def postings(self, field: str, value: str) -> tuple[Sequence[int], Sequence[float]]:
        """The documents with a value in a field, in order, and its weight in each."""
        if (found := self._terms.find(field, encoded(value))) is None:
            return (), ()
        begin, middle = self._postings + found[0], self._postings + found[0] + 4 * found[1]
        numbers, weights = array("I"), array("f")
        numbers.frombytes(self._data[begin:middle])
        weights.frombytes(self._data[middle : middle + 4 * found[1]])
        return numbers, weights

    def column(self, name: str, number: int) -> bytes:
        """What a document left in a column."""
        if name not in self._columns:
            self._columns[name] = Column(self._data, *self._part(f"{name}.col"), self.size)
        return self._columns[name][number]

    def each(self, name: str) -> Iterator[bytes]:
        """What every document left in a column, in order; they lie in the order of their ids. Of what was read little stays in memory."""
        for number in range(self.size):
            yield self.column(name, number)
            if number % AT_ONCE == AT_ONCE - 1 and hasattr(mmap, "MADV_DONTNEED"):
                self._data.madvise(mmap.MADV_DONTNEED)


def encoded(value: str) -> bytes:
    """A value as it is looked up; half characters, which no document holds, are not found."""
    return value.encode("utf-8", "surrogatepass")


def open_segments(folder: Path) -> list[SegmentFile]:
    """The segments of an index. Raises DamagedIndexError when they cannot be opened."""
    opened: list[SegmentFile] = []
    try:
        for name, size in json.loads((folder / SEGMENTS).read_bytes())["segments"]:
            opened.append(SegmentFile(folder, name, size))
    except Exception as error:  # whatever unpickling and unpacking raise on bytes that are none of theirs
        for segment in opened:
            segment.close()
        what = f"{type(error).__name__}: {error}"
        raise DamagedIndexError(f"The search index in {folder} is damaged ({what}): `kb build` rebuilds it.") from error
    return opened
