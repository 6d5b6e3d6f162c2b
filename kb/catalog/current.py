"""What is in use in the cache folder: what it was built from, whether it is whole, and how another build takes its place.

Layout: `<cache>/<key>/current.json` names the folder of the current build, `build-*/` hold `catalog.sqlite` (unless
KB_DATABASE_URL names a server) and `index/`.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from kb import paths
from kb.catalog.fingerprint import is_settled, quick_fingerprint
from kb.catalog.postgres import driver_url
from kb.catalog.sums import sizes
from kb.files.inside import inside
from kb.files.read import read_bounded
from kb.files.swap import recover_all, write_whole
from kb.version import __version__

LARGEST_FILE = 10_000_000
CURRENT, DATABASE = "current.json", "catalog.sqlite"
SCHEMA = "24"


@dataclass(frozen=True, slots=True)
class Current:
    """What `current.json` says: the folder in use, what it was built from, when that was looked at (`seen`, in ns), and the size
    and hash of each file. The tables are those of the sources with the hash `base`: a build that is not `complete` has them from the
    whole build before it, and took in the files `touched` in its index alone."""

    folder: str
    fingerprint: str
    hash: str
    built: str
    version: str
    seen: int
    sizes: dict[str, int]
    sums: dict[str, str]
    complete: bool
    base: str
    touched: list[str]


def database_url() -> str | None:
    """The server that `KB_DATABASE_URL` names, with the driver kb uses; None for the SQLite file."""
    url = os.environ.get("KB_DATABASE_URL", "").strip()
    return driver_url(url) if url else None


def home() -> Path:
    """Folder of this installation's catalog: one for each sources folder and database."""
    places = "\0".join(map(str, [paths.sources_root(), *paths.game_folders()]))
    key = hashlib.blake2b(f"{places}\0{database_url() or ''}\0{SCHEMA}".encode(), digest_size=6)
    return paths.cache_dir() / key.hexdigest()


def own_data() -> tuple[Path, ...]:
    """The user's own imports, which are part of what a catalog is built from; one that was cut off is put right first."""
    recover_all(paths.user_data_dir())
    return (paths.user_data_dir(),)


def read_current(folder: Path) -> Current | None:
    """What is in use, or None when there is nothing usable."""
    try:
        current = Current(**json.loads(read_bounded(folder / CURRENT, LARGEST_FILE)))
        known = current.version == __version__ and isinstance(current.sums, dict) and type(current.seen) is int
        known = known and type(current.complete) is bool and isinstance(current.touched, list)
        whole = known and sizes(inside(folder, current.folder)) == current.sizes
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return current if whole else None


def is_fresh(current: Current) -> bool:
    """Whether the sources are surely those that `current` was built from. No file of them is opened."""
    found = quick_fingerprint(paths.sources_root(), own_data())
    return current.fingerprint == found.digest and is_settled(found, current.seen)


def read_failure(folder: Path, fingerprint: str) -> list[str] | None:
    """The problems that the last build found in these very sources, if it failed."""
    try:
        failure = json.loads(read_bounded(folder / "failed.json", LARGEST_FILE))
        return list(map(str, failure["problems"])) if failure["fingerprint"] == fingerprint else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def swap(folder: Path, current: Current) -> Current:
    """Make `current` the one in use (atomically), then remove older builds."""
    import shutil

    write_json(folder / CURRENT, asdict(current))
    for old in folder.glob("build-*"):
        if old.name != current.folder and time.time() - old.stat().st_mtime > 60:
            shutil.rmtree(old, ignore_errors=True)
    return current


def write_json(path: Path, value: object) -> None:
    """Write JSON whole or not at all."""
    write_whole(path, json.dumps(value).encode("utf-8"))
