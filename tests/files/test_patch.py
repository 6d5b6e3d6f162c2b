"""Some files of a folder are changed at once; whatever stops it, the old or the new ones are there afterwards, all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.files import patch
from kb.files.patch import finish, is_cut_off, patch_in
from tests.files.failing import fail_at
from tests.files.killed import KILLED, killed_at

SCRIPT = """
import sys
from pathlib import Path
from kb.files.patch import patch_in
folder = Path(sys.argv[1])
patch_in(folder / "work", folder / "target")
"""
OLD = {"same": "same", "changed": "old", "in/changed": "old", "in/deep/gone": "old"}
NEW = {"same": "same", "changed": "new", "in/changed": "new", "fresh/deep/file": "new", ".last": "new"}


def make(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def prepared(folder: Path) -> Path:
    """A folder, and beside it what makes NEW of its OLD."""
    make(folder / "work/new", {name: text for name, text in NEW.items() if name != "same"})
    make(folder / "work/gone", {"in/deep/gone": ""})
    return make(folder / "target", OLD)


def test_new_files_come_in_others_go_and_what_is_the_same_is_not_touched(tmp_path: Path) -> None:
    target = prepared(tmp_path)
    before = (target / "same").stat()
    patch_in(tmp_path / "work", target)
    assert contents(target) == NEW
    assert not (target / "in/deep").exists(), "an empty folder goes"
    assert (target / "same").stat() == before
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def test_a_process_killed_at_any_step_leaves_what_is_finished_later(tmp_path: Path) -> None:
    ended = []
    for step in range(60):
        folder = tmp_path / str(step)
        target = prepared(folder)
        ended.append(killed_at(step, SCRIPT, folder))
        begun = is_cut_off(target)
        assert begun or contents(target) in (OLD, NEW)
        finish(target)
        assert contents(target) in ((NEW,) if begun or not ended[-1] else (OLD, NEW))
        assert {path.name for path in folder.iterdir()} <= {"target", "work"}
        if ended[-1] == 0:
            break
    assert ended[-1] == 0
    assert ended.count(KILLED) >= 12


@pytest.mark.parametrize("failing", range(2, 6))
def test_a_rename_that_fails_leaves_the_old_files(
    failing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = prepared(tmp_path)
    fail_at(failing, patch, monkeypatch)
    with pytest.raises(OSError, match="Input/output"):
        patch_in(tmp_path / "work", target)
    assert contents(target) == OLD
    assert not is_cut_off(target)
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def test_what_was_cut_off_is_not_finished_in_another_folder(tmp_path: Path) -> None:
    target = prepared(tmp_path)
    begun = tmp_path / f"{patch.begins(target)}{target.stat().st_ino + 1}"
    (tmp_path / "work").rename(begun)
    assert is_cut_off(target)
    finish(target)
    assert contents(target) == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
