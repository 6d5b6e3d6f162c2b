"""A file under a second name."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path


def same_file(old: Path, new: Path) -> None:
    """Let `new` be the file `old`, which nobody writes to any more: a second name of it where the system has such, else a copy."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def is_own_file(path: Path) -> bool:
    """Whether a path is a file itself: no link to one, and no pipe, whose other end reading would wait for. Raises OSError."""
    return stat.S_ISREG(path.lstat().st_mode)
