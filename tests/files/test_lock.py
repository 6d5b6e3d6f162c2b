"""Locks: one process at a time, and whoever was killed has let go."""

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


def holder(path):
    """A process that holds the lock until its input ends."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    return process


def test_another_process_is_kept_out_until_the_first_lets_go(tmp_path):
    path = tmp_path / "lock"
    with holder(path) as process:
        with pytest.raises(HeldError), hold_lock(path, wait=False):
            pass
        process.communicate()
    with hold_lock(path, wait=False):
        pass


@pytest.mark.posix
def test_one_that_was_killed_has_let_go(tmp_path):
    path = tmp_path / "lock"
    with holder(path) as process:
        process.send_signal(signal.SIGKILL)
    with hold_lock(path, wait=False):
        pass
