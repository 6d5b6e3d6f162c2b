"""A whole build reads, writes tables and writes the index side by side: as good as one after the other."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kb.catalog.current import home
from kb.catalog.store import build_catalog
from kb.search import beside

ROOT = Path(__file__).parents[2]


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sources are worth a process of their own, too."""
    monkeypatch.setattr("kb.catalog.whole.is_worth_it", lambda _size: True)


def built() -> dict[str, bytes]:
    folder = next(path for path in home().iterdir() if path.name.startswith("build-"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_processes_make_the_build_that_one_makes(sources: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    build_catalog().close()
    one = built()
    monkeypatch.setattr("kb.catalog.whole.is_worth_it", lambda _size: True)
    for path in home().glob("*"):
        if path.is_file():
            path.unlink()
    for path in home().glob("build-*"):
        path.rename(home().parent / path.name)
    build_catalog().close()
    assert built() == one


def test_broken_sources_are_told_and_nothing_is_left(two: None, sources: Any, kb: Any) -> None:
    sources.entry("chess/pin", "Pin", "See [[chess/nowhere]].")
    sources.entry("chess/Castling", "Castling again", "Twice.")
    told = kb("search", "castling")
    assert (told.code, "leads nowhere" in told.err, "differ only in capitals" in told.err) == (2, True, True)
    assert not list(home().glob("build-*"))


def test_a_stopped_process_is_told_and_the_old_catalog_answers(
    two: None, sources: Any, kb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = beside.is_ready

    def stopped(process: subprocess.Popen[bytes]) -> bool:
        """It begins, and is killed."""
        was = ready(process)
        process.kill()
        process.wait()
        return was

    with monkeypatch.context() as patch:
        patch.setattr(beside, "is_ready", stopped)
        told = kb("search", "castling")
        assert (told.code, "The catalog was not built: the process" in told.err) == (2, True), told.err
        assert not list(home().glob("build-*"))
    kb("search", "castling")
    sources.write("content/chess/synonyms.yaml", "- [castling, hide a king]\n")
    with monkeypatch.context() as patch:
        patch.setattr(beside, "is_ready", stopped)
        told = kb("search", "castling")
        assert told.code == 0
        assert "was stopped" in told.err
        assert "the catalog built before stays in use" in told.err
    assert "Castling" in kb("search", "hide a king").out


def test_cards_that_share_an_id_are_told_by_the_sources_not_by_the_tables(two: None, sources: Any, kb: Any) -> None:
    camel = json.loads((ROOT / "cards/pathfinder/mm/ally.json").read_text(encoding="utf-8"))[0]
    rows = [{**camel, "name": name} for name in ("Camel 1", "Camel +1", "Camel")]
    sources.write("cards/pathfinder/mm/ally.json", json.dumps(rows))
    told = kb("build")
    assert (told.code, "'Camel 1' and 'Camel +1' have the same id" in told.err) == (2, True), told.err
