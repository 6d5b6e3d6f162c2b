"""`kb import arkhamdb`: what it prints, where it writes, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from tests.imports.test_arkhamdb import ENEMY, HERO, KNIFE, write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_SOURCES", raising=False)
    return write(tmp_path / "db", [KNIFE, KNIFE, {**HERO, "deck_requirements": "size:30"}, ENEMY])


def test_an_import_says_what_it_took_and_skipped(kb: Callable[..., Outcome], folder: Path, tmp_path: Path) -> None:
    done = kb("import", "arkhamdb", str(folder))
    assert (done.code, done.err) == (0, "")
    assert "1 player cards" in done.out
    assert "Skipped 97001 of pack/tst/tst.json: the code already stands" in done.out
    assert (tmp_path / "home" / "data" / "arkham" / "texts.json").is_file()


def test_json(kb: Callable[..., Outcome], folder: Path) -> None:
    said = json.loads(kb("import", "arkhamdb", str(folder), "--json").out)
    assert said["taken"]["investigators"] == 1
    assert said["skipped"][0]["code"] == "97001"


def test_a_folder_that_cannot_be_read(kb: Callable[..., Outcome], folder: Path, tmp_path: Path) -> None:
    missing = kb("import", "arkhamdb", str(tmp_path / "nowhere"))
    assert (missing.code, missing.out) == (2, "")
    assert "no folder `pack`" in missing.err
    assert not (tmp_path / "home" / "data").exists()
