"""Tells whether the sources have changed: a quick look at sizes and times first, a hash of the contents when those differ."""

from __future__ import annotations

import hashlib
import marshal
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from kb import registry
from kb.files.read import TooLargeError, read_bounded

FOLDERS = ("content", "cards")
# The coarsest clock of a file system (FAT) ticks every two seconds.
TICK = 2_000_000_000
LARGEST_FILE = 64_000_000
SUFFIXES = (".md", ".yaml", ".yml", ".tsv", ".json")


Seen = tuple[str, int, int, int, int]
"""A file as it stands: its path; its size, times (in ns) and number, which tell without opening it whether it has changed."""


def source_files(root: Path) -> list[Seen]:
    """Every source file below `root`, in a stable order."""
    pending = [str(root / folder) for folder in FOLDERS]
    found: list[Seen] = []
    while pending:
        try:
            with os.scandir(pending.pop()) as listing:
                for item in listing:
                    try:
                        if item.is_dir():
                            pending.append(item.path)
                        elif item.name.endswith(SUFFIXES) and item.is_file():
                            found.append(seen_file(item.path, item.stat()))
                    except OSError:  # a link to itself; the loader names it
                        continue
        except (FileNotFoundError, NotADirectoryError):
            continue
    found.sort()
    return found


def seen_file(path: str, status: os.stat_result) -> Seen:
    """A file with what `stat` says of it."""
    return path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def roots(root: Path) -> list[Path]:
    """The folders with sources: `root`, and those of games that other packages bring."""
    return [root, *registry.sources()]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Stands for the state of the sources: `digest` changes when they do. A file can be written twice within a tick of the clock: `settled`
    says whether none can have changed unnoticed since the sources were `seen`."""

    digest: str
    settled: bool


def quick_fingerprint(root: Path, own: Path | None, seen: int) -> Fingerprint:
    """The fingerprint of all files there are (see `all_files`), which were looked at before when it was `seen` (time in ns). None is opened."""
    return fingerprint_of(all_files(root, own), seen)


def all_files(root: Path, own: Path | None) -> list[Seen]:
    """Every source file, and those of what the user has imported into the folder `own`, in a stable order."""
    return [*chain(*map(source_files, roots(root))), *(own_files(own) if own else ())]


def fingerprint_of(files: list[Seen], seen: int) -> Fingerprint:
    """Changes whenever a file appears, goes, moves, or changes size or time.

    A file that changed a tick before it was `seen`, or since, may have changed again at the same time as far as the clock tells. A time that
    lies in the future tells nothing of that, and nothing of other files: who writes the file again gives it another one.
    """
    first, last = seen - TICK, seen + TICK
    settled = not any(
        first <= modified <= last or first <= changed <= last for _path, _size, modified, changed, _number in files
    )
    # Version 2 of this form holds the values and nothing else.
    digest = hashlib.blake2b(marshal.dumps(files, 2), digest_size=16)
    return Fingerprint(digest.hexdigest(), settled)


def own_files(folder: Path) -> Iterator[Seen]:
    """The files of what the user has imported into a folder, in a stable order."""
    for path in sorted(folder.rglob("*.json")) if folder.is_dir() else []:
        yield seen_file(str(path), path.stat())


def file_hash(path: Path) -> bytes:
    """Hash of a file's contents; a pipe has none, and an endless file is not read: the loader names them. Raises OSError."""
    try:
        data = read_bounded(path, LARGEST_FILE)
    except TooLargeError:
        data = b""
    except OSError:
        if path.is_file():
            raise
        data = b""
    return hashlib.blake2b(data, digest_size=16).digest()


def content_hash(root: Path, own: Path | None, files: Iterable[Seen]) -> str:
    """Hash of the places and contents of all source files, wherever `root` and the folder `own` lie. Raises OSError."""
    digest = hashlib.blake2b(digest_size=16)
    tops = [os.path.join(top, "") for top in (*roots(root), *([own] if own else []))]  # noqa: PTH118 - there are thousands of paths
    for path, *_state in files:
        place = next(path[len(top) :] for top in tops if path.startswith(top)).replace(os.sep, "/")
        digest.update(os.fsencode(place) + b"\0" + file_hash(Path(path)))
    return digest.hexdigest()
