"""Opens the catalog: builds it first when it is missing or the sources have changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import TYPE_CHECKING

from kb import paths
from kb.catalog.current import (
    CURRENT,
    DATABASE,
    LARGEST_FILE,
    Current,
    database_url,
    home,
    is_fresh,
    own_data,
    read_current,
    read_failure,
)
from kb.catalog.fingerprint import quick_fingerprint
from kb.catalog.kept import KEPT, is_damaged
from kb.catalog.sums import differing
from kb.files.inside import inside
from kb.files.read import read_bounded
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


def damaged() -> list[str]:
    """The files of the catalog in use that are not as they were written, or have gone; builds nothing."""
    folder = home()
    try:
        told = json.loads(read_bounded(folder / CURRENT, LARGEST_FILE))
        if told["version"] != __version__:
            return []  # of another kb, which wrote it otherwise
        found = differing(Current(**told).sums, inside(folder, told["folder"]))
    except OSError as error:
        # Nothing has been built, or nothing can be there.
        return [] if error.errno in {ENOENT, ENOTDIR, ENAMETOOLONG} else [CURRENT]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [CURRENT]
    return [*found, KEPT] if is_damaged(folder) else found


def emptied() -> bool:
    """Whether the server does not hold the tables that were written to it; builds nothing."""
    current = read_current(home()) if database_url() else None
    if current is None:
        return False
    with opened(home(), current) as catalog:
        return not catalog.holds(current.base)


def open_catalog(progress: Progress | None = None, say: Say | None = None) -> Catalog:
    """The catalog, built anew first when the sources have changed.

    `progress(step, share)` is told how far a build is; `say(sentence)` is told when a build failed and the old catalog
    stays in use. Raises SourceError when the sources are broken and there is no older catalog, DatabaseError when
    KB_DATABASE_URL cannot be used.
    """
    folder, current = up_to_date(progress, say, complete=True)
    catalog = opened(folder, current)
    if database_url() and not catalog.holds(current.base):  # a server can be emptied or filled by another installation
        from kb.catalog.refresh import refresh

        catalog.close()
        catalog = opened(folder, refresh(folder, progress, say, force=True))
    return catalog


def open_index(progress: Progress | None = None, say: Say | None = None) -> Path:
    """Folder of the search index of the catalog, which is built anew first when the sources have changed.

    For searches: they need no database. Where only entries have changed, no tables are written until a command needs them.
    Raises as `open_catalog` does.
    """
    folder, current = up_to_date(progress, say, complete=False)
    return folder / current.folder / "index"


def up_to_date(progress: Progress | None, say: Say | None, complete: bool) -> tuple[Path, Current]:
    """The cache folder and what is in use there (with tables when it is to be `complete`), after a build where one was needed."""
    folder = home()
    current = read_current(folder)
    if current is None or (complete and not current.complete) or not is_fresh(current):
        from kb.catalog.refresh import refresh  # what is fresh opens without it

        current = refresh(folder, progress, say, complete=complete)
    return folder, current


def build_catalog(progress: Progress | None = None) -> Catalog:
    """Build the catalog whether or not the sources have changed. Raises SourceError when they are broken."""
    from kb.catalog.refresh import refresh

    return opened(home(), refresh(home(), progress, None, force=True))


def opened(folder: Path, current: Current) -> Catalog:
    """The catalog that `current` names."""
    from kb.catalog.reader import Catalog

    built = folder / current.folder
    return Catalog(database_url() or f"sqlite:///{built / DATABASE}", built / "index", current.built, current.hash)


def status() -> Status:
    """State of the catalog; builds nothing."""
    folder = home()
    current = read_current(folder)
    fingerprint = quick_fingerprint(paths.sources_root(), own_data())
    failed = read_failure(folder, fingerprint.digest)
    fresh = current is not None and current.fingerprint == fingerprint.digest
    return Status(folder, database_url() or "SQLite", current.built if current else None, fresh, failed or [])
