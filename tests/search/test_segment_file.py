"""Segments are read without Whoosh as Whoosh's own readers of its files read them."""

from __future__ import annotations

from array import array
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.columns import VarBytesColumn
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.filetables import OrderedHashReader, OrderedHashWriter

from kb.search.segment import COLUMNS, write_segment
from kb.search.segment_file import (
    FIELD,
    TABLE,
    TABLES,
    TERM,
    DamagedIndexError,
    SegmentFile,
    open_segments,
    part_of,
    segment_file,
)

Document = tuple[tuple[bytes, bytes], dict[str, float], list[str]]
TERMS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
WEIGHTS = st.dictionaries(TERMS, st.sampled_from([0.25, 1.0, 1.5, 3.0]), max_size=6)
DOCUMENTS = st.lists(
    st.tuples(
        st.tuples(st.binary(max_size=400), st.binary(max_size=9)), WEIGHTS, st.lists(TERMS, max_size=4, unique=True)
    ),
    min_size=1,
    max_size=40,
)


@given(DOCUMENTS, TERMS)
def test_reads_what_whoosh_reads(documents: list[Document], other: str) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        write_segment(folder, "s", len(documents), [(parts, {"name": names}, text) for parts, text, names in documents])  # fmt: skip
        storage = CompoundStorage(FileStorage(made).open_file(segment_file("s")))
        terms = OrderedHashReader(storage.open_file(part_of("s", "trm")), storage.file_length(part_of("s", "trm")))
        postings = storage.open_file(part_of("s", "pst"))
        with SegmentFile(folder, "s", len(documents)) as segment:
            fields = {number: name for name, number in terms.extras["fieldmap"].items()}
            listed: dict[str, list[str]] = {"text": [], "name": []}
            for key, info in terms.items():
                field, term = fields[FIELD.unpack(key[: FIELD.size])[0]], key[FIELD.size :].decode()
                listed[field].append(term)
                *_rest, place, length = TERM.unpack(info)
                numbers = array("I", postings.get(place, 4 * length))
                weights = array("f", postings.get(place + 4 * length, 4 * length))
                assert segment.postings(field, term) == (numbers, weights)
                held = [
                    (number, text if field == "text" else dict.fromkeys(names, 1.0))
                    for number, (_, text, names) in enumerate(documents)
                ]
                assert list(zip(numbers, weights, strict=True)) == [(number, of[term]) for number, of in held if term in of]  # fmt: skip
            assert {field: segment.terms(field) for field in listed} == listed
            assert segment.holds("text", other) == (other in listed["text"])
            assert segment.how_often(other) == sum(other in text for _parts, text, _names in documents)
            assert not segment.holds("nowhere", other)
            for place, column in enumerate(COLUMNS):
                name = part_of("s", f"{column}.col")
                whole = VarBytesColumn().reader(storage.open_file(name), 0, storage.file_length(name), len(documents))
                written = [parts[place] for parts, _text, _names in documents]
                assert list(segment.each(column)) == list(whole) == written


@pytest.mark.parametrize("size", [1, 40, 3_000, 33_000])
def test_writes_what_whoosh_writes(size: int, tmp_path: Path) -> None:
    texts = [b"x" * (number % 300) for number in range(size)]
    documents = [((text, b""), {"name": [f"n{number}"]}, {"all": 1.5}) for number, text in enumerate(texts)]
    write_segment(tmp_path, "s", size, documents)
    written = CompoundStorage(FileStorage(tmp_path).open_file(segment_file("s")))
    other = FileStorage(tmp_path)
    with other.create_file("column") as file:
        column = VarBytesColumn().writer(file)
        for number, text in enumerate(texts):
            column.add(number, text)
        column.finish(size)
    terms = OrderedHashWriter(other.create_file("terms"))
    terms.extras["fieldmap"] = {"name": 0, "text": 1}
    for key, value in sorted({f"n{number}".encode(): number for number in range(size)}.items()):
        terms.add(FIELD.pack(0) + key, TERM.pack(0, 1.0, 1, 0, 0, 1.0, value, value, 8 * len(terms.index), 1))
    told = (0, 1.5 * size, size, 0, 0, 1.5, 0, size - 1, 8 * size, size)
    terms.add(FIELD.pack(1) + b"all", TERM.pack(*told))
    terms.close()
    for name, whoosh in ((part_of("s", "data.col"), "column"), (part_of("s", "trm"), "terms")):
        length = written.file_length(name)
        assert bytes(written.open_file(name).get(0, length)) == (tmp_path / whoosh).read_bytes()


def test_of_very_many_documents_the_places_are_written(tmp_path: Path) -> None:
    size = 33_000
    write_segment(tmp_path, "s", size, [((str(number).encode(), b""), {}, {}) for number in range(size)])
    with SegmentFile(tmp_path, "s", size) as segment:
        assert [segment.column("data", number) for number in (0, 9, 32_999)] == [b"0", b"9", b"32999"]


def test_a_damaged_segment_is_a_sentence(tmp_path: Path) -> None:
    write_segment(tmp_path, "s", 1, [((b"a", b"b"), {}, {"word": 1.0})])
    (tmp_path / "segments.json").write_text('{"segments": [["s", 1]]}')
    whole = (tmp_path / segment_file("s")).read_bytes()
    # A pickle that asks for the last of two thousand million places in its memory takes gigabytes.
    at = int.from_bytes(whole[:8], "big")
    greedy = whole[:at] + b"\x80\x04}r\xff\xff\xff\x7f." + whole[at + 9 :]
    for spoiled in (b"", whole[:40], b"\xff" * len(whole), greedy, whole[:-1] + b"\x00"):
        (tmp_path / segment_file("s")).write_bytes(spoiled)
        with pytest.raises(DamagedIndexError, match="kb build"):
            open_segments(tmp_path)


def test_a_table_of_terms_that_was_changed_is_not_walked(tmp_path: Path) -> None:
    """A number of places that is none would be walked for minutes, or listed in gigabytes."""
    write_segment(tmp_path, "s", 1, [((b"a", b"b"), {}, {"word": 1.0})])
    path = tmp_path / segment_file("s")
    with SegmentFile(tmp_path, "s", 1) as segment:
        tables = segment._terms._tables
    whole = bytearray(path.read_bytes())
    for table in range(TABLES):
        TABLE.pack_into(whole, tables + table * TABLE.size, 0, 2**31 - 1)
    path.write_bytes(whole)
    with SegmentFile(tmp_path, "s", 1) as segment, pytest.raises(ValueError, match="not as it was written"):
        segment.how_often("word")
