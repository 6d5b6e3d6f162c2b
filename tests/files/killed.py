"""Runs a script in a process that stops abruptly, without any clean-up, while it is changing files."""

import subprocess
import sys

KILLED = 9
"""Exit code of a process that stopped at the given step."""

_BEFORE = f"""
import os, shutil, sys
from pathlib import Path
left = int(sys.argv.pop(1))
def counted(function):
    def call(*args, **options):
        global left
        if left == 0:
            os._exit({KILLED})
        left -= 1
        return function(*args, **options)
    return call
for name in ("rename", "replace", "unlink", "rmdir", "mkdir", "chmod"):
    setattr(os, name, counted(getattr(os, name)))
shutil.rmtree = counted(shutil.rmtree)
Path.write_text = counted(Path.write_text)
"""


def killed_at(step, script, *args):
    """Run a Python `script`, with `args` as its arguments, and stop its process abruptly at a file-changing call.
    `step` is the number of such calls that still run before it.

    Return the exit code: KILLED, or 0 if the script finished first.
    """
    command = [sys.executable, "-c", f"{_BEFORE}{script}", str(step), *map(str, args)]
    return subprocess.run(command, check=False).returncode
