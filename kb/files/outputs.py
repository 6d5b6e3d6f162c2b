"""Prevent a command from overwriting its own inputs, even if they are named in different ways."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from kb.errors import KbError

SQLITE = "sqlite:///"


class OutputError(KbError, ValueError):
    """Writing would destroy an input, or a file that kb did not write. The message is written for users."""


def refuse_inputs(out: Path | None, inputs: Iterable[str | Path | None]) -> None:
    """Raise OutputError if writing the file or folder `out` would change one of the `inputs`. Call it before writing
    anything.

    An input is a file, a folder with everything below it, `-` (the file that standard input comes from, if any), or the
    address of an SQLite database. Inputs that are not files on this machine are ignored. Two names are the same file if
    the system says so (links, `..`, letter case on some disks), or if they differ only in letter case. If `out` is a
    folder, no input may be inside it.
    """
    out_status = None if out is None else status_of(out)
    if out is None or out_status is None or not (stat.S_ISREG(out_status.st_mode) or stat.S_ISDIR(out_status.st_mode)):
        return  # nothing exists that could be lost, or `out` is a terminal or a pipe
    name = plain_name(out)
    for source in inputs:
        for place, status in files_of(source):
            if os.path.samestat(status, out_status) or plain_name(place) == name:
                raise OutputError(
                    f"{out} is read by this command ({place}), so it was not overwritten. Choose another file."
                )
            above = (*place.absolute().parents, *real(place).parents) if stat.S_ISDIR(out_status.st_mode) else ()
            if any(is_same(folder, out_status) for folder in above):
                raise OutputError(
                    f"{out} contains {place}, which this command reads, so it was not replaced. Choose another folder."
                )


def files_of(source: str | Path | None) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the file or folder that an input names and, for a folder, everything below it. Each path comes with its
    status.
    """
    if source is None:
        return
    if str(source) == "-":
        try:
            yield Path("-"), os.fstat(0)
        except OSError:  # closed
            return
    named = str(source)
    path = Path(named.removeprefix(SQLITE) if named.startswith(SQLITE) else source)
    status = status_of(path)
    if status is None:
        return
    yield path, status
    if stat.S_ISDIR(status.st_mode):
        for above, _folders, names in os.walk(path):
            for name in names:
                below = Path(above, name)
                if (file_status := status_of(below)) is not None:
                    yield below, file_status


def is_same(path: Path, other: os.stat_result) -> bool:
    """Return True if `path` leads to the file or folder with the status `other`."""
    status = status_of(path)
    return status is not None and os.path.samestat(status, other)


def status_of(path: Path) -> os.stat_result | None:
    """Return the status of the file that `path` leads to, following links. None if there is no such file."""
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def real(path: Path) -> Path:
    """Return a path with all links resolved, as far as they can be followed."""
    return Path(os.path.realpath(path))


def plain_name(path: Path) -> str:
    """Return a path with all links resolved and in lower case, to compare it with others."""
    return unicodedata.normalize("NFC", str(real(path))).casefold()
