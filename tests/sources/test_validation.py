"""What a source file says becomes a record, or is told with its line and in words of the file."""

import pytest

from kb.sources.entries import ChangeFields, EntryFields, TableFields
from kb.sources.own import Book
from kb.sources.problems import Problems
from kb.sources.validation import validate, without_defaults


def test_what_is_right_becomes_a_record(tmp_path):
    told = {
        "title": " Fork ", "kind": "rule", "source": {"doc": "book", "pages": [3, 4], "url": "https://x.org"}, "date": "2026",
        "asked": {"It is": ["is it", "why’s it"]}, "history": [{"until": "1", "text": "Old."}], "signed": True, "authority": None,
    }  # fmt: skip
    problems = Problems(tmp_path)
    read = validate(EntryFields, told, tmp_path / "a.md", lambda *_way: 7, problems)
    assert read is not None, problems
    assert (read.title, [asked.question for asked in read.asked]) == ("Fork", ["is it", "why’s it"])
    assert without_defaults(read)["source"] == {"doc": "book", "pages": [3, 4], "url": "https://x.org"}


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"kind": "rule", "source": {"doc": "b"}}, "'title' is missing"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b", "odd": 1}}, "unknown key 'source.odd'; known are added, answered_by, doc"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "history": [{"until": "u", "text": "t", "odd": 1}]},
         "unknown key 'history.0.odd'; known are since, text, until"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "odd": 1}, "unknown key 'odd'; known are about, aliases, asked"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "alias": []}, "unknown key 'alias'; did you mean 'aliases'? Known are about, "),
        ({"title": "T", "kind": "rool", "source": {"doc": "b"}}, "kind is 'rool'; it must be one of 'rule', 'step'"),
        ({"title": "T", "kind": "rule", "source": "book"}, "source must be keys with their values, not 'book'"),
        ("book", "this must be keys with their values, not 'book'"),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "see": "fork"}, "see: "),
        ({"title": "T", "kind": "rule", "source": {"doc": "b"}, "asked": {"It is": "x"}}, "asked: the questions of 'It is' must be a list"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(told, problem, tmp_path):
    problems = Problems(tmp_path)
    assert validate(EntryFields, told, tmp_path / "a.md", lambda *_way: 7, problems) is None
    (found,) = problems.found
    assert (found.path, found.line) == ("a.md", 7)
    assert problem in found.message


def test_rows_that_are_no_mappings_and_keys_of_models_are_told_too(tmp_path):
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


def test_a_change_names_entries(tmp_path):
    problems = Problems(tmp_path)
    told = {"date": "2026-01-31", "text": "Said otherwise.", "entries": []}
    assert validate(ChangeFields, told, tmp_path / "changes.yaml", lambda *_way: 1, problems) is None
    assert [found.message for found in problems.found] == ["entries: name at least one entry"]
