"""Opens the catalog: builds it when it is missing or the sources have changed, beside the old one, then swaps them.

Layout of the cache folder: `<cache>/<key>/current.json` names the folder of the current build, `build-*/` hold
`catalog.sqlite` (unless KB_DATABASE_URL names a server) and `index/`.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kb import paths
from kb.catalog.fingerprint import Now, content_hash, file_states, is_settled, quick_fingerprint
from kb.catalog.kept import KEPT, is_damaged, read_kept
from kb.catalog.postgres import DatabaseError, driver_url
from kb.catalog.sums import differing, sizes, sums
from kb.files.inside import inside
from kb.files.read import read_bounded
from kb.files.swap import recover_all, write_whole
from kb.version import __version__

if TYPE_CHECKING:
    from kb.catalog.kept import Kept
    from kb.catalog.reader import Catalog

LARGEST_FILE = 10_000_000
CURRENT = "current.json"
SCHEMA = "19"
Progress = Callable[[str, float], None]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Current:
    """What `current.json` says: the folder in use, what it was built from, when that was looked at (`seen`, in ns), and the size
    and hash of each file. The tables are those of the sources with the hash `base`: a build that is not `complete` has them from the
    whole build before it, and took in the files `touched` in its index alone."""

    folder: str
    fingerprint: str
    hash: str
    built: str
    version: str
    seen: int
    sizes: dict[str, int]
    sums: dict[str, str]
    complete: bool
    base: str
    touched: list[str]


@dataclass(frozen=True, slots=True)
class Made:
    """A new build, not yet in use: see `Current`."""

    folder: Path
    complete: bool
    base: str
    touched: list[str]


@dataclass(frozen=True, slots=True)
class Status:
    """State of the catalog, for `kb doctor`."""

    home: Path
    database: str
    built: str | None
    fresh: bool
    failed: list[str]


def database_url() -> str | None:
    """The server that `KB_DATABASE_URL` names, with the driver kb uses; None for the SQLite file."""
    url = os.environ.get("KB_DATABASE_URL", "").strip()
    return driver_url(url) if url else None


def home() -> Path:
    """Folder of this installation's catalog: one for each sources folder and database."""
    places = "\0".join(map(str, [paths.sources_root(), *paths.game_folders()]))
    key = hashlib.blake2b(f"{places}\0{database_url() or ''}\0{SCHEMA}".encode(), digest_size=6)
    return paths.cache_dir() / key.hexdigest()


def own_data() -> tuple[Path, ...]:
    """The user's own imports, which are part of what a catalog is built from; one that was cut off is put right first."""
    recover_all(paths.user_data_dir())
    return (paths.user_data_dir(),)


def read_current(folder: Path) -> Current | None:
    """What is in use, or None when there is nothing usable."""
    try:
        current = Current(**json.loads(read_bounded(folder / CURRENT, LARGEST_FILE)))
        known = current.version == __version__ and isinstance(current.sums, dict) and type(current.seen) is int
        known = known and type(current.complete) is bool and isinstance(current.touched, list)
        whole = known and sizes(inside(folder, current.folder)) == current.sizes
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return current if whole else None


def damaged() -> list[str]:
    """The files of the catalog in use that are not as they were written, or have gone; builds nothing."""
    folder = home()
    try:
        told = json.loads(read_bounded(folder / CURRENT, LARGEST_FILE))
        if told["version"] != __version__:
            return []  # of another kb, which wrote it otherwise
        found = differing(Current(**told).sums, inside(folder, told["folder"]))
    except FileNotFoundError:
        return []  # nothing has been built
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
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
        current = refresh(folder, progress, say, complete=complete)
    return folder, current


def is_fresh(current: Current) -> bool:
    """Whether the sources are surely those that `current` was built from. No file of them is opened."""
    found = quick_fingerprint(paths.sources_root(), own_data())
    return current.fingerprint == found.digest and is_settled(found, current.seen)


def build_catalog(progress: Progress | None = None) -> Catalog:
    """Build the catalog whether or not the sources have changed. Raises SourceError when they are broken."""
    return opened(home(), refresh(home(), progress, None, force=True))


def opened(folder: Path, current: Current) -> Catalog:
    """The catalog that `current` names."""
    from kb.catalog.reader import Catalog

    built = folder / current.folder
    return Catalog(
        database_url() or f"sqlite:///{built / 'catalog.sqlite'}", built / "index", current.built, current.hash
    )


def status() -> Status:
    """State of the catalog; builds nothing."""
    folder = home()
    current = read_current(folder)
    fingerprint = quick_fingerprint(paths.sources_root(), own_data())
    failed = read_failure(folder, fingerprint.digest)
    fresh = current is not None and current.fingerprint == fingerprint.digest
    return Status(folder, database_url() or "SQLite", current.built if current else None, fresh, failed or [])


def read_failure(folder: Path, fingerprint: str) -> list[str] | None:
    """The problems that the last build found in these very sources, if it failed."""
    try:
        failure = json.loads(read_bounded(folder / "failed.json", LARGEST_FILE))
        return list(map(str, failure["problems"])) if failure["fingerprint"] == fingerprint else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def refresh(
    folder: Path, progress: Progress | None, say: Say | None, force: bool = False, complete: bool = True
) -> Current:
    """Build under a lock, unless another process has done so meanwhile. Raises DatabaseError when the cache cannot be written."""
    try:
        return refresh_locked(folder, progress, say, force, complete)
    except OSError as error:
        current = None if force else read_current(folder)
        if current is not None:
            where = f" ({error.filename})" if error.filename else ""
            tell(say, [f"They cannot be taken in: {error.strerror or error}{where}."], "The sources have changed")
            return current
        if error.filename and Path(os.fsdecode(error.filename)).is_relative_to(paths.sources_root()):
            raise
        where = f" ({error.filename})" if error.filename else ""
        raise DatabaseError(
            f"The catalog cannot be written to {folder}: {error.strerror or error}{where}. "
            "Make room there, or let KB_HOME name another folder."
        ) from error


def refresh_locked(folder: Path, progress: Progress | None, say: Say | None, force: bool, complete: bool) -> Current:
    """`refresh` without its errors in words. Raises OSError, SourceError and DatabaseError."""
    from filelock import FileLock

    from kb.load.problems import SourceError

    folder.mkdir(parents=True, exist_ok=True)
    root = paths.sources_root()
    with FileLock(folder / "lock"):
        current = read_current(folder)
        seen = time.time_ns()
        found = quick_fingerprint(root, own_data())
        fingerprint = found.digest
        old = None if force else current  # what answers when the sources cannot be taken in
        usable = None if old and complete and not old.complete else old
        if usable and usable.fingerprint == fingerprint and is_settled(found, usable.seen):
            return usable
        if old and is_settled(found, seen) and (known := read_failure(folder, fingerprint)):
            tell(say, known)
            return old
        kept = read_kept(folder, __version__, old.base) if old else None
        states = file_states(root, own_data(), kept.files if kept else {}, kept.seen if kept else 0)
        hashed = content_hash(root, own_data(), states)
        if usable and usable.hash == hashed:
            return swap(folder, replace(usable, fingerprint=fingerprint, seen=seen))
        try:
            # Nothing of a damaged index is taken over, nor of any when kb is asked to build anew.
            whole = old is not None and sums(folder / old.folder) == old.sums
            now = Now(hashed, states, seen)
            made = build(folder, root, now, kept, old if whole else None, progress, complete)
        except (DatabaseError, OSError):
            raise
        except Exception as error:
            problems = not_taken_in(error)
            if isinstance(error, SourceError):
                write_json(folder / "failed.json", {"fingerprint": fingerprint, "problems": problems})
            if old is None:
                raise
            tell(say, problems)
            return old
        (folder / "failed.json").unlink(missing_ok=True)
        day, built = time.strftime("%Y-%m-%dT%H:%M:%S"), made.folder
        state = (fingerprint, hashed, day, __version__, seen, sizes(built), sums(built))
        return swap(folder, Current(built.name, *state, made.complete, made.base, made.touched))


def not_taken_in(error: Exception) -> list[str]:
    """Why sources could not be taken in."""
    from kb.load.problems import SourceError

    if isinstance(error, SourceError):
        return [str(problem) for problem in error.problems]
    return [f"They cannot be read: {type(error).__name__}: {str(error)[:300]} (this is a bug in kb)"]


def tell(say: Say | None, problems: list[str], what: str = "The sources have errors") -> None:
    """Say that the sources are broken (or what else is wrong) and the old catalog answers."""
    if say:
        more = f" (and {len(problems) - 3} more: kb doctor)" if len(problems) > 3 else ""
        said = "\n".join(problems[:3]) + more
        say(f"{what}, the catalog built before stays in use:\n{said}")


def build(
    folder: Path,
    root: Path,
    now: Now,
    kept: Kept | None,
    current: Current | None,
    progress: Progress | None,
    complete: bool,
) -> Made:
    """Make the folder of a build. Raises SourceError and OSError; leaves nothing half-written.

    What is in `current` is taken over as far as it has not changed. With `kept` that may be all but a few entries; unless it is to be
    `complete`, the tables then stay those of `current`. Those of a server are written whole.
    """
    from kb.catalog.builds import quick_index, whole_build

    if current and kept and not (complete and database_url()):
        before = folder / current.folder
        if quick := quick_index(folder, root, now, kept, before, current.touched, complete):
            return Made(quick[0], complete, current.base, quick[1])
    report = progress or (lambda _step, _share: None)
    previous = folder / current.folder / "index" if current else None
    built = whole_build(folder, root, paths.user_data_dir(), now, previous, database_url(), report)
    return Made(built, True, now.hash, [])


def swap(folder: Path, current: Current) -> Current:
    """Make `current` the one in use (atomically), then remove older builds."""
    import shutil

    write_json(folder / CURRENT, asdict(current))
    for old in folder.glob("build-*"):
        if old.name != current.folder and time.time() - old.stat().st_mtime > 60:
            shutil.rmtree(old, ignore_errors=True)
    return current


def write_json(path: Path, value: object) -> None:
    """Write JSON whole or not at all."""
    write_whole(path, json.dumps(value).encode("utf-8"))
