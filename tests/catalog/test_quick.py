"""What changed is taken in without reading the rest, and comes out as a build from nothing would, byte for byte."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kb.catalog import current as in_use
from kb.catalog.current import home
from kb.catalog.store import build_catalog, open_catalog, open_index

PAGE = "content/chess/castling.md"
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


def is_quick() -> bool:
    """Whether the build in use took in only what changed."""
    return not json.loads((home() / "current.json").read_text())["complete"]


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
    "old id": (PAGE, "kind: rule", "kind: rule\nformerly: [chess/old]"),
    "part": ("content/chess/more/rule-3.md", "{#part}", "{#other}"),
    "title of a list": ("content/chess/rulings.yaml", "title: Rulings", "title: More rulings"),
    "id of a row": ("content/chess/rulings.yaml", "id: two", "id: three"),
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
    told = json.loads((home() / "current.json").read_text())
    taken_in = name in ("text", "row of a list", "citation")  # of the others the tables hold more than a row
    assert bool(told["touched"]) == taken_in


@pytest.mark.parametrize("name", SEEN_BY_OTHERS)
def test_what_others_see_of_an_entry_needs_a_whole_build(
    name: str, chess: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    change(chess.root / SEEN_BY_OTHERS[name][0], *SEEN_BY_OTHERS[name][1:])
    open_index()
    assert not is_quick()
    assert same_as_from_nothing(monkeypatch, tmp_path)


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
    assert not is_quick()
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
