"""Opens the catalog: builds it first when it is missing or the sources have changed."""

from __future__ import annotations

from dataclasses import dataclass
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import TYPE_CHECKING

from kb import paths
from kb.catalog.current import (
    CURRENT,
    DATABASE,
    INDEX,
    Current,
    database_url,
    differing,
    home,
    is_fresh,
    own_data,
    read_current,
    read_failure,
    read_sealed,
)
from kb.catalog.fingerprint import quick_fingerprint
from kb.files.inside import inside
from kb.version import __version__

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.catalog.refresh import Progress, Say


@dataclass(frozen=True, slots=True)
class Status:
    """State of the catalog, for `kb doctor`."""

    home: Path
    database: str
    built: str | None
    fresh: bool
    failed: list[str]


def damaged(own: Path | None = None) -> list[str]:
    """The files of the catalog in use (of that with the user's `own` data) that are not as they were written, or have gone; builds
    nothing."""
    folder = home(own)
    try:
        told = read_sealed(folder / CURRENT)
        if told["version"] != __version__:
            return []  # of another kb, which wrote it otherwise
        return differing(folder, Current(**told)) if inside(folder, told["folder"]).is_dir() else [str(told["folder"])]
    except OSError as error:
        # Nothing has been built, or nothing can be there.
        return [] if error.errno in {ENOENT, ENOTDIR, ENAMETOOLONG} else [CURRENT]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [CURRENT]


def emptied() -> bool:
    """Whether the server does not hold the tables that were written to it; builds nothing."""
    current = read_current(home()) if database_url() else None
    if current is None:
        return False
    with opened(None, current) as catalog:
        return not catalog.holds(current.hash)


def open_catalog(progress: Progress | None = None, say: Say | None = None, *, own: bool = False) -> Catalog:
    """The catalog, built anew first when the sources have changed or a file of it is damaged; with `own` the one that holds what the user
    has imported as well.

    `progress(step, share)` is told how far a build is; `say(sentence)` is told when a build failed and the old catalog
    stays in use, or of damage. Raises SourceError when the sources are broken and there is no older catalog, DatabaseError when
    KB_DATABASE_URL cannot be used.
    """
    data = own_data() if own else None
    current = up_to_date(data, progress, say)
    catalog = opened(data, current)
    if database_url(data) and not catalog.holds(current.hash):  # another installation can empty or fill a server
        from kb.catalog.refresh import refresh

        catalog.close()
        catalog = opened(data, refresh(data, progress, say, force=True))
    return catalog


def open_index(progress: Progress | None = None, say: Say | None = None, *, own: bool = False) -> Path:
    """Folder of the search index of the catalog, for searches: they need no database. Builds and raises as `open_catalog` does."""
    data = own_data() if own else None
    return home(data) / up_to_date(data, progress, say, f"{INDEX}/").folder / INDEX


def up_to_date(own: Path | None, progress: Progress | None, say: Say | None, below: str = "") -> Current:
    """What is in use, after a build where one was needed. Of its files those are looked at whose paths begin with `below`."""
    folder = home(own)
    current = read_current(folder)
    found = differing(folder, current, below) if current else []
    if found and say:
        say(f"The catalog was damaged ({', '.join(found[:5])}); it is being rebuilt.")
    if current is None or found or not is_fresh(current, own):
        from kb.catalog.refresh import refresh  # what is fresh opens without it

        current = refresh(own, progress, say)
    return current


def build_catalog(progress: Progress | None = None) -> Catalog:
    """Build the catalog whether or not the sources have changed, and the one with what the user has imported, where there is something.

    Raises SourceError when they are broken.
    """
    from kb.catalog.refresh import refresh

    current = refresh(None, progress, None, force=True)
    if own := own_data():
        refresh(own, progress, None, force=True)
    return opened(None, current)


def opened(own: Path | None, current: Current) -> Catalog:
    """The catalog that `current` names."""
    from kb.catalog.reader import Catalog

    built = home(own) / current.folder
    return Catalog(database_url(own) or f"sqlite:///{built / DATABASE}", built / INDEX, current.built, current.hash)


def status() -> Status:
    """State of the public catalog; builds nothing."""
    folder = home()
    current = read_current(folder)
    fingerprint = quick_fingerprint(paths.sources_root(), None, current.seen if current else 0)
    failed = read_failure(folder, fingerprint.digest)
    fresh = current is not None and current.fingerprint == fingerprint.digest
    return Status(folder, database_url() or "SQLite", current.built if current else None, fresh, failed or [])
