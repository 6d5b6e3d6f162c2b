"""What changed, came or went is taken in without reading the rest, and comes out as a build from nothing would, byte for byte."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.catalog import current as in_use
from kb.catalog.current import home
from kb.catalog.store import build_catalog, open_catalog, open_index
from kb.load.problems import SourceError

PAGE = "content/chess/castling.md"
IDS = ("chess/more/a", "chess/more/fork", "chess/other/a", "chess/a", "chess/more/rule-1", "chess/more/castling")
TEXTS = (
    "Plain words.",
    "See [[a]].",
    "See [[fork]] and [[castling]].",
    "## Part {#part}\n\n[[more/a|words]]",
    "[[chess/fork]]",
)
LIST = """\
title: Rulings
kind: ruling
source: {doc: book}
entries:
  - {id: one, title: One, body: "Text of one. See [[castling]]."}
  - {id: two, title: Two, body: Text of two}
"""


@pytest.fixture
def chess(sources: Any) -> Any:
    """Sources with some more entries and a list, built whole."""
    sources.write("content/chess/rulings.yaml", LIST)
    for number in range(40):
        sources.entry(
            f"chess/more/rule-{number}",
            f"Rule {number}",
            f"Piece {number} moves. See [[chess/castling]].\n\n## Part {{#part}}\n\nMore.",
        )
    build_catalog().close()
    return sources


def index_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_changed_entry_is_taken_in_with_nothing_heavy(chess: Any) -> None:
    chess.entry("chess/more/rule-7", "Rule 7", "It moves otherwise. See [[chess/castling]].")
    heavy = ("asyncio", "filelock", "pydantic", "pydantic_core", "whoosh.fields", "sqlalchemy", "sqlmodel")
    code = (
        "import sys\nfrom kb.cli import main\nsys.argv = ['kb', 'search', 'moves otherwise', '--json']\n"
        f"try:\n    main()\nexcept SystemExit:\n    pass\nprint([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert '"chess/more/rule-7"' in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
    assert is_quick()


def is_quick() -> bool:
    """Whether the build in use took in only what changed."""
    return not json.loads((home() / "current.json").read_text())["complete"]


def has_taken_in() -> bool:
    """Whether the tables of the build in use took in only what changed."""
    told = json.loads((home() / "current.json").read_text())
    return bool(told["complete"] and told["touched"])


def same_as_from_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int = 0) -> bool:
    """Whether the index in use is, byte for byte, the one that is built where nothing was."""
    quick = index_files(open_index())
    with monkeypatch.context() as patch:
        patch.setenv("KB_HOME", str(tmp_path / f"elsewhere-{number}"))
        return quick == index_files(open_index())


def all_rows() -> list[Any]:
    """Every row of every table, and what the catalog says of itself."""
    with open_catalog() as catalog:
        return [*catalog.everything({}), *catalog.rows("SELECT key, value FROM meta"), catalog.hash]


def same_tables_as_from_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int = 0) -> bool:
    """Whether the tables in use hold what those hold that are written where nothing was."""
    quick = all_rows()
    with monkeypatch.context() as patch:
        patch.setenv("KB_HOME", str(tmp_path / f"elsewhere-{number}"))
        return quick == all_rows()


CHANGES = {
    "text": (PAGE, "two squares", "exactly two squares"),
    "question": (PAGE, "may the king swap", "could the king change places"),
    "alias": (PAGE, "rochade", "roque"),
    "link": (PAGE, "[[fork|the fork]]", "[[more/rule-3#part]]"),
    "citation": (PAGE, "page: 3", "page: 4"),
    "row of a list": ("content/chess/rulings.yaml", "Text of two", "Text of two and more"),
}
SEEN_BY_OTHERS = {
    "title": (PAGE, "title: Castling", "title: Castling long"),
    "part": ("content/chess/more/rule-3.md", "{#part}", "{#other}"),
    "title of a list": ("content/chess/rulings.yaml", "title: Rulings", "title: More rulings"),
    "id of a row": ("content/chess/rulings.yaml", "id: two", "id: three"),
    "old id": (PAGE, "kind: rule", "kind: rule\nformerly: [chess/old]"),
}
SEEN_BY_ALL = {
    "heading": ("content/chess/outline.tsv", "Tactics", "Strategy"),
    "synonym": ("content/chess/synonyms.yaml", "hide the king", "hide a king"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_within_an_entry_is_taken_in_alone(
    name: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, old, new = CHANGES[name]
    change(chess.root / path, old, new)
    open_index()
    assert is_quick()
    assert same_as_from_nothing(monkeypatch, tmp_path)
    with open_catalog() as catalog:  # a command that needs tables completes it
        assert not is_quick()
        entry = catalog.entry("chess/castling" if path == PAGE else "chess/rulings/two")
    assert entry is not None
    if name in ("text", "row of a list"):
        assert new in entry.body
    assert same_as_from_nothing(monkeypatch, tmp_path)
    assert same_tables_as_from_nothing(monkeypatch, tmp_path)
    assert has_taken_in()


@pytest.mark.parametrize("name", SEEN_BY_ALL)
def test_what_all_entries_know_needs_a_whole_build(
    name: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    change(chess.root / SEEN_BY_ALL[name][0], *SEEN_BY_ALL[name][1:])
    open_index()
    assert not is_quick()
    assert same_as_from_nothing(monkeypatch, tmp_path)


@pytest.mark.parametrize("name", SEEN_BY_OTHERS)
def test_what_others_see_of_an_entry_is_taken_in_with_them(
    name: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chess.entry("chess/far", "Far", "See [[rulings]], [[rulings/one]] and [[more/rule-4#part]].")
    build_catalog().close()
    change(chess.root / SEEN_BY_OTHERS[name][0], *SEEN_BY_OTHERS[name][1:])
    open_index()
    assert is_quick()
    assert same_as_from_nothing(monkeypatch, tmp_path)
    assert same_tables_as_from_nothing(monkeypatch, tmp_path, 1)
    assert has_taken_in()


def added(chess: Any) -> None:
    chess.entry("chess/more/pin", "Pin", "Holds a piece. See [[castling]], [[fork]] and [[more/rule-3#part]].")


def nearer(chess: Any) -> None:
    """Forty entries link to it now, and no longer to the one further up."""
    chess.entry("chess/more/fork", "Another fork", "Beside the pieces.")


def gone(chess: Any) -> None:
    (chess.root / "content/chess/more/rule-9.md").unlink()


def renamed(chess: Any) -> None:
    old = chess.root / "content/chess/more/rule-9.md"
    old.rename(old.with_name("rule-99.md"))


def moved(chess: Any) -> None:
    """Its own links are looked for from another folder, and its old id leads to it."""
    old = chess.root / "content/chess/more/rule-9.md"
    new = chess.root / "content/chess/other/deep/rule-9.md"
    new.parent.mkdir(parents=True, exist_ok=True)
    old.rename(new)
    change(new, "kind: rule", "kind: rule\nformerly: [chess/more/rule-9]")


def a_list(chess: Any) -> None:
    chess.write("content/chess/answers.yaml", LIST.replace("Rulings", "Answers"))


def a_list_gone(chess: Any) -> None:
    (chess.root / "content/chess/rulings.yaml").unlink()


def a_list_as_pages(chess: Any) -> None:
    """All of its entries stay, under the same ids; only what the list says of itself goes."""
    a_list_gone(chess)
    for name, body in (("one", "Text of one. See [[castling]]."), ("two", "Text of two")):
        chess.entry(f"chess/rulings/{name}", name.capitalize(), body, kind="ruling", source="{doc: book}")


def a_row_more(chess: Any) -> None:
    chess.write("content/chess/rulings.yaml", LIST + '  - {id: fork, title: Three, body: "See [[fork]]."}\n')


def all_at_once(chess: Any) -> None:
    for each in (added, nearer, moved, a_list, a_row_more):
        each(chess)
    change(chess.root / PAGE, "title: Castling", "title: Castling long")


COME_AND_GONE = (added, nearer, gone, renamed, moved, a_list, a_list_gone, a_list_as_pages, a_row_more, all_at_once)


@pytest.mark.parametrize("how", COME_AND_GONE)
def test_what_appears_goes_or_moves_is_taken_in_with_those_that_link_to_it(
    how: Callable[[Any], None], chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in range(20):
        chess.entry(f"chess/more/forked-{number}", f"Forked {number}", "See [[fork]] and [[fork|this]].", see="[fork]")
    build_catalog().close()
    before = {path: path.read_text() for path in chess.root.rglob("*") if path.is_file()}
    how(chess)
    open_index()
    assert is_quick()
    assert same_as_from_nothing(monkeypatch, tmp_path)
    undone(before, chess)
    change(chess.root / PAGE, "two squares", "2 squares")
    open_index()
    assert is_quick(), "back as it was, but for a word"
    assert same_as_from_nothing(monkeypatch, tmp_path, 1)
    how(chess)
    assert same_tables_as_from_nothing(monkeypatch, tmp_path, 2)
    lists_differ = how in (a_list, a_list_gone, a_list_as_pages, all_at_once)  # their order is that of their files
    assert has_taken_in() != lists_differ
    undone(before, chess)
    assert same_tables_as_from_nothing(monkeypatch, tmp_path, 3)
    assert has_taken_in() != lists_differ


def undone(before: dict[Path, str], chess: Any) -> None:
    """Every file as it was before."""
    for path in [path for path in chess.root.rglob("*") if path.is_file() and path not in before]:
        path.unlink()
    for path, text in before.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)


def test_entries_stand_in_the_tables_in_the_order_of_what_they_cover(
    chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first covers a heading now, and comes before others; then it is asked and linked less, then it has gone."""
    page = chess.root / "content/chess/more/rule-30.md"
    steps = (
        ("kind: rule", "kind: rule\ncovers: [ch.fork]\naliases: [Thirty]\nasked: [what is thirty]\nsee: [rule-3]"),
        ("kind: rule", "kind: rule\nabout: [ch.castling]\nformerly: [chess/thirty]"),
        ("covers: [ch.fork]\naliases: [Thirty]\n", ""),
        ("see: [rule-3]", "see: [rule-4, rule-3]"),
        ("asked: [what is thirty]\n", ""),
    )
    for number, step in enumerate(steps):
        change(page, *step)
        assert same_tables_as_from_nothing(monkeypatch, tmp_path, number)
        assert has_taken_in(), step


@pytest.mark.parametrize("spoiled", ["DELETE FROM entry WHERE id = 'chess/more/rule-3'", "DELETE FROM entrylist", "DROP TABLE alias",
    "DELETE FROM meta", "UPDATE meta SET value = '[' WHERE key = 'rows'"])  # fmt: skip
def test_tables_that_lack_something_are_written_whole(
    spoiled: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    current = json.loads((home() / "current.json").read_text())
    database = home() / current["folder"] / "catalog.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute(spoiled)
    connection.close()
    # As if they had been written so.
    current["sizes"]["catalog.sqlite"] = database.stat().st_size
    current["sums"]["catalog.sqlite"] = hashlib.blake2b(database.read_bytes(), digest_size=16).hexdigest()
    (home() / "current.json").write_text(json.dumps(current))
    change(chess.root / PAGE, "rochade", "roque")
    assert same_tables_as_from_nothing(monkeypatch, tmp_path)
    assert not has_taken_in()


BREAKS = {
    "a link to what is gone": lambda chess: (chess.root / "content/chess/fork.md").unlink(),
    "an id twice": lambda chess: chess.entry("chess/rulings/one", "Again", "Text."),
    "ids that differ in capitals": lambda chess: chess.entry("chess/Fork", "Again", "Text."),
    "an old id of today": lambda chess: chess.entry("chess/new", "New", "Text.", formerly="[chess/fork]"),
    "an old id twice": lambda chess: chess.entry("chess/new", "New", "Text.", formerly="[chess/was]"),
    "a part that is gone": lambda chess: change(chess.root / "content/chess/more/rule-5.md", "{#part}", "{#other}"),
    "a row that is gone": lambda chess: change(chess.root / "content/chess/rulings.yaml", "id: one", "id: three"),
    "a change that names what is gone": lambda chess: (chess.root / "content/chess/more/rule-8.md").unlink(),
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_breaks_other_entries_is_said(name: str, chess: Any, kb: Any) -> None:
    chess.entry("chess/far", "Far", "See [[rulings#one]] and [[more/rule-5#part]].", formerly="[chess/was]")
    chess.write("content/chess/changes.yaml", "- {date: '2020-01-02', text: Told anew., entries: [more/rule-8]}\n")
    build_catalog().close()
    BREAKS[name](chess)
    told = kb("search", "castling")
    assert "The sources have errors" in told.err
    assert told.code == 0
    assert kb("doctor").code == 1


@pytest.mark.parametrize("place", ["README.md", ".hidden.md", "a b.md", "notes.txt", "game.yaml", "new-game/one.md",
    "chess/folder.md/one.md", "chess/folder.yaml/one.md", "chess/.hidden/one.md"])  # fmt: skip
def test_a_new_file_that_is_none_of_entries_is_left_to_the_whole_build(
    place: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kb: Any
) -> None:
    folder = "content" if "/" in place else "content/chess/more"
    chess.write(f"{folder}/{place}", "---\ntitle: New\nkind: rule\nsource: {doc: book}\n---\nText.\n")
    told = kb("search", "castling")
    assert told.code == 0
    if "errors" not in told.err:
        assert same_as_from_nothing(monkeypatch, tmp_path)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(["", *TEXTS])), max_size=3), max_size=4))
def test_any_way_of_changing_comes_to_the_same(
    steps: list[list[tuple[str, str]]], chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number, step in enumerate(steps):
        for entry, text in step:
            if text:
                chess.entry(entry, f"Title of {text[:9]}", text)
            else:
                (chess.root / f"content/{entry}.md").unlink(missing_ok=True)
        try:
            open_index()
            with monkeypatch.context() as patch:
                patch.setenv("KB_HOME", str(tmp_path / f"elsewhere-{len(list(tmp_path.iterdir()))}-{number}"))
                whole, rows = index_files(open_index()), all_rows()
        except SourceError:
            continue  # the old index answers, and a whole build cannot be made
        assert index_files(open_index()) == whole
        if number % 2:  # else tables take in two steps at once
            assert all_rows() == rows


def test_many_changes_one_after_the_other_and_back(chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page, other = chess.root / PAGE, chess.root / "content/chess/more/rule-7.md"
    first = page.read_text()
    for number, (path, text) in enumerate(
        [
            (page, first.replace("two", "2")),
            (other, other.read_text().replace("moves", "stays")),
            (page, first),
            (other, "---\nbroken"),
        ]
    ):
        path.write_text(text)
        open_index()
        assert is_quick()
        if path.read_text() != "---\nbroken":
            assert same_as_from_nothing(monkeypatch, tmp_path, number)
    chess.entry("chess/more/rule-7", "Rule 7", "Piece 7 stays. See [[chess/castling]].\n\n## Part {#part}\n\nMore.")
    assert same_tables_as_from_nothing(monkeypatch, tmp_path, 5)
    page.write_text(first.replace("two", "three"))
    assert same_tables_as_from_nothing(monkeypatch, tmp_path, 6)
    assert json.loads((home() / "current.json").read_text())["touched"]
    page.write_text(first)
    assert same_tables_as_from_nothing(monkeypatch, tmp_path, 7)
    other.unlink()
    open_index()
    assert is_quick()
    assert same_as_from_nothing(monkeypatch, tmp_path, 9)


def test_a_change_that_keeps_size_and_time_is_seen(chess: Any, kb: Any) -> None:
    page = chess.root / PAGE
    for words in ("Zugzwang", "Gardezzz"):
        status = page.stat()
        page.write_text(page.read_text().replace("Move the", words).replace("Zugzwang", words))
        os.utime(page, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert "Castling" in kb("search", words).out
    assert is_quick()


def test_old_tables_answer_when_the_next_change_is_broken(chess: Any, kb: Any) -> None:
    change(chess.root / PAGE, "two squares", "three squares")
    assert "three squares" in kb("search", "castling").out
    assert is_quick()
    change(chess.root / PAGE, "title: Castling", "tilte: Castling")
    told = kb("show", "chess/castling")
    assert (told.code, "Castling" in told.out, "unknown key 'tilte'" in told.err) == (0, True, True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}', "\x00"])
def test_whatever_stands_in_what_is_kept_the_answer_is_right(
    text: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (home() / "kept.txt").write_text(text)
    change(chess.root / PAGE, "two squares", "three squares")
    assert same_as_from_nothing(monkeypatch, tmp_path)
    assert not is_quick()


def test_tables_of_the_build_before_are_not_written_to(chess: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    current = json.loads((home() / "current.json").read_text())
    old = home() / current["folder"] / "catalog.sqlite"
    before = old.read_bytes()
    change(chess.root / PAGE, "two squares", "three squares")
    open_index()
    monkeypatch.setattr(in_use.time, "time", lambda: 0)  # keeps the folder of the build before
    open_catalog().close()
    assert old.read_bytes() == before


def change(path: Path, old: str, new: str) -> None:
    """Replace words of a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
