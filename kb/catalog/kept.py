"""What is kept beside the catalog since it was last built whole: what files of entries know of each other, and how every file stood."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kb.files.read import read_bounded

KEPT = "kept.json"
LARGEST = 200_000_000
Face = list[Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known since the whole build of the sources with this `hash`.

    `files` are the states of all source files by their path, as they were `seen` then (in ns); `faces` what others can know of the entries
    of each file (id: title, named parts, old ids); `headings`, `sources` and `cards` what entries can name; `tables` the id and title of
    each list of entries.
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


def as_file(kept: Kept) -> bytes:
    """`kept` as the file that `read_kept` reads."""
    return json.dumps(asdict(kept), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def read_kept(folder: Path, version: str, hashed: str) -> Kept | None:
    """What was kept since the build of the sources with this hash; None when there is nothing of it."""
    try:
        kept = Kept(**json.loads(read_bounded(folder / KEPT, LARGEST)))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return kept if (kept.version, kept.hash) == (version, hashed) else None
