"""Puts finished files and folders in place: written beside, then renamed, with a way back if anything stops it."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EAGAIN
from pathlib import Path
from typing import IO

from kb import paths
from kb.errors import KbError
from kb.files.text import named


class HeldError(KbError, OSError):
    """Another process holds the lock."""


@contextmanager
def hold_lock(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold the lock that the file `path` is, which is made where there is none. Raises OSError.

    Waits for whoever holds it, or (`wait` is false) raises HeldError. Threads of one process wait for each other as processes do.
    """
    if sys.platform == "emscripten":  # a page's Python is alone
        yield
        return
    from filelock import FileLock, Timeout  # which loads asyncio: only who writes waits for that

    try:
        with FileLock(path, timeout=-1 if wait else 0):
            yield
    except Timeout:
        raise HeldError(EAGAIN, "another process holds it", str(path)) from None


# Windows refuses to rename over a file that somebody reads just now; a moment later it does not.
TRIES, PAUSE = 20, 0.05
LONGEST = 180
OLD = ".kb-old"
LEFT = re.compile(r"\.(.+)\.([0-9]{1,9})\.tmp", re.DOTALL)
"""The name of a file that is being written: that of the finished file, and the number of the process."""


class BusyError(KbError):
    """Another process writes the same file just now; the message is a sentence."""


def write_whole(path: Path, data: bytes | bytearray | Iterable[bytes]) -> None:
    """Write a file (`data` may be pieces of it) so that a reader finds the old one or the new one, never a part. Raises OSError; the old
    one then stays.
    """
    with written(path) as file:
        if isinstance(data, bytes | bytearray):
            file.write(data)
        else:
            file.writelines(data)


@contextlib.contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """A new file beside `path` to write, which is put in its place at the end. Raises OSError; an old file then stays.

    The mode of an old file is kept. What lies there by the new file's name is never written to: another number is taken.
    """
    for left in _left_in(path.parent).get(path.name[:LONGEST], ()):
        left.unlink(missing_ok=True)
    for number in itertools.count(os.getpid()):
        new = path.with_name(f".{path.name[:LONGEST]}.{number}.tmp")
        try:
            with named(path):
                file = new.open("xb")
        except FileExistsError:
            continue
        break
    try:
        with named(path), file:
            yield file
        if path.exists():
            new.chmod(path.stat().st_mode & 0o7777)
        replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


@functools.lru_cache(maxsize=64)
def _left_in(folder: Path) -> dict[str, list[Path]]:
    """What `written` has left in a folder where its process was killed, by the name of the file that was to be written."""
    left: dict[str, list[Path]] = {}
    with contextlib.suppress(OSError):
        for path in folder.iterdir() if os.name == "posix" else ():
            parts = LEFT.fullmatch(path.name)
            if parts and path.is_file() and not path.is_symlink() and _is_gone(int(parts[2])):
                left.setdefault(parts[1], []).append(path)
    return left


def _is_gone(process: int) -> bool:
    """Return True if no process has this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def swap_in(new: Path, target: Path) -> None:
    """Put the folder `new` in the place of the folder `target`. Raises OSError; `target` is then as it was.

    The old folder stands beside as `backup_of(target)` until the new one is in place. Should the process be killed in between,
    `recover` puts it back: whoever reads `target` calls it first. The mode of the old folder is kept. Call it under `locked(target)`.
    """
    recover(target)
    old = backup_of(target)
    if target.is_dir():
        new.chmod(target.stat().st_mode & 0o7777)
    try:
        if os.path.lexists(target):
            replace(target, old)
        replace(new, target)
    except BaseException:
        recover(target)
        raise
    recover(target)


def backup_of(target: Path) -> Path:
    """The path to which `swap_in` moves the old folder while it runs."""
    return target.with_name(f".{target.name[:LONGEST]}{OLD}")


def recover_all(folder: Path) -> None:
    """`recover` every folder in `folder` whose swap was cut off. Raises OSError."""
    for old in folder.glob(f".*{OLD}"):
        target = folder / old.name[1:].removesuffix(OLD)
        with locked(target):
            recover(target)


def recover(target: Path) -> None:
    """Finish or undo a `swap_in` that was cut off: afterwards `target` is whole, old or new, and nothing lies beside it."""
    import shutil  # slow to import, and seldom needed

    old = backup_of(target)
    if os.path.lexists(target):  # only then the old one is ever taken apart
        if old.is_symlink():
            old.unlink()
        shutil.rmtree(old, ignore_errors=True)
    elif os.path.lexists(old):
        replace(old, target)


def replace(source: Path, target: Path) -> None:
    """Rename, over a file that is there. Waits a moment where the system refuses while somebody reads (Windows)."""
    for left in reversed(range(TRIES)):
        try:
            source.replace(target)
            return
        except PermissionError:
            if os.name != "nt" or not left:
                raise
            time.sleep(PAUSE)


@contextlib.contextmanager
def locked(target: Path, wait: bool = True) -> Iterator[None]:
    """Hold the one lock of `target` among all processes of this user; waits for whoever holds it, or (`wait` is false) raises BusyError.

    The lock's file lies in kb's cache, so that nothing is left beside `target`. Where the cache cannot be written there is no lock.
    """
    name = hashlib.blake2b(os.fsencode(target.absolute()), digest_size=10).hexdigest()
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, NotImplementedError):  # no such locks on this disk
            folder = paths.cache_dir() / "locks"
            folder.mkdir(parents=True, exist_ok=True)
            try:
                stack.enter_context(hold_lock(folder / f"{name}.lock", wait))
            except HeldError:  # an OSError, which is not to be passed over
                raise BusyError(f"{target} is being written by another kb; wait for it, or write elsewhere.") from None
        yield
