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
def hold_lock(path: Path, wait: bool = True, remove: bool = False) -> Iterator[None]:
    """Hold the lock on the file `path`, which is created if it does not exist. Raises OSError.

    If another process or thread holds it, wait; with `wait=False` raise HeldError. With `remove` the file is deleted at the end.
    """
    if sys.platform == "emscripten":  # the Python of a page has no other processes
        yield
        return
    from filelock import FileLock, Timeout  # it imports asyncio, so only writers pay for it

    lock = FileLock(path, timeout=-1 if wait else 0)
    try:
        while True:
            waited_for = opened_inode(path)
            lock.acquire()
            if exists_as(path, waited_for):
                break
            lock.release()  # its last holder removed the file: others lock a new one
    except Timeout:
        raise HeldError(EAGAIN, "another process holds it", str(path)) from None
    try:
        yield
    finally:
        if remove and os.name != "nt":
            path.unlink(missing_ok=True)
        lock.release()
        if remove and os.name == "nt":  # Windows deletes no open file, nor one that another process has opened
            with contextlib.suppress(OSError):
                path.unlink()


def opened_inode(path: Path) -> int:
    """Create the file `path` if it does not exist; return its inode number."""
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    try:
        return os.fstat(file).st_ino
    finally:
        os.close(file)


def exists_as(path: Path, inode: int) -> bool:
    """Return True if `path` is still the file with this inode number."""
    try:
        return path.stat().st_ino == inode
    except FileNotFoundError:
        return False


# Windows refuses to rename over a file that somebody reads just now; a moment later it does not.
TRIES, PAUSE = 20, 0.05
LONGEST = 180
OLD = ".kb-old"
LOCKS = "locks"
"""The folder of lock files in kb's cache."""
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
    """Hold the lock on `target` among all processes of this user. If another one holds it, wait; with `wait=False` raise BusyError.

    The lock file is in kb's cache, not next to `target`, and is removed at the end. If the cache cannot be written there is no lock.
    """
    name = hashlib.blake2b(os.fsencode(target.absolute()), digest_size=10).hexdigest()
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, NotImplementedError):  # no such locks on this disk
            folder = paths.cache_dir() / LOCKS
            folder.mkdir(parents=True, exist_ok=True)
            try:
                stack.enter_context(hold_lock(folder / f"{name}.lock", wait, remove=True))
            except HeldError:  # an OSError, which is not to be passed over
                raise BusyError(
                    f"{target} is being written by another kb process. Wait for it, or choose another folder."
                ) from None
        yield
