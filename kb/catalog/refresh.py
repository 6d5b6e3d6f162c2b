"""Builds the catalog anew, beside the one in use, and swaps them; what fails leaves the old one in use."""

from __future__ import annotations

import gc
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from kb import paths
from kb.catalog.current import (
    FAILED,
    Current,
    checksums,
    database_url,
    differing,
    home,
    read_current,
    read_failure,
    swap,
    write_sealed,
)
from kb.catalog.fingerprint import all_files, content_hash, fingerprint_of
from kb.catalog.postgres import DatabaseError
from kb.files.lock import held
from kb.files.private import keep_private
from kb.version import __version__

Progress = Callable[[str, float], None]
Say = Callable[[str], None]


def refresh(own: Path | None, progress: Progress | None, say: Say | None, force: bool = False) -> Current:
    """Build the catalog, with the user's `own` data where these are given, under a lock, unless another process has done so meanwhile.

    Raises DatabaseError when the cache cannot be written.
    """
    folder = home(own)
    try:
        if own:
            keep_private(own)
            keep_private(folder)
        built = refresh_locked(folder, own, progress, say, force)
        if own:
            keep_private(folder)
        return built
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


def refresh_locked(folder: Path, own: Path | None, progress: Progress | None, say: Say | None, force: bool) -> Current:
    """`refresh` without its errors in words. Raises OSError, SourceError and DatabaseError."""
    from kb.sources.problems import SourceError

    folder.mkdir(parents=True, exist_ok=True)
    root = paths.sources_root()
    with uncollected(), held(folder / "lock"):
        old = None if force else read_current(folder)  # what answers when the sources cannot be taken in
        if old and differing(folder, old):
            old = None
        seen = time.time_ns()
        files = all_files(root, own)
        fingerprint = fingerprint_of(files, seen)
        if old and old.fingerprint == fingerprint.digest and fingerprint_of(files, old.seen).settled:
            return old
        if old and fingerprint.settled and (known := read_failure(folder, fingerprint.digest)):
            tell(say, known)
            return old
        hashed = content_hash(root, own, files)
        if old and old.hash == hashed:
            return swap(folder, replace(old, fingerprint=fingerprint.digest, seen=seen))
        try:
            made = new_build(folder, own, hashed, progress)
        except (DatabaseError, OSError):
            raise
        except Exception as error:
            problems = not_taken_in(error)
            if isinstance(error, SourceError):
                write_sealed(folder / FAILED, {"fingerprint": fingerprint.digest, "problems": problems})
            if old is None:
                raise
            tell(say, problems)
            return old
        (folder / FAILED).unlink(missing_ok=True)
        day = time.strftime("%Y-%m-%dT%H:%M:%S")
        return swap(folder, Current(made.name, fingerprint.digest, hashed, day, __version__, seen, checksums(made)))


def new_build(folder: Path, own: Path | None, hashed: str, progress: Progress | None) -> Path:
    """A new folder with index and tables of the sources, which have this hash. Raises SourceError and OSError; leaves nothing half-written."""
    from kb.catalog.build import build

    target = folder / f"build-{hashed[:12]}-{time.time_ns():x}"
    target.mkdir()
    try:
        report = progress or (lambda _step, _share: None)
        build(target, paths.sources_root(), own, hashed, database_url(own), report)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return target


@contextmanager
def uncollected() -> Iterator[None]:
    """Without collection of cyclic garbage: a build makes next to none, and looking for it takes a tenth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def not_taken_in(error: Exception) -> list[str]:
    """Why sources could not be taken in."""
    from kb.sources.problems import SourceError

    if isinstance(error, SourceError):
        return [str(problem) for problem in error.problems]
    return [f"They cannot be read: {type(error).__name__}: {str(error)[:300]} (this is a bug in kb)"]


def tell(say: Say | None, problems: list[str], what: str = "The sources have errors") -> None:
    """Say that the sources are broken (or what else is wrong) and the old catalog answers."""
    if say:
        more = f" (and {len(problems) - 3} more: kb doctor)" if len(problems) > 3 else ""
        said = "\n".join(problems[:3]) + more
        say(f"{what}, the catalog built before stays in use:\n{said}")
