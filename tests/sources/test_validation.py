"""Reading a source file as records: mistakes are reported with their lines and in the words of the file."""

from kb.sources.entries import ChangeFields, EntryFields, TableFields
from kb.sources.own import Book
from kb.sources.problems import Problems
from kb.sources.validation import validate
from tests.tables import rows_of


def test_valid_values_become_a_record(tmp_path):
    told = {
        "title": " Fork ",
        "kind": "rule",
        "source": {"doc": "book", "pages": [3, 4], "url": "https://x.org"},
        "date": "2026",
        "asked": {"It is": ["is it", "why’s it"]},
        "history": [{"until": "1", "text": "Old."}],
        "signed": True,
        "authority": None,
    }
    problems = Problems(tmp_path)
    read = validate(EntryFields, told, tmp_path / "a.md", lambda *_way: 7, problems)
    assert read is not None, problems
    assert (read.title, [asked.question for asked in read.asked]) == ("Fork", ["is it", "why’s it"])
    assert (read.source.pages, read.source.url) == ([3, 4], "https://x.org")


@rows_of("sources-validation", "test_what_is_wrong_is_said")
def test_what_is_wrong_is_said(told, problem, tmp_path):
    problems = Problems(tmp_path)
    assert validate(EntryFields, told, tmp_path / "a.md", lambda *_way: 7, problems) is None
    (found,) = problems.found
    assert (found.path, found.line) == ("a.md", 7)
    assert problem in found.message


def test_wrong_rows_and_unknown_keys_are_reported(tmp_path):
    problems = Problems(tmp_path)
    row = {"title": "T", "entries": ["fork"]}
    assert validate(TableFields, row, tmp_path / "rulings.yaml", lambda *_way: 3, problems) is None
    book = {"id": "b", "title": "B", "game": "chess", "file": "b.txt", "sha256": "0", "passages": [{"odd": 1}]}
    assert validate(Book, book, tmp_path / "b.json", lambda *_way: 0, problems) is None
    told = [found.message for found in problems.found]
    assert told[0] == "`entries.0` is 'fork'; it must be a mapping of keys to values"
    (unknown,) = (message for message in told if "odd" in message)
    assert unknown.startswith("`passages.0.odd` is not a key of this record")
    assert "text" in unknown
    assert "sha256" not in unknown


def test_a_change_must_name_an_entry(tmp_path):
    problems = Problems(tmp_path)
    told = {"date": "2026-01-31", "text": "Said otherwise.", "entries": []}
    assert validate(ChangeFields, told, tmp_path / "changes.yaml", lambda *_way: 1, problems) is None
    assert [found.message for found in problems.found] == ["`entries`: name at least one entry"]
