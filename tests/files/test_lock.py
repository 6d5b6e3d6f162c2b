"""Locks: only one process holds a lock at a time, and a killed process releases its lock."""

import signal
import subprocess
import sys

import pytest

from kb.files.swap import HeldError, hold_lock

HOLD = """
import sys
from pathlib import Path
from kb.files.swap import hold_lock
with hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


COUNT = """
import sys
from pathlib import Path
from kb.files.swap import hold_lock
lock, number = Path(sys.argv[1]), Path(sys.argv[2])
for _ in range(50):
    with hold_lock(lock, remove=True):
        number.write_text(str(int(number.read_text()) + 1))
"""


def holder(path):
    """Start a process that locks `path` until its standard input is closed. Return it once it has the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_lock_excludes_other_processes_until_it_is_released(tmp_path):
    path = tmp_path / "lock"
    with holder(path) as process:
        with pytest.raises(HeldError), hold_lock(path, wait=False):
            pass
        process.communicate()
    with hold_lock(path, wait=False):
        pass


@pytest.mark.posix
def test_a_killed_process_releases_its_lock(tmp_path):
    path = tmp_path / "lock"
    with holder(path) as process:
        process.send_signal(signal.SIGKILL)
    with hold_lock(path, wait=False):
        pass


def test_removing_the_lock_file_still_admits_one_process_at_a_time(tmp_path):
    number = tmp_path / "number"
    number.write_text("0")
    command = [sys.executable, "-c", COUNT, str(tmp_path / "lock"), str(number)]
    for process in [subprocess.Popen(command) for _ in range(3)]:
        assert process.wait() == 0
    assert number.read_text() == "150"
    assert sorted(tmp_path.iterdir()) == [number]
