"""Writes segments, in the form of Whoosh's files, whose bytes depend on nothing but the documents in them; kb.search.segment_file reads them.

A segment is named by what is in it, its terms are sorted, and its postings lie as two arrays (numbers of documents, weights), so that a list
of thousands is read at once. Nothing of Whoosh is loaded: that would take longer than writing the segment of a document that has changed.
"""

from __future__ import annotations

import pickle
import shutil
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import md5
from itertools import accumulate
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import Struct
from typing import IO, TypeAlias
from zlib import crc32

from kb.search.segment_file import (
    FIELD,
    HEAD,
    LENGTHS,
    NUMBER,
    SLOT,
    SUMS,
    TABLE,
    TABLES,
    TERM,
    extras_of,
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
# What Whoosh's ordered hashes begin with: their sign, that MD5 finds a key, and two numbers that mean nothing yet.
BEGIN = b"HSH3" + bytes(9)
# A column of more documents than these tells their places, too.
MANY = 2**15
# Kinds of numbers with a sign.
SIGNED = "iq"
# Terms that are put into the file at once.
AT_ONCE = 1_000
Postings: TypeAlias = "tuple[int, float] | tuple[array[int], array[float]]"
"""The number of the only document that holds a term, with its weight there; or the numbers of all, with the weights."""


class Terms:
    """Writes the terms of a segment, as Whoosh's ordered hash lies in a file, and their postings."""

    def __init__(self, terms: IO[bytes], postings: IO[bytes]) -> None:
        self._terms, self._postings = terms, postings
        self._fields: dict[str, int] = {}
        self._places = array("Q")
        # Hash and place in turn: of tens of thousands of terms, pairs would take megabytes.
        self._buckets = [array("Q") for _number in range(TABLES)]
        self._place, self._written = terms.write(BEGIN), 0

    def put(self, field: str, terms: Iterable[tuple[str, Postings]]) -> None:
        """The terms of a field with their postings; fields and terms come sorted, documents in their order."""
        sign = FIELD.pack(self._fields.setdefault(field, len(self._fields)))
        told, single, lengths, number_of = TERM.pack, SINGLE.pack, LENGTHS.pack, int.from_bytes
        place, written, buckets, places = self._place, self._written, self._buckets, self._places
        rows: list[bytes] = []
        lists: list[bytes] = []
        for term, (numbers, weights) in terms:
            if isinstance(numbers, int) or isinstance(weights, float):
                info = told(0, weights, 1, 0, 0, weights, numbers, numbers, written, 1)
                postings = single(numbers, weights)
            else:
                number = len(numbers)
                info = told(0, sum(weights), number, 0, 0, max(weights), numbers[0], numbers[-1], written, number)
                postings = numbers.tobytes() + array("f", weights).tobytes()
            key = sign + term.encode("utf-8")
            hashed = number_of(md5(key, usedforsecurity=False).digest()[-4:], "big")  # kb.search.segment_file.hash_of
            buckets[hashed & 255].extend((hashed, place))
            places.append(place)
            row = lengths(len(key), len(info)) + key + info
            place += len(row)
            written += len(postings)
            rows.append(row)
            lists.append(postings)
            if len(rows) >= AT_ONCE:
                self._flush(rows, lists)
        self._flush(rows, lists)
        self._place, self._written = place, written

    def _flush(self, rows: list[bytes], lists: list[bytes]) -> None:
        """Put rows of terms and lists of postings into the files; they are emptied."""
        self._terms.write(b"".join(rows))
        self._postings.write(b"".join(lists))
        rows.clear()
        lists.clear()

    def finish(self) -> None:
        """Write by what terms are found: the hash tables, where each of them lies, and the order of the terms."""
        tables = b"".join(TABLE.pack(*table) for table in self._tables())
        order = narrow(self._places, "HiIq")
        extras = {"fieldmap": self._fields, "indextype": order.typecode, "indexlen": len(order)}
        told = pickle.dumps(extras, pickle.HIGHEST_PROTOCOL) + in_file(order)
        self._terms.write(tables + told + NUMBER.pack(len(told)))

    def _tables(self) -> Iterator[tuple[int, int]]:
        """Write the hash tables; of each the place and the number of its slots."""
        place, empty = self._place, SLOT.pack(0, 0)
        for entries in self._buckets:
            size = len(entries)  # twice as many slots as terms
            yield place, size
            slots = [empty] * size
            for hashed, at in zip(entries[::2], entries[1::2], strict=True):
                slot = (hashed >> 8) % size
                while slots[slot] is not empty:
                    slot = (slot + 1) % size
                slots[slot] = SLOT.pack(hashed, at)
            self._terms.write(b"".join(slots))
            place += size * SLOT.size


def in_file(numbers: array[int]) -> bytes:
    """Numbers as Whoosh writes them: with the highest byte first. They are turned."""
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers.tobytes()


def narrow(numbers: Sequence[int], kinds: str) -> array[int]:
    """The numbers in the first array of these kinds (as `array` names them) that takes them all. Raises OverflowError where none does."""
    bits = max(numbers, default=0).bit_length()
    fitting = (kind for kind in kinds if bits <= 8 * array(kind).itemsize - (kind in SIGNED))
    return array(next(fitting, kinds[-1]), numbers)


Held = tuple[Sequence[bytes], Names, Weights]
"""A document as its segment takes it in: its columns, by field the names that it has, its words with their weights."""


def write_segment(folder: Path, name: str, size: int, documents: Iterable[Held]) -> None:
    """Write the segment `name` into `folder`, of `size` documents."""
    beside = folder / f"{name}.parts"  # of tens of thousands of documents they take 50 MB
    beside.mkdir()
    try:
        write_parts(beside, name, size, documents)
        assemble(folder / segment_file(name), beside)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    seal(folder / segment_file(name), name)


def write_parts(beside: Path, name: str, size: int, documents: Iterable[Held]) -> None:
    """Write the files of a segment into the folder `beside`."""
    # Of each word number and weight, number and weight and so on; of each name the numbers. What one document holds alone has no array.
    words: dict[str, array[float] | tuple[int, float]] = {}
    lists: dict[str, dict[str, array[int] | int]] = defaultdict(dict)
    before = words.get
    with ExitStack() as stack:
        opened = [stack.enter_context((beside / part_of(name, f"{column}.col")).open("wb")) for column in COLUMNS]
        sizes = [array("Q") for _column in COLUMNS]
        for number, (columns, names, weights) in enumerate(documents):
            for file, lengths, part in zip(opened, sizes, columns, strict=True):
                lengths.append(file.write(part))
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
        for file, lengths in zip(opened, sizes, strict=True):
            file.write(column_end(lengths))
    with (beside / part_of(name, "trm")).open("wb") as told, (beside / part_of(name, "pst")).open("wb") as postings:
        put = Terms(told, postings)
        for field in sorted((*lists, TEXT) if words else lists):
            put.put(field, of_words(words) if field == TEXT else of_names(lists.pop(field)))
        put.finish()


def of_words(found: dict[str, array[float] | tuple[int, float]]) -> Iterator[tuple[str, Postings]]:
    """The words of the documents, each with the numbers of documents and its weights there; `found` is emptied."""
    for word in sorted(found):  # as their bytes are sorted in UTF-8
        held = found.pop(word)
        yield word, held if isinstance(held, tuple) else (array("I", map(int, held[::2])), held[1::2])


def of_names(found: dict[str, array[int] | int]) -> Iterator[tuple[str, Postings]]:
    """The names in a field, each with the documents that have it; `found` is emptied."""
    for name in sorted(found):
        held = found.pop(name)
        yield name, (held, 1.0) if isinstance(held, int) else (held, array("d", [1.0]) * len(held))


def column_end(lengths: array[int]) -> bytes:
    """What stands behind the texts of a column: the length of each, and of very many where each begins, then the kinds of these numbers."""
    told = narrow(lengths, "BHiI")
    kinds, end = str(told.typecode), in_file(told)
    if len(lengths) > MANY:
        places = narrow(array("Q", accumulate(lengths, initial=0))[:-1], "BHiI")
        kinds, end = f"{kinds}{places.typecode}X", end + in_file(places)
    return end + kinds.encode("ascii")


def assemble(path: Path, beside: Path) -> None:
    """Write the files of a segment as the one of this path, as Whoosh does but for order and times."""
    directory = {}
    with path.open("wb") as out:
        out.write(HEAD.pack(0, 0))
        for part in sorted(beside.iterdir()):
            directory[part.name] = {"offset": out.tell(), "length": part.stat().st_size, "modified": 0.0}
            with part.open("rb") as file:
                shutil.copyfileobj(file, out)
        place = out.tell()
        told = b"".join(pickle.dumps(each, pickle.HIGHEST_PROTOCOL) for each in (directory, {}))
        out.write(told)
        out.seek(0)
        out.write(HEAD.pack(place, len(told)))


def seal(path: Path, name: str) -> None:
    """Append the checksums of its two pickled tables to the file of a segment."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        directory = data[HEAD.unpack_from(data)[0] :]
        terms = pickle.loads(directory)[part_of(name, "trm")]
        sums = crc32(directory), crc32(data[extras_of(data, terms["offset"], terms["length"])])
    with path.open("ab") as out:
        out.write(SUMS.pack(*sums))
