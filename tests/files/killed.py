"""Runs a process that dies without any clean-up at a step of its writing."""

import subprocess
import sys

KILLED = 9
"""Exit code of a process that was killed at its step."""

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
    """Run a script with `args` as its `sys.argv[1:]`; it dies at the file-changing call number `step`.

    Return the exit code: KILLED, or 0 if the script ended before that step.
    """
    command = [sys.executable, "-c", f"{_BEFORE}{script}", str(step), *map(str, args)]
    return subprocess.run(command, check=False).returncode
