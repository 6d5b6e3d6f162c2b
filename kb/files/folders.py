"""Folders that are written as a whole: resolve their paths, list their files, and create temporary folders next to
them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from kb.errors import KbError
from kb.files.swap import hold_lock

# Names that Windows reads as devices, with any suffix.
DEVICE = r"(?i:con|prn|aux|nul|com\d|lpt\d)(?:[./]|\Z)"
# One part of a path: letters, digits and `_`, and not at its ends also `. + -`. They have no special meaning in file systems
# and URLs.
PART = rf"(?!{DEVICE})\w(?:[\w.+-]{{0,118}}[\w+-])?"
PLAIN, PLAIN_PATH = re.compile(PART), re.compile(f"{PART}(?:/{PART})*")


class OutsideError(KbError, ValueError):
    """A name is not a plain name, or it leads out of its folder. The message is written for users."""


def is_plain(name: str) -> bool:
    """Return True if `name` can be one part of a path on every system: it has no separator, and is neither `..` nor the
    name of a device.
    """
    return PLAIN.fullmatch(name) is not None


def is_plain_path(name: str) -> bool:
    """Return True if all parts of `name` (separated by `/`) are plain names (see `is_plain`)."""
    return PLAIN_PATH.fullmatch(name) is not None


def inside(folder: Path, name: str) -> Path:
    """Return the path of `name` (parts separated by `/`) below `folder`.

    Every path that is made from data goes through this function before the file is read or written. Raises OutsideError
    if a part is not a plain name, or if a link on the way leads out of `folder`.
    """
    if not is_plain_path(name):
        raise OutsideError(
            f"{name[:120]!r} is not a valid file name: use letters, digits and . _ + -, and no path to another folder"
        )
    path = folder / name
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise OutsideError(f"{name!r} is a link that points outside {folder}")
    except (OSError, RuntimeError) as error:  # a loop of links
        raise OutsideError(f"{name!r} cannot be followed: {getattr(error, 'strerror', None) or error}") from error
    return path


WORKSHOP, HELD = ".kb-build-", ".held"


def real_folder(folder: Path) -> Path:
    """Return the absolute path of a folder that the user named, with links and `~` resolved. A `~name` of an unknown
    user is kept unchanged.
    """
    try:
        return folder.expanduser().resolve()
    except RuntimeError:
        return folder.absolute()


def files_below(folder: Path) -> set[str]:
    """Return the paths of all files below a folder, relative to the folder and with `/`. Links count as files."""
    files = set()
    top = len(os.fspath(folder)) + len(os.sep)
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        above = f"{place[top:]}{os.sep}".replace(os.sep, "/") if place[top:] else ""
        files |= {f"{above}{name}" for name in (*names, *linked)}
    return files


@contextmanager
def workshop(out: Path) -> Iterator[Path]:
    """Create a temporary folder next to `out`, yield its path, and remove it afterwards. Raises OSError.

    Also remove temporary folders that killed processes have left behind.
    """
    begins = f".{out.name[:100]}{WORKSHOP}"
    for left in out.parent.glob(f"{escape(begins)}*"):
        if (left / HELD).is_file():
            with (
                suppress(OSError),
                hold_lock(left / HELD, wait=False),
            ):  # the lock is held if a process is still using the folder
                shutil.rmtree(left, ignore_errors=True)
    workspace = Path(tempfile.mkdtemp(prefix=begins, dir=out.parent))
    try:
        with hold_lock(workspace / HELD):
            yield workspace
    finally:
        shutil.rmtree(workspace, ignore_errors=True)


def keep_private(folder: Path) -> None:
    """Make a folder and its contents readable only for the user: mode 0700 for folders, 0600 for files. Create the
    folder if needed.

    Files whose mode cannot be changed keep their mode. Raises OSError if the folder cannot be created.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                if not path.is_symlink():
                    path.chmod(0o700 if path.is_dir() else 0o600)
