"""Remove files from the cache that no installation of kb uses (`kb doctor --clean`)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kb import paths
from kb.catalog.store import CURRENT, LOCK, SCHEMA, home, own_data, read_sealed, source_places
from kb.files.swap import LOCKS, hold_lock
from kb.frozen import frozen
from kb.shapes import Jsonable


@frozen
class Cleaned(Jsonable):
    """The numbers of files that were removed from the cache, and of catalogs that were kept."""

    catalogs: int
    """Number of catalogs removed: catalogs of source folders that no longer exist, and of older versions of this kb."""
    kept: int
    """The number of catalogs that another kb on this machine may use."""
    locks: int
    """Number of lock files removed; no process held them."""
    bytes: int
    """Total size of the removed files."""


def clean() -> Cleaned:
    """Remove unused catalogs and lock files from kb's cache. Catalogs that another kb may use are kept."""
    cache, used = paths.cache_dir(), {home(), home(own_data())}
    others = [
        folder for folder in folders(cache) if folder not in used and folder.name != LOCKS and (folder / LOCK).is_file()
    ]
    removed = [
        size for folder in others if is_unused(folder) and (size := without_holder(folder / LOCK, folder)) is not None
    ]
    locks = [size for file in (cache / LOCKS).glob("*.lock") if (size := without_holder(file, file)) is not None]
    return Cleaned(len(removed), len(others) - len(removed), len(locks), sum(removed) + sum(locks))


def is_unused(folder: Path) -> bool:
    """Return True if no kb can use the catalog in `folder`.

    A catalog is unused if a folder of its sources no longer exists. It is also unused if an older version of kb built
    it from the sources that this kb contains. A catalog that does not name its sources may be in use.
    """
    try:
        state = read_sealed(folder / CURRENT)
        places, schema = [Path(place) for place in state["places"]], int(state["schema"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False
    if any(not place.is_dir() for place in places):
        return True
    shipped = not os.environ.get("KB_SOURCES")  # with it, an older kb may read the same folder
    return shipped and schema < int(SCHEMA) and list(map(str, places)) == source_places()


def folders(cache: Path) -> Iterator[Path]:
    """Yield the folders in the cache; none if there is no cache."""
    with suppress(OSError):
        yield from (path for path in cache.iterdir() if path.is_dir() and not path.is_symlink())


def without_holder(lock: Path, unused: Path) -> int | None:
    """Remove the file or folder `unused` while holding `lock`. Return its size in bytes, or None if another process
    holds the lock or the removal fails.
    """
    try:
        with hold_lock(lock, wait=False, remove=True):
            size = sum(file.stat().st_size for file in [unused, *unused.rglob("*")] if file.is_file())
            if unused.is_dir():
                shutil.rmtree(unused)
            return size
    except OSError:
        return None
