"""Text of files that people bring, in whatever encoding, and text that a file can hold."""

from __future__ import annotations

from kb.errors import KbError

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
