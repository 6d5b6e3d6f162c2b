"""Reads files that people bring: never more than a limit, never what is no file, in whatever encoding; and text that a file can hold."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
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


MARKS = (b"\xff\xfe", b"\xfe\xff")
"""How a file in UTF-16 begins."""


class NotTextError(KbError, ValueError):
    """A file is no text."""


def decoded(raw: bytes) -> str:
    """The text of a file in UTF-8, or in UTF-16 with its mark, else in the encoding of Western Windows. Raises NotTextError."""
    try:
        text = unicode_text(raw)
    except UnicodeDecodeError:
        text = raw.decode("utf-16" if raw[:2] in MARKS else "cp1252", "replace")
    if "\0" in text:
        raise NotTextError("this is not a text file.")
    return text


def unicode_text(raw: bytes) -> str:
    """The text of a file in UTF-8, or in UTF-16 with its mark, as Windows programs save it. Raises UnicodeDecodeError."""
    return raw.decode("utf-16" if raw[:2] in MARKS else "utf-8-sig")


def writable(text: str) -> str:
    """Text without halves of characters, which no file can hold, and without control characters."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(sign for sign in whole if sign >= " " and sign != "\x7f")


BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def one_line(text: str) -> str:
    """Text without line breaks and control characters: a blank stands for each run of them."""
    return text if text.isprintable() else BREAKS.sub(" ", text)


@contextmanager
def named(place: Path | str) -> Iterator[None]:
    """Let an OSError of what is written in this block say where; it is raised again."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(place)
        raise


def slug(name: str) -> str:
    """A name as part of an id: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold().replace("'", "").replace("’", "")).strip("-")
