"""What is read plainly is what Pydantic reads by the same types; what Pydantic refuses is not read plainly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kb.load.books import Book
from kb.load.entries import ChangeFields, EntryFields, OutlineHeading, SourceFields, TableFields
from kb.load.problems import Problems
from kb.load.shapes import OddError, adapter, reader_of, validate, without_defaults

TEXTS = st.text(st.sampled_from("aé’ \t\n\r\x0b\x1c\x85\u00a0\u2003\u200b\ud800"), max_size=4) | st.sampled_from(
    ["a text", "x" * 8_001, "x" * 301, " " * 9, "https://x.org/a", "https://x.org/é", "https://x", "2026-01-31", "rule", "faq", "2026-1-1\n"]
)  # fmt: skip
ODD = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.just([]) | st.just({})
LISTS = st.lists(TEXTS | ODD, max_size=3)
SHAPES = [EntryFields, TableFields, ChangeFields, SourceFields, OutlineHeading]
VALUES: dict[str, Any] = {
    "title": TEXTS, "text": TEXTS, "id": TEXTS, "doc": TEXTS, "kind": st.sampled_from(["rule", "term", "x"]), "date": TEXTS, "url": TEXTS,
    "section": TEXTS, "page": st.integers() | ODD, "position": st.integers(), "changes_text": st.booleans(), "signed": st.booleans(),
    "source": st.fixed_dictionaries({"doc": TEXTS}, optional={"page": st.integers(), "pages": LISTS, "url": TEXTS, "odd": ODD}) | ODD,
    "asked": st.dictionaries(TEXTS, LISTS, max_size=2) | LISTS, "entries": LISTS | st.lists(st.dictionaries(TEXTS | st.integers(), ODD)),
    "history": st.lists(st.fixed_dictionaries({"until": TEXTS, "text": TEXTS}, optional={"since": ODD})), "covers": LISTS, "see": LISTS,
    "authority": st.sampled_from(["designer", "nobody"]), "confidence": st.sampled_from(["low", ""]),
}  # fmt: skip
NEEDED = {"title", "kind", "source", "date", "text", "entries", "id", "doc", "section", "page", "position"}


@st.composite
def records(draw: Any, shape: type[Any]) -> Any:
    """A mapping that says much of a record, and perhaps something odd."""
    names = [name for name in shape.__dataclass_fields__ if name in NEEDED or draw(st.booleans())]
    told = {name: draw(VALUES.get(name, TEXTS | LISTS) if draw(st.integers(0, 6)) else ODD) for name in names}
    return draw(
        st.just(told) | st.just(told) | st.just(told) | ODD | st.just({**told, "odd": 1}) | st.just({**told, 1: 1})
    )


@pytest.mark.parametrize("shape", SHAPES)
@given(data=st.data())
def test_what_is_read_plainly_pydantic_reads_alike(shape: type[Any], data: st.DataObject) -> None:
    told = data.draw(records(shape))
    try:
        read = reader_of(shape)(told)
    except OddError:
        return
    assert adapter(shape).validate_python(told) == read


def test_what_is_right_is_read_plainly() -> None:
    told = {
        "title": " Fork ", "kind": "rule", "source": {"doc": "book", "pages": [3, 4], "url": "https://x.org"}, "date": "2026",
        "asked": {"It is": ["is it", "why’s it"]}, "history": [{"until": "1", "text": "Old."}], "signed": True, "authority": None,
    }  # fmt: skip
    read = reader_of(EntryFields)(told)
    assert read == adapter(EntryFields).validate_python(told)
    assert (read.title, [asked.question for asked in read.asked]) == ("Fork", ["is it", "why’s it"])
    assert without_defaults(read)["source"] == {"doc": "book", "pages": [3, 4], "url": "https://x.org"}


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"kind": "rule", "source": {"doc": "b"}}, "'title' is missing"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b", "odd": 1}}, "unknown key 'source.odd'; known are added, doc, page, pages"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "history": [{"until": "u", "text": "t", "odd": 1}]},
         "unknown key 'history.0.odd'; known are since, text, until"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "odd": 1}, "unknown key 'odd'; known are about, aliases, asked"),
        ({"title": "T", "kind": "rool", "source": {"doc": "b"}}, "kind is 'rool'; it must be one of 'rule', 'step'"),
        ({"title": "T", "kind": "rule", "source": "book"}, "source must be keys with their values, not 'book'"),
        ("book", "this must be keys with their values, not 'book'"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "see": "fork"}, "see: "),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "asked": {"It is": "x"}}, "asked: the questions of 'It is' must be a list"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(told: Any, problem: str, tmp_path: Path) -> None:
    problems = Problems(tmp_path)
    assert validate(EntryFields, told, tmp_path / "a.md", lambda *_way: 7, problems) is None
    (found,) = problems.found
    assert (found.path, found.line) == ("a.md", 7)
    assert problem in found.message


def test_rows_that_are_no_mappings_and_keys_of_models_are_told_too(tmp_path: Path) -> None:
    problems = Problems(tmp_path)
    row = {"title": "T", "entries": ["fork"]}
    assert validate(TableFields, row, tmp_path / "rulings.yaml", lambda *_way: 3, problems) is None
    book = {"id": "b", "title": "B", "game": "chess", "file": "b.txt", "sha256": "0", "passages": [{"odd": 1}]}
    assert validate(Book, book, tmp_path / "b.json", lambda *_way: 0, problems) is None
    told = [found.message for found in problems.found]
    assert told[0] == "entries.0 must be keys with their values, not 'fork'"
    (unknown,) = (message for message in told if "odd" in message)
    assert unknown.startswith("unknown key 'passages.0.odd'; known are ")
    assert "text" in unknown
    assert "sha256" not in unknown


def test_a_change_names_entries(tmp_path: Path) -> None:
    problems = Problems(tmp_path)
    told = {"date": "2026-01-31", "text": "Said otherwise.", "entries": []}
    assert validate(ChangeFields, told, tmp_path / "changes.yaml", lambda *_way: 1, problems) is None
    assert [found.message for found in problems.found] == ["entries: name at least one entry"]
    with pytest.raises(ValidationError):
        adapter(ChangeFields).validate_python(told)


def test_short_texts_that_many_entries_say_are_held_once() -> None:
    first, second = (
        reader_of(SourceFields)({"id": "".join(["bo", end]), "title": "".join(["Bo", end])}) for end in ("ok", "ok")
    )
    assert first.id is second.id
    assert first.title is second.title
