"""Folders that are written whole: which one is meant, what lies below it, and one beside it to build in."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kb.files.lock import held
from kb.files.swap import glob_name

WORKSHOP, HELD = ".kb-build-", ".held"


def real_folder(folder: Path) -> Path:
    """A folder as the user named it, behind links; a `~name` that nobody has stays as it is."""
    try:
        return folder.expanduser().resolve()
    except RuntimeError:
        return folder.absolute()


def files_below(folder: Path) -> set[str]:
    """The files below a folder as paths with `/`. Links are files."""
    found = set()
    top = len(os.fspath(folder)) + len(os.sep)
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        above = f"{place[top:]}{os.sep}".replace(os.sep, "/") if place[top:] else ""
        found |= {f"{above}{name}" for name in (*names, *linked)}
    return found


@contextmanager
def workshop(out: Path) -> Iterator[Path]:
    """A folder beside `out` to build in, which is gone afterwards. Those that killed builds have left go as well. Raises OSError."""
    begins = f".{out.name[:100]}{WORKSHOP}"
    for left in out.parent.glob(f"{glob_name(begins)}*"):
        if (left / HELD).is_file():
            with suppress(OSError), held(left / HELD, wait=False):  # who builds there still holds it
                shutil.rmtree(left, ignore_errors=True)
    beside = Path(tempfile.mkdtemp(prefix=begins, dir=out.parent))
    try:
        with held(beside / HELD):
            yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def keep_private(folder: Path) -> None:
    """Let nobody but the user read a folder and what is in it: folders get the mode 0700, files 0600; it is made where there is none.

    What the system does not let us change stays. Raises OSError when the folder cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                if not path.is_symlink():
                    path.chmod(0o700 if path.is_dir() else 0o600)
