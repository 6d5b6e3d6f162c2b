"""Tells whether the sources have changed: a quick look at sizes and times first, a hash of the contents when those differ."""

from __future__ import annotations

import hashlib
import marshal
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from kb import games
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
    return [root, *games.sources()]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Stands for the state of the sources: `digest` changes when they do; `newest` is the time of the latest change, in ns."""

    digest: str
    newest: int


def quick_fingerprint(root: Path, extra: tuple[Path, ...] = ()) -> Fingerprint:
    """The fingerprint of all files there are (see `all_files`). None is opened."""
    return fingerprint_of(all_files(root, extra))


def all_files(root: Path, extra: tuple[Path, ...]) -> list[Seen]:
    """Every source file, and those of the user's own data in `extra`, in a stable order."""
    return [*chain(*map(source_files, roots(root))), *own_files(extra)]


def fingerprint_of(files: list[Seen]) -> Fingerprint:
    """Changes whenever a file appears, goes, moves, or changes size or time.

    A file can be written twice within a tick of the clock: who trusts a fingerprint looks at `newest` too (see `is_settled`).
    """
    newest = 0
    for _path, _size, modified, changed, _number in files:
        if modified > newest or changed > newest:
            newest = max(modified, changed)
    # Version 2 of this form holds the values and nothing else.
    digest = hashlib.blake2b(marshal.dumps(files, 2), digest_size=16)
    return Fingerprint(digest.hexdigest(), newest)


def is_settled(fingerprint: Fingerprint, seen: int) -> bool:
    """Whether the files cannot have changed unnoticed since the fingerprint was taken at `seen` (time in ns): the latest change
    was long enough before that, or its time lies in the future anyway."""
    return is_long_before(fingerprint.newest, seen)


def is_long_before(changed: int, seen: int) -> bool:
    """Whether a change then (in ns) shows in what was `seen` later, whatever the clock: it does too if its time lies in the future."""
    return not seen - TICK <= changed <= seen + TICK


def own_files(folders: tuple[Path, ...]) -> Iterator[Seen]:
    """The files of the user's own data, in a stable order."""
    for folder in folders:
        for path in sorted(folder.rglob("*.json")) if folder.is_dir() else []:
            yield seen_file(str(path), path.stat())


class FileState(NamedTuple):
    """A source file as it stands (see `Seen`), and the hash of its contents."""

    size: int
    modified: int
    changed: int
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class Now:
    """The sources as they stand: the `hash` of all, and the state of every file by its path, `seen` then (in ns)."""

    hash: str
    states: Mapping[str, FileState]
    seen: int


def file_states(files: Iterable[Seen], known: Mapping[str, Sequence[Any]], seen: int) -> dict[str, FileState]:
    """The state of every file by its path, in their order.

    A file that stands as `known` when that was looked at (`seen`, in ns) is not read again, unless it was written just before then.
    """
    found = {}
    for path, size, modified, changed, number in files:
        before = known.get(path, ())
        sign = (size, modified, changed, number)
        settled = tuple(before[:-1]) == sign and is_long_before(max(modified, changed), seen)
        hashed = str(before[-1]) if settled else file_hash(Path(path))
        found[path] = FileState(*sign, hashed)
    return found


def file_hash(path: Path) -> str:
    """Hash of a file's contents; a pipe has none, and an endless file is not read: the loader names them. Raises OSError."""
    try:
        data = read_bounded(path, LARGEST_FILE)
    except TooLargeError:
        data = b""
    except OSError:
        if path.is_file():
            raise
        data = b""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def content_hash(root: Path, extra: tuple[Path, ...], states: Mapping[str, FileState]) -> str:
    """Hash of the places and contents of all source files, wherever `root` and the folders `extra` lie."""
    digest = hashlib.blake2b(digest_size=16)
    tops = [os.path.join(top, "") for top in (*roots(root), *extra)]  # noqa: PTH118 - there are thousands of paths
    for name, state in states.items():
        place = next(name[len(top) :] for top in tops if name.startswith(top)).replace(os.sep, "/")
        digest.update(os.fsencode(place) + b"\0" + bytes.fromhex(state.hash))
    return digest.hexdigest()
