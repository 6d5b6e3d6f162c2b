"""What took long to make and comes out the same again: kept in kb's cache under the name of what it was made from."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path

from kb import paths
from kb.files.read import read_bounded
from kb.files.swap import write_whole

LARGEST = 64_000_000
SUM = 16
MOST = 64
"""How many are kept of one kind; then all go, and begin anew."""


def remembered(kind: str, recipe: bytes, make: Callable[[], bytes]) -> bytes:
    """What `make` gives, from the cache when it was made from the same `recipe` before. A file there that was damaged is made anew."""
    found = recalled(kind, recipe)
    if found is None:
        found = make()
        remember(kind, recipe, found)
    return found


def recalled(kind: str, recipe: bytes) -> bytes | None:
    """What was remembered under a name; None when there is nothing, or when it was damaged."""
    with contextlib.suppress(OSError, ValueError):
        found = read_bounded(place(kind, recipe), LARGEST)
        if found[:SUM] == checksum(found[SUM:]):
            return found[SUM:]
    return None


def remember(kind: str, recipe: bytes, data: bytes) -> None:
    """Keep data under a name, in place of what was there. Where the cache cannot be written nothing is kept."""
    if len(data) > LARGEST - SUM:
        return
    kept = place(kind, recipe)
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        if not kept.exists():
            clear(kept.parent)
        write_whole(kept, checksum(data) + data)


def place(kind: str, recipe: bytes) -> Path:
    """Where what was made from a recipe is kept."""
    return paths.cache_dir() / kind / hashlib.blake2b(recipe, digest_size=16).hexdigest()


def clear(folder: Path) -> None:
    """Let everything go where too much has come together."""
    kept = list(folder.iterdir())
    for path in kept if len(kept) >= MOST else ():
        path.unlink(missing_ok=True)


def checksum(data: bytes) -> bytes:
    """What tells whether data are whole."""
    return hashlib.blake2b(data, digest_size=SUM).digest()
