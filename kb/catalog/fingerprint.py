"""Tells whether the sources have changed: a quick look at sizes and times first, a hash of the contents when those differ."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from kb import games

FOLDERS = ("content", "cards")
# The coarsest clock of a file system (FAT) ticks every two seconds.
TICK = 2_000_000_000
LARGEST_FILE = 64_000_000
SUFFIXES = (".md", ".yaml", ".yml", ".tsv", ".json")


def source_files(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every source file below `root`, with its status, in a stable order."""
    pending = [str(root / folder) for folder in FOLDERS]
    found: list[tuple[str, os.stat_result]] = []
    while pending:
        try:
            with os.scandir(pending.pop()) as listing:
                for item in listing:
                    try:
                        if item.is_dir():
                            pending.append(item.path)
                        elif item.name.endswith(SUFFIXES) and item.is_file():
                            found.append((item.path, item.stat()))
                    except OSError:  # a link to itself; the loader names it
                        continue
        except (FileNotFoundError, NotADirectoryError):
            continue
    found.sort()
    yield from found


def roots(root: Path) -> list[Path]:
    """The folders with sources: `root`, and those of games that other packages bring."""
    return [root, *games.sources()]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Stands for the state of the sources: `digest` changes when they do; `newest` is the time of the latest change, in ns."""

    digest: str
    newest: int


def quick_fingerprint(root: Path, extra: tuple[Path, ...] = ()) -> Fingerprint:
    """Changes whenever a source file appears, goes, moves, or changes size or time. No file is opened.

    A file can be written twice within a tick of the clock: who trusts a fingerprint looks at `newest` too (see `is_settled`).
    """
    digest = hashlib.blake2b(digest_size=16)
    newest = 0
    for path, status in chain(*map(source_files, roots(root)), own_files(extra)):
        times = (status.st_mtime_ns, status.st_ctime_ns)
        newest = max(newest, *times)
        digest.update(os.fsencode(f"{path}\0{status.st_size}\0{times[0]}\0{times[1]}\0{status.st_ino}\n"))
    return Fingerprint(digest.hexdigest(), newest)


def is_settled(fingerprint: Fingerprint, seen: int) -> bool:
    """Whether the files cannot have changed unnoticed since the fingerprint was taken at `seen` (time in ns): the latest change
    was long enough before that, or its time lies in the future anyway."""
    return not seen - TICK <= fingerprint.newest <= seen + TICK


def own_files(folders: tuple[Path, ...]) -> Iterator[tuple[str, os.stat_result]]:
    """The files of the user's own data, with their status, in a stable order."""
    for folder in folders:
        for path in sorted(folder.rglob("*.json")) if folder.is_dir() else []:
            yield str(path), path.stat()


def content_hash(root: Path, extra: tuple[Path, ...] = ()) -> str:
    """Hash of the places and contents of all source files (and of the user's own data in `extra`), wherever `root` itself lies."""
    digest = hashlib.blake2b(digest_size=16)
    for top, files in (
        *((each, source_files(each)) for each in roots(root)),
        *((folder, own_files((folder,))) for folder in extra),
    ):
        for name, _status in files:
            path = Path(name)
            # A pipe has no contents, and an endless file is not read: the loader names them.
            data = path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST_FILE else b""
            place = path.relative_to(top).as_posix()
            digest.update(os.fsencode(place) + b"\0" + hashlib.blake2b(data, digest_size=16).digest())
    return digest.hexdigest()
