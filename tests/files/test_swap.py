"""Replacing a file or folder as a whole: after an interruption at any point, either the old or the new version
exists.
"""

import os
import subprocess
import sys

import pytest

from kb.files.swap import recover, swap_in, write_whole
from tests.files.killed import KILLED, killed_at

SCRIPT = """
import sys
from pathlib import Path
from kb.files.swap import swap_in
folder = Path(sys.argv[1])
swap_in(folder / "new", folder / "target")
"""


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def make(folder, name):
    made = folder / name
    made.mkdir()
    (made / "file").write_text(name)
    return made


@pytest.mark.posix
def test_a_new_folder_replaces_the_old_one_completely(tmp_path):
    target, new = make(tmp_path, "target"), make(tmp_path, "new")
    target.chmod(0o750)
    swap_in(new, target)
    assert contents(target) == {"file": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
    assert target.stat().st_mode & 0o777 == 0o750


def test_a_process_killed_at_any_step_leaves_the_old_or_the_new_folder(tmp_path):
    ended = []
    for step in range(20):
        folder = tmp_path / str(step)
        folder.mkdir()
        make(folder, "target"), make(folder, "new")
        ended.append(killed_at(step, SCRIPT, folder))
        recover(folder / "target")
        assert contents(folder / "target")["file"] in {"target", "new"}
        assert {path.name for path in folder.iterdir()} <= {"target", "new"}
        if ended[-1] == 0:
            break
    assert ended[-1] == 0
    assert ended.count(KILLED) >= 4


@pytest.mark.posix
def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path):
    path = tmp_path / "file"
    write_whole(path, b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640

    def full():
        yield b"newer"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(path, full())
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_foreign_file_with_the_temporary_name_is_left_alone(tmp_path):
    strange = tmp_path / f".file.{os.getpid()}.tmp"
    strange.symlink_to("precious")
    (tmp_path / "precious").write_bytes(b"mine")
    write_whole(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert strange.read_bytes() == (tmp_path / "precious").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.posix
def test_remains_of_killed_processes_are_removed_and_those_of_running_ones_stay(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for number in (ended.pid, os.getppid()):
        (tmp_path / f".file.{number}.tmp").write_bytes(b"half")
    (tmp_path / f".other.{ended.pid}.tmp").write_bytes(b"half")
    write_whole(tmp_path / "file", b"new")
    assert {path.name for path in tmp_path.iterdir()} == {
        "file",
        f".file.{os.getppid()}.tmp",
        f".other.{ended.pid}.tmp",
    }
