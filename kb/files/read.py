"""Reads a file whole, but never more of it than a limit and never from what is no file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from kb.errors import KbError

MEGABYTE = 1_000_000
# The largest file of card data that is read: more than ten times the largest that is known.
LARGEST_CARDS = 64_000_000


class TooLargeError(KbError, OSError):
    """A file is larger than what kb reads of its kind."""


def read_bounded(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most `most` bytes.

    A pipe or device is not waited for. Raises OSError with a sentence as its `strerror`: TooLargeError for a file that is larger.
    """
    # Without O_NONBLOCK opening a pipe would wait for its other end; Windows has no such pipes in folders.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:  # a file object would cost more than the reading: of large sources there are thousands of files
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "this is not a file", str(path))
        data = whole(handle, status.st_size, most) if status.st_size <= most else b""
    finally:
        os.close(handle)
    if status.st_size > most or len(data) > most:
        raise TooLargeError(0, f"this is larger than {most // MEGABYTE:,} MB, more than kb reads", str(path))
    return data


def whole(handle: int, size: int, most: int) -> bytes:
    """The bytes of an open file of about `size`, or of one of more than `most` the first of them, more than `most`. Raises OSError."""
    data = os.read(handle, size + 1)
    while len(data) <= most and (more := os.read(handle, MEGABYTE)):
        data += more
    return data
