"""Files of a built site that stay where they are when it is built again: those that are as kb wrote them and come out the same."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kb.files.folders import files_below
from kb.files.read import read_bounded
from kb.files.same import is_own_file, same_file
from kb.site.past import Past, digest, file_digest

LARGEST = 256_000_000
SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Finished:
    """A site before it is put in place: what is new lies in the folder `new`, the files `same` stay where they are in `out`."""

    new: Path
    out: Path = Path()
    same: Collection[str] = ()

    def names(self) -> set[str]:
        """All its files, as paths with `/`."""
        return {*files_below(self.new), *self.same}

    def path(self, name: str) -> Path:
        """Where a file lies now."""
        return (self.out if name in self.same else self.new) / name


def standing(past: Past, out: Path) -> dict[str, str]:
    """The files in `out` that are, byte for byte, as the build wrote them of which `past` is known: paths with `/`, with their marks.

    A file that has the size, the time and the place on the disk that it was written with is not read again.
    """
    found = {}
    for name, entry in below(out) if past.files else ():
        known = past.files.get(name)
        with suppress(OSError):
            if known and entry.is_file(follow_symlinks=False):
                (told, before), mark = known, mark_of(entry.stat(follow_symlinks=False))
                if (mark and mark == before) or (told and digest(read_bounded(Path(entry.path), LARGEST)) == told):
                    found[name] = mark
    return found


def below(folder: Path, above: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """What lies below a folder and is no folder, with its path. Links are not followed."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                yield from below(Path(entry.path), f"{above}{entry.name}/")
            else:
                yield f"{above}{entry.name}", entry


def mark_of(status: os.stat_result) -> str:
    """What changes when somebody writes to a file or puts another in its place; empty where the disk tells times in seconds only."""
    if status.st_mtime_ns % SECOND == 0:
        return ""
    return f"{status.st_size:x}.{status.st_mtime_ns:x}.{status.st_ino:x}"


def leave_out_equal(new: Path, out: Path) -> set[str]:
    """Remove the files below `new` that stand in `out` with the same bytes; returns their paths."""
    found = set()
    for name, entry in below(new):
        there = out / name
        with suppress(OSError):
            if is_own_file(there) and filecmp.cmp(there, entry.path, shallow=False):
                found.add(name)
                Path(entry.path).unlink()
    return found


def fill(finished: Finished) -> None:
    """Give the folder with what is new the other files as well: a second name of each. Raises OSError."""
    for name in finished.same:
        place = finished.new / name
        place.parent.mkdir(parents=True, exist_ok=True)
        same_file(finished.out / name, place)


def files_of(
    finished: Finished, past: Past, there: Mapping[str, str], digests: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """What is known of each file of a site: its digest, as far as it is among `digests` or known from the `past`, and its mark, which
    for files that are `there` is known. Raises OSError."""

    def told(name: str) -> tuple[str, str]:
        known = past.files.get(name) if name in finished.same else None
        mark = there.get(name) if known else None
        return digests.get(name) or (known[0] if known else ""), mark or mark_of(finished.path(name).lstat())

    return {name: told(name) for name in finished.names()}


def digests_of(finished: Finished, past: Past, names: Collection[str]) -> dict[str, str]:
    """The digests of files of a site; those that stay are read only where none is known. Raises OSError."""
    known = {name: past.files[name][0] for name in finished.same if name in past.files}
    return {name: known.get(name) or file_digest(finished.path(name)) for name in names}
