"""A file that one process holds at a time, as a lock: whoever is killed has let go of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN, ENOSYS
from pathlib import Path

from kb.errors import KbError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class HeldError(KbError, OSError):
    """Another process holds the lock."""


@contextmanager
def held(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold the lock that the file `path` is, which is made where there is none and stays. Raises OSError.

    Waits for whoever holds it, or (`wait` is false) raises HeldError. Threads of one process wait for each other as processes do.

    This is what filelock does, and both keep each other out; but filelock loads asyncio, which takes longer than a search. It is asked where
    the system or the disk has no such locks.
    """
    try:
        handle = taken(path, wait)
    except OSError as error:
        if error.errno != ENOSYS:
            raise
        with held_elsewhere(path, wait):
            yield
        return
    try:
        yield
    finally:
        try:
            fcntl.flock(handle, fcntl.LOCK_UN)  # a process that was begun meanwhile may have the handle as well
        finally:
            os.close(handle)


def taken(path: Path, wait: bool) -> int:
    """The handle of the file, locked. Raises OSError, with ENOSYS where that cannot be done."""
    if fcntl is None:
        raise OSError(ENOSYS, "no such locks here")
    while True:
        handle = opened(path)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            if os.fstat(handle).st_nlink:  # else somebody has removed the file meanwhile: others would lock a new one
                return handle
        except OSError as error:
            os.close(handle)
            if not wait and error.errno in {EAGAIN, EACCES}:
                raise HeldError(error.errno, "another process holds it", str(path)) from None
            raise
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def opened(path: Path) -> int:
    """A handle of the file, which is made where there is none; nothing is written to it."""
    flags = os.O_RDWR | os.O_NOFOLLOW
    try:
        return os.open(path, flags | os.O_CREAT, 0o644)
    except PermissionError:  # of another user's file in a folder like /tmp, unless it is only opened
        if not path.exists():
            raise
        return os.open(path, flags)


@contextmanager
def held_elsewhere(path: Path, wait: bool) -> Iterator[None]:
    """`held` by filelock."""
    from filelock import FileLock, Timeout

    lock = FileLock(path)
    try:
        lock.acquire(timeout=-1 if wait else 0)
    except Timeout:
        raise HeldError(EAGAIN, "another process holds it", str(path)) from None
    try:
        yield
    finally:
        lock.release()
