"""Remove files from the cache that this installation of kb does not use (`kb doctor --clean`)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kb import paths
from kb.catalog.store import LOCK, home, own_data
from kb.files.swap import LOCKS, hold_lock
from kb.frozen import frozen
from kb.jsonable import Jsonable


@frozen
class Cleaned(Jsonable):
    """The files removed from the cache."""

    catalogs: int
    """Catalogs of other installations, versions or source folders. kb rebuilds a catalog when it is needed."""
    locks: int
    """Lock files that no process holds."""
    bytes: int
    """Size of the removed files."""


def clean() -> Cleaned:
    """Remove unused catalogs and lock files from kb's cache. Files that another process uses stay."""
    cache = paths.cache_dir()
    used = {home(), home(own_data())}
    catalogs = [
        folder for folder in folders(cache) if folder not in used and folder.name != LOCKS and (folder / LOCK).is_file()
    ]
    removed = [size for folder in catalogs if (size := without_holder(folder / LOCK, folder)) is not None]
    locks = [size for file in (cache / LOCKS).glob("*.lock") if (size := without_holder(file, file)) is not None]
    return Cleaned(len(removed), len(locks), sum(removed) + sum(locks))


def folders(cache: Path) -> Iterator[Path]:
    """Yield the folders in the cache; none if there is no cache."""
    with suppress(OSError):
        yield from (path for path in cache.iterdir() if path.is_dir() and not path.is_symlink())


def without_holder(lock: Path, unused: Path) -> int | None:
    """Remove a file or folder under its lock; return its size in bytes, or None if a process holds the lock or it cannot be removed."""
    try:
        with hold_lock(lock, wait=False, remove=True):
            size = sum(file.stat().st_size for file in [unused, *unused.rglob("*")] if file.is_file())
            if unused.is_dir():
                shutil.rmtree(unused)
            return size
    except OSError:
        return None
