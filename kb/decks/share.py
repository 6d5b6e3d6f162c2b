"""A deck in a link: its text, compressed, in characters that an address may contain. Nothing is sent to a server.

A link begins with the number of its format. Each format is DEFLATE with the words of `share-NUMBER.txt` as its
dictionary. The dictionary files never change, so that old links stay readable. Names of cards that are newer than the
file take a few more characters.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from functools import cache
from pathlib import Path

from kb.errors import KbError

BALLAST = frozenset(
    {"description_md", "date_creation", "date_update", "user_id", "source", "tags", "version", "problem"}
)
LARGEST_DECK = 1_000_000
"""The most bytes of text that a link may expand to."""

WAYS = ("1", "2")
LINK = re.compile(rf"[{''.join(WAYS)}][A-Za-z0-9_-]+")
NO_DECK = "The link contains no deck. It may be cut off, or come from another program."


class ShareError(KbError, ValueError):
    """A link contains no deck; the message is written for users."""


def to_link(text: str) -> str:
    """Return the text of a deck as the fragment of a link (without `#`), in the format that gives the shortest link.

    If another program exported the deck, kb leaves out parts that no rule needs: layout, empty fields, dates and the
    description.
    """
    lean = _lean(text)
    return min((_packed(lean, way) for way in WAYS), key=len)


def from_link(fragment: str) -> str:
    """Return the text of the deck in the fragment of a link. Raises ShareError if the fragment contains no text, or a
    text that is too large for a deck.
    """
    if not LINK.fullmatch(fragment):
        raise ShareError(NO_DECK)
    way, body = fragment[0], fragment[1:]
    unpacker = zlib.decompressobj(-15, dictionary(way))
    try:
        raw = unpacker.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)), LARGEST_DECK)
        text = raw.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise ShareError(NO_DECK) from None
    if not unpacker.eof:
        raise ShareError("The link is cut off, or too long for a deck.")
    return text


def _lean(text: str) -> str:
    if not text.lstrip().startswith("{") or '"slots"' not in text:
        return text
    try:
        deck = json.loads(text)
    except (ValueError, RecursionError):
        return text
    lean = {key: value for key, value in deck.items() if key not in BALLAST and value not in (None, "", [])}
    return json.dumps(lean, ensure_ascii=False, separators=(", ", ": ")) if "slots" in lean else text


def _packed(text: str, way: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary(way))
    packed = packer.compress(text.encode("utf-8", "replace")) + packer.flush()
    return way + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


@cache
def dictionary(way: str) -> bytes:
    """Return the compression dictionary of the format `way`: words that are likely in decks, likeliest last. The
    dictionary has at most 32 KB, the window of DEFLATE.
    """
    return (Path(__file__).parent / f"share-{way}.txt").read_bytes()
