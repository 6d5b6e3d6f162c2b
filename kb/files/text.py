"""Read users' files in any encoding and with a size limit, and make texts safe to write. Anything that is not a file is
refused.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.errors import KbError

MEGABYTE = 1_000_000
# The size limit for files of card data: more than ten times the largest known file.
LARGEST_CARDS = 64_000_000


class TooLargeError(KbError, OSError):
    """A file is larger than the limit for its kind."""


def read_bounded(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file that has at most `most` bytes.

    A pipe or device is refused at once, so kb never waits for one. Raises TooLargeError for a larger file, and
    OSError with a sentence as its `strerror`.
    """
    # Without O_NONBLOCK, opening a pipe would wait for its other end; Windows has no pipes in folders.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:  # creating a file object takes longer than reading, and there can be thousands of source files
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "this is not a file", str(path))
        data = whole(handle, status.st_size, most) if status.st_size <= most else b""
    finally:
        os.close(handle)
    if status.st_size > most or len(data) > most:
        raise TooLargeError(0, f"this is larger than {most // MEGABYTE:,} MB, which is kb's limit", str(path))
    return data


def whole(handle: int, size: int, most: int) -> bytes:
    """Return the bytes of an open file of about `size` bytes. Raises OSError.

    If the file has more than `most` bytes, return only its beginning, which is longer than `most`.
    """
    data = os.read(handle, size + 1)
    while len(data) <= most and (more := os.read(handle, MEGABYTE)):
        data += more
    return data


MARKS = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks at the beginning of files in UTF-16."""


class NotTextError(KbError, ValueError):
    """A file is not text."""


def decoded(raw: bytes) -> str:
    """Decode the text of a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252. Raises NotTextError."""
    try:
        text = unicode_text(raw)
    except UnicodeDecodeError:
        text = raw.decode("utf-16" if raw[:2] in MARKS else "cp1252", "replace")
    if "\0" in text:
        raise NotTextError("this is not a text file.")
    return text


def unicode_text(raw: bytes) -> str:
    """Decode the text of a file in UTF-8, or in UTF-16 with a byte order mark, which Windows programs use. Raises
    UnicodeDecodeError.
    """
    return raw.decode("utf-16" if raw[:2] in MARKS else "utf-8-sig")


def writable(text: str) -> str:
    """Return a text without control characters. Unpaired surrogates, which no file can contain, become `?`."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(sign for sign in whole if sign >= " " and sign != "\x7f")


BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def one_line(text: str) -> str:
    """Replace each run of line breaks and control characters in a text by a space."""
    return text if text.isprintable() else BREAKS.sub(" ", text)


@contextmanager
def named(place: Path | str) -> Iterator[None]:
    """Add the path `place` to an OSError that is raised inside the `with` block and names no file."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(place)
        raise


def slug(name: str) -> str:
    """Convert a name to a part of an id: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold().replace("'", "").replace("’", "")).strip("-")
