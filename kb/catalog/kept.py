"""What is kept beside the catalog since it was last built whole: what files of entries know of each other, and how every file stood."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from kb.files.read import read_bounded

KEPT = "kept.txt"
LARGEST = 200_000_000
PIECE = 1_000
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
Face = list[Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known since the whole build of the sources with this `hash`.

    `files` are the states of all source files by their path, as they were `seen` then (in ns); `faces` what others can know of the entries
    of each file (id: title, named parts, old ids); `headings`, `sources` and `cards` what entries can name; `tables` the id and title of
    each list of entries; `links` the entries that each entry links to; `passages` the ids of passages of the user's own rulebooks.
    """

    version: str
    hash: str
    seen: int
    files: dict[str, list[Any]]
    faces: dict[str, dict[str, Face]]
    headings: dict[str, list[Any]]
    sources: list[list[Any]]
    cards: list[list[Any]]
    tables: dict[str, str]
    links: dict[str, list[str]]
    passages: list[str]


def write_kept(path: Path, kept: Kept) -> None:
    """Write `kept` as the file that `read_kept` reads: its hash, then JSON; piece by piece, for of large sources it is large. Raises OSError."""
    digest = new_sum()
    with path.open("wb") as file:
        file.write(told(digest) + b"\n")  # of nothing yet, and as long
        for piece in pieces(kept):
            digest.update(piece)
            file.write(piece)
        file.seek(0)
        file.write(told(digest))


def pieces(kept: Kept) -> Iterator[bytes]:
    """The JSON of `kept`, in pieces."""
    for place, each in enumerate(fields(kept)):
        yield (b"," if place else b"{") + encoded(each.name) + b":"
        yield from parts(getattr(kept, each.name))
    yield b"}"


def parts(value: Any) -> Iterator[bytes]:
    """The JSON of a value, of much of it in pieces."""
    if not isinstance(value, (dict, list)) or len(value) < PIECE:
        yield encoded(value)
        return
    items, ends = iter(value.items() if isinstance(value, dict) else value), b"{}" if isinstance(value, dict) else b"[]"
    before = ends[:1]
    while piece := list(islice(items, PIECE)):
        yield before + encoded(dict(piece) if isinstance(value, dict) else piece)[1:-1]
        before = b","
    yield ends[1:]


def encoded(value: Any) -> bytes:
    """A value as JSON."""
    return ENCODER.encode(value).encode("utf-8", "surrogatepass")


def read_kept(folder: Path, version: str, hashed: str) -> Kept | None:
    """What was kept since the build of the sources with this hash; None when there is nothing of it, or it is not as it was written."""
    try:
        kept = Kept(**json.loads(_whole(folder)))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return kept if (kept.version, kept.hash) == (version, hashed) else None


def is_damaged(folder: Path) -> bool:
    """Whether something is kept, and not as it was written."""
    try:
        _whole(folder)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return False


def _whole(folder: Path) -> bytes:
    """The JSON of the file. Raises OSError, and ValueError when it was damaged."""
    first, _, text = read_bounded(folder / KEPT, LARGEST).partition(b"\n")
    digest = new_sum()
    digest.update(text)
    if first != told(digest):
        raise ValueError("not as it was written")
    return text


def new_sum() -> hashlib.blake2b:
    """What takes in data and makes their hash."""
    return hashlib.blake2b(digest_size=16)


def told(digest: hashlib.blake2b) -> bytes:
    """A hash in letters."""
    return digest.hexdigest().encode()
