"""Replace files and folders safely.

The new file or folder is written next to the old one and then renamed. After an interruption, the old one is restored.
"""

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
    """Another process or thread holds the lock."""


@contextmanager
def hold_lock(path: Path, wait: bool = True, remove: bool = False) -> Iterator[None]:
    """Hold the lock on the file `path` during the `with` block. The file is created if it does not exist. Raises
    OSError.

    If another process or thread holds the lock, wait for it. If `wait` is False, raise HeldError instead. If `remove`
    is True, delete the file at the end.
    """
    if sys.platform == "emscripten":  # Python in a browser has no other processes
        yield
        return
    from filelock import FileLock, Timeout  # imported late, because it imports asyncio and only writers need it

    lock = FileLock(path, timeout=-1 if wait else 0)
    try:
        while True:
            waited_for = opened_inode(path)
            lock.acquire()
            if exists_as(path, waited_for):
                break
            lock.release()  # its last holder has removed the file, so other processes would lock a new file
    except Timeout:
        raise HeldError(EAGAIN, "another process holds it", str(path)) from None
    try:
        yield
    finally:
        if remove and os.name != "nt":
            path.unlink(missing_ok=True)
        lock.release()
        if remove and os.name == "nt":  # Windows cannot delete a file that any process has opened
            with contextlib.suppress(OSError):
                path.unlink()


def opened_inode(path: Path) -> int:
    """Create the file `path` if it does not exist, and return its inode number."""
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    try:
        return os.fstat(file).st_ino
    finally:
        os.close(file)


def exists_as(path: Path, inode: int) -> bool:
    """Return True if `path` exists and has the inode number `inode`."""
    try:
        return path.stat().st_ino == inode
    except FileNotFoundError:
        return False


# Windows refuses to replace a file while another process is reading it, so `replace` tries again after a pause.
TRIES, PAUSE = 20, 0.05
LONGEST = 180
OLD = ".kb-old"
LOCKS = "locks"
"""The name of the folder for lock files in kb's cache."""
LEFT = re.compile(r"\.(.+)\.([0-9]{1,9})\.tmp", re.DOTALL)
"""A pattern for the name of a file that is being written. The name contains the final name of the file, and a process
number.
"""


class FileBusyError(KbError):
    """Another process is writing the same file or folder. The message is written for users."""


def write_whole(path: Path, data: bytes | bytearray | Iterable[bytes]) -> None:
    """Write the bytes or pieces in `data` to a file. Readers see either the old file or the complete new one.

    Raises OSError; in that case the old file is kept.
    """
    with written(path) as file:
        if isinstance(data, bytes | bytearray):
            file.write(data)
        else:
            file.writelines(data)


@contextlib.contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `path` at the end of the `with` block. Raises OSError; in that case the old file is
    kept.

    The new file is next to `path` under another name, and no existing file is overwritten. The new file gets the mode
    of the old file.
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
    """Return the unfinished files that killed processes have left in `folder`, grouped by the name of the intended file."""
    left: dict[str, list[Path]] = {}
    with contextlib.suppress(OSError):
        for path in folder.iterdir() if os.name == "posix" else ():
            parts = LEFT.fullmatch(path.name)
            if parts and path.is_file() and not path.is_symlink() and _is_gone(int(parts[2])):
                left.setdefault(parts[1], []).append(path)
    return left


def _is_gone(process: int) -> bool:
    """Return True if no process with the number `process` is running."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def swap_in(new: Path, target: Path) -> None:
    """Replace the folder `target` with the folder `new`. Raises OSError; in that case `target` is unchanged.

    The old folder is kept as `backup_of(target)` until the new one is in place. If the process is killed in between,
    `recover` restores the old folder, so readers of `target` must call `recover` first. The new folder gets the mode
    of the old one. The caller must hold `locked(target)`.
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
    """Return the path where `swap_in` keeps the old folder while it runs."""
    return target.with_name(f".{target.name[:LONGEST]}{OLD}")


def recover_all(folder: Path) -> None:
    """Call `recover` for every folder inside `folder` whose replacement was interrupted. Raises OSError."""
    for old in folder.glob(f".*{OLD}"):
        target = folder / old.name[1:].removesuffix(OLD)
        with locked(target):
            recover(target)


def recover(target: Path) -> None:
    """Finish or undo an interrupted `swap_in`. Afterwards, `target` is the complete old or new folder, and there is no
    backup.
    """
    import shutil  # slow to import, and seldom needed

    old = backup_of(target)
    if os.path.lexists(target):  # the old folder may be removed only if the new one exists
        if old.is_symlink():
            old.unlink()
        shutil.rmtree(old, ignore_errors=True)
    elif os.path.lexists(old):
        replace(old, target)


def replace(source: Path, target: Path) -> None:
    """Rename a file or folder, replacing an existing file. On Windows, retry for a while if another process is reading
    that file.
    """
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
    """Hold kb's lock on `target` during the `with` block. It excludes all other processes of the same user.

    If another process holds the lock, wait for it. If `wait` is False, raise FileBusyError instead. The lock file is in
    kb's cache, not next to `target`, and is removed at the end. If the cache cannot be written, there is no lock.
    """
    name = hashlib.blake2b(os.fsencode(target.absolute()), digest_size=10).hexdigest()
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, NotImplementedError):  # this disk does not support locks
            folder = paths.cache_dir() / LOCKS
            folder.mkdir(parents=True, exist_ok=True)
            try:
                stack.enter_context(hold_lock(folder / f"{name}.lock", wait, remove=True))
            except HeldError:  # HeldError is an OSError, but must not be suppressed
                raise FileBusyError(
                    f"{target} is being written by another kb process. Wait for it, or choose another target."
                ) from None
        yield
