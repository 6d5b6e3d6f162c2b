"""The analysis of documents for the page's search is kept between builds, and never a wrong one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kb.retrieval.document import RULEBOOK, Document
from kb.site import searchanalysis
from kb.site.searchanalysis import Analysed, analyses

FORK = Document(
    "chess/fork", "chess", "rule", "Fork's [skull]", ("chess", "chess/fork", "chess/tricks"), ("twin attack",),
    sentences=("One piece attacks two pieces.", "A tab\tand a line\nstay apart; the other piece’s turn."), topic="attack",
)  # fmt: skip
ROOK = Document("chess/cards/rook", "chess", "card", "Rook", ("chess",), sentences=("Piece.",), source="Box")
MINE = Document("chess/my-book/1", "chess", "passage", "Mine", ("chess",), sentences=("My words.",), standing=RULEBOOK)


@pytest.fixture
def anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the documents that were analysed."""
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    seen: list[str] = []
    real = searchanalysis.analysed

    def analysed(document: Document, card: str, entry: str) -> Analysed:
        seen.append(document.id)
        return real(document, card, entry)

    monkeypatch.setattr(searchanalysis, "analysed", analysed)
    return seen


def given(*documents: Document, at: str = "{}.html") -> list[Analysed]:
    addresses: Any = SimpleNamespace(card=lambda key: at.format(key) if "/cards/" in key else None, entry=at.format)
    return list(analyses("chess", [(document.id, document.as_json.decode()) for document in documents], addresses))


def test_what_is_kept_is_what_was_analysed(anew: list[str]) -> None:
    first = given(ROOK, FORK)
    assert anew == [ROOK.id, FORK.id]
    assert first[1].stands["piec"] == "[2,2,3],"
    assert first[1].names == ["fork [skull]", "twin attack"]
    assert first[1].scopes == ["chess/tricks"]
    assert given(ROOK, FORK) == first
    assert given(FORK) == first[1:]
    assert anew == [ROOK.id, FORK.id]


def test_only_what_changed_is_analysed_again(anew: list[str]) -> None:
    given(ROOK, FORK)
    changed = replace(FORK, sentences=("One knight attacks two pieces.",))
    assert "knight" in given(ROOK, changed)[1].stands
    assert anew[2:] == [FORK.id]
    assert given(ROOK, changed, at="moved/{}.html")[0].row.startswith('["rook","moved/chess/cards/rook.html"')
    assert anew[3:] == [ROOK.id, FORK.id]


def test_another_analyser_and_a_damaged_file_begin_anew(
    anew: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = given(ROOK, FORK)
    for path in (tmp_path / "home/cache/search").iterdir():
        data = path.read_bytes()
        path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
    assert given(ROOK, FORK) == first
    assert anew[2:] == [ROOK.id, FORK.id]
    monkeypatch.setattr(searchanalysis, "analyser", lambda: "another")
    assert given(ROOK, FORK) == first
    assert anew[4:] == [ROOK.id, FORK.id]
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KB_HOME", str(tmp_path / "file"))
    assert given(ROOK, FORK) == first


def test_what_is_the_users_own_is_not_kept(anew: list[str]) -> None:
    for _time in range(2):
        assert [found.id for found in given(FORK, MINE)] == [FORK.id, MINE.id]
    assert anew == [FORK.id, MINE.id, MINE.id]
