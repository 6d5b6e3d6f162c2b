"""Builds the catalog anew, beside the one in use, and swaps them; what fails leaves the old one in use."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kb import paths
from kb.catalog.current import (
    DATABASE,
    Current,
    database_url,
    own_data,
    read_current,
    read_failure,
    swap,
    write_json,
)
from kb.catalog.fingerprint import Now, all_files, content_hash, file_states, fingerprint_of, is_settled
from kb.catalog.kept import read_kept
from kb.catalog.postgres import DatabaseError
from kb.catalog.sums import sizes, sums, taken_over
from kb.files.lock import held
from kb.version import __version__

if TYPE_CHECKING:
    from kb.catalog.kept import Kept

Progress = Callable[[str, float], None]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A new build, not yet in use: see `Current`."""

    folder: Path
    complete: bool
    base: str
    touched: list[str]


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
        if isinstance(error, ChildProcessError):
            raise DatabaseError(
                f"The catalog was not built: {error.strerror}. The same command begins anew."
            ) from error
        where = f" ({error.filename})" if error.filename else ""
        raise DatabaseError(
            f"The catalog cannot be written to {folder}: {error.strerror or error}{where}. "
            "Make room there, or let KB_HOME name another folder."
        ) from error


def refresh_locked(folder: Path, progress: Progress | None, say: Say | None, force: bool, complete: bool) -> Current:
    """`refresh` without its errors in words. Raises OSError, SourceError and DatabaseError."""
    from kb.load.problems import SourceError

    folder.mkdir(parents=True, exist_ok=True)
    root, own = paths.sources_root(), own_data()
    with uncollected(), held(folder / "lock"):
        current = read_current(folder)
        seen = time.time_ns()
        files = all_files(root, own)
        found = fingerprint_of(files)
        fingerprint = found.digest
        old = None if force else current  # what answers when the sources cannot be taken in
        usable = None if old and complete and not old.complete else old
        if usable and usable.fingerprint == fingerprint and is_settled(found, usable.seen):
            return usable
        if old and is_settled(found, seen) and (known := read_failure(folder, fingerprint)):
            tell(say, known)
            return old
        kept = read_kept(folder, __version__, old.base) if old else None
        states = file_states(files, kept.files if kept else {}, kept.seen if kept else 0)
        hashed = content_hash(root, own, states)
        if usable and usable.hash == hashed:
            return swap(folder, replace(usable, fingerprint=fingerprint, seen=seen))
        try:
            # Nothing of a damaged index is taken over, nor of any when kb is asked to build anew. Tables that nobody reads now are looked at
            # when somebody does: what they should be stays known.
            unread = {} if complete or old is None else {name: old.sums[name] for name in old.sums.keys() & {DATABASE}}
            whole = old is not None and sums(folder / old.folder, unread) == old.sums
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
        linked = taken_over(built, folder / old.folder, old.sums) if old and whole else {}
        state = (fingerprint, hashed, day, __version__, seen, sizes(built), sums(built, linked))
        return swap(folder, Current(built.name, *state, made.complete, made.base, made.touched))


@contextmanager
def uncollected() -> Iterator[None]:
    """Without collection of cyclic garbage: a build makes next to none, and looking for it among all that is known of the sources takes a
    tenth of the time, of tens of thousands of entries a second."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


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
    from kb.catalog.builds import new_folder, quick_index

    if current and kept and not (complete and database_url()):
        before = folder / current.folder
        if quick := quick_index(folder, root, now, kept, before, current.touched, complete):
            return Made(quick[0], complete, current.base, quick[1])
    from kb.catalog.whole import whole_build  # with SQLAlchemy, which what changed of an entry needs nothing of

    report = progress or (lambda _step, _share: None)
    previous = folder / current.folder / "index" if current else None
    with new_folder(folder, now.hash) as target:
        whole_build(target, root, paths.user_data_dir(), now, previous, database_url(), report)
    return Made(target, True, now.hash, [])
