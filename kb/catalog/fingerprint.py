"""Tells whether the sources have changed: a quick look at sizes and times first, a hash of the contents when those differ."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from kb import games

FOLDERS = ("content", "cards")
SUFFIXES = (".md", ".yaml", ".yml", ".tsv", ".json")


def source_files(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every source file below `root` and of games that other packages bring, with its status, in a stable order."""
    pending = [str(top / folder) for top in (root, *games.sources()) for folder in FOLDERS]
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


def quick_fingerprint(root: Path, extra: tuple[Path, ...] = ()) -> str:
    """Changes whenever a source file appears, goes, or changes size or time. No file is opened."""
    digest = hashlib.blake2b(digest_size=16)
    for path, status in source_files(root):
        digest.update(os.fsencode(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"))
    for folder in extra:
        for own in sorted(folder.rglob("*.json")) if folder.is_dir() else []:
            digest.update(os.fsencode(f"{own}\0{own.stat().st_mtime_ns}\n"))
    return digest.hexdigest()


def content_hash(root: Path, extra: tuple[Path, ...] = ()) -> str:
    """Hash of the names and contents of all source files (and of the user's own data in `extra`)."""
    digest = hashlib.blake2b(digest_size=16)
    files = [Path(path) for path, _status in source_files(root)]
    files += [path for folder in extra if folder.is_dir() for path in sorted(folder.rglob("*.json"))]
    for path in files:
        digest.update(os.fsencode(path.name) + b"\0" + hashlib.blake2b(path.read_bytes(), digest_size=16).digest())
    return digest.hexdigest()
