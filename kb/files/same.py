"""A file under a second name."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def same_file(old: Path, new: Path) -> None:
    """Let `new` be the file `old`, which nobody writes to any more: a second name of it where the system has such, else a copy."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)
