"""What took long is made once, and again when its file is damaged or cannot be kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.files import remembered as module
from kb.files.remembered import remembered


def test_it_is_made_once_for_each_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_HOME", str(tmp_path))
    made: list[bytes] = []

    def make() -> bytes:
        made.append(b"made")
        return b"picture"

    assert [remembered("pictures", recipe, make) for recipe in (b"a", b"a", b"b")] == [b"picture"] * 3
    assert len(made) == 2
    for path in (tmp_path / "cache/pictures").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert remembered("pictures", b"a", make) == b"picture"
    assert len(made) == 3


def test_the_cache_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_HOME", str(tmp_path))
    monkeypatch.setattr(module, "MOST", 3)
    for number in range(10):
        remembered("pictures", bytes([number]), lambda: b"x")
    assert len(list((tmp_path / "cache/pictures").iterdir())) <= 3


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KB_HOME", str(tmp_path / "file"))
    assert remembered("pictures", b"a", lambda: b"x") == b"x"
