"""Text of files that people bring, in whatever encoding, and text that a file can hold."""

from __future__ import annotations

from kb.errors import KbError


class NotTextError(KbError, ValueError):
    """A file is no text."""


def decoded(raw: bytes) -> str:
    """The text of a file in UTF-8 or UTF-16 (with or without a mark), else in the encoding of Western Windows. Raises NotTextError."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    if "\0" in text:
        raise NotTextError("this is not a text file.")
    return text


def writable(text: str) -> str:
    """Text without halves of characters, which no file can hold, and without control characters."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(sign for sign in whole if sign >= " " and sign != "\x7f")
