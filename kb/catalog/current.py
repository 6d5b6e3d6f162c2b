"""What is in use in the cache folder: what it was built from, whether it is whole, and how another build takes its place.

There are two catalogs: the public one of the sources alone, and, where the user has imported something, one of the sources and that.
Questions of others never open the second, whose folder only its user can read; its tables are never on a server.

Layout: `<cache>/<key>/current.json` names the folder of the current build, `build-*/` hold `catalog.sqlite` (unless
KB_DATABASE_URL names a server) and `index/`; `<cache>/own-<key>/` is the same with the user's own data.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from kb import paths
from kb.catalog.fingerprint import own_files, quick_fingerprint
from kb.catalog.postgres import driver_url
from kb.files.inside import inside
from kb.files.read import read_bounded
from kb.files.swap import recover_all, write_whole
from kb.version import __version__

LARGEST_FILE = 10_000_000
CURRENT, FAILED = "current.json", "failed.json"
DATABASE, INDEX = "catalog.sqlite", "index"
SEAL = "checksum"
SCHEMA = "27"
OWN = "own-"


@dataclass(frozen=True, slots=True)
class Current:
    """What `current.json` says: the folder in use, the fingerprint and the hash of what it was `built` from and when that was looked at
    (`seen`, in ns), and the checksum of each file by its path in the folder."""

    folder: str
    fingerprint: str
    hash: str
    built: str
    version: str
    seen: int
    sums: dict[str, int]


def database_url(own: Path | None = None) -> str | None:
    """The server that `KB_DATABASE_URL` names, with the driver kb uses; None for the SQLite file, which always holds what is `own`."""
    url = "" if own else os.environ.get("KB_DATABASE_URL", "").strip()
    return driver_url(url) if url else None


def home(own: Path | None = None) -> Path:
    """Folder of this installation's catalog, or of that with the user's `own` data: one for each sources folder and database."""
    places = "\0".join(map(str, [paths.sources_root(), *paths.game_folders()]))
    key = hashlib.blake2b(f"{places}\0{database_url(own) or ''}\0{SCHEMA}".encode(), digest_size=6)
    return paths.cache_dir() / f"{OWN if own else ''}{key.hexdigest()}"


def own_data() -> Path | None:
    """The folder of what the user has imported, of which one that was cut off is put right first; None when there is nothing.

    Then nothing of it stays in the cache either.
    """
    folder = paths.user_data_dir()
    recover_all(folder)
    if any(True for _file in own_files(folder)):
        return folder
    for left in paths.cache_dir().glob(f"{OWN}*"):
        import shutil

        shutil.rmtree(left, ignore_errors=True)
    return None


def read_current(folder: Path) -> Current | None:
    """What is in use, or None when there is nothing usable. Whether its files are whole, `differing` tells."""
    try:
        current = Current(**read_sealed(folder / CURRENT))
        known = current.version == __version__ and inside(folder, current.folder).is_dir()
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return current if known else None


def checksums(built: Path) -> dict[str, int]:
    """The checksum of every file of a build, by its path there. Raises OSError."""
    return {path.relative_to(built).as_posix(): checksum(path) for path in sorted(built.rglob("*")) if path.is_file()}


def checksum(path: Path) -> int:
    """A number that changes with what is in a file. Raises OSError."""
    found = 0
    with path.open("rb", buffering=0) as file:
        while data := file.read(1 << 20):
            found = crc32(data, found)
    return found


def differing(folder: Path, current: Current, below: str = "") -> list[str]:
    """The files of a build, all or those whose path begins with `below`, that are not as they were written, and those of its index that
    were not written with it."""
    built, found = folder / current.folder, []
    for name, known in current.sums.items():
        if name.startswith(below):
            try:
                if checksum(built / name) != known:
                    found.append(name)
            except OSError:
                found.append(name)
    there = {f"{INDEX}/{path.name}" for path in (built / INDEX).iterdir()} if (built / INDEX).is_dir() else set()
    return sorted({*found, *(there - current.sums.keys() if INDEX.startswith(below[: len(INDEX)]) else ())})


def is_fresh(current: Current, own: Path | None) -> bool:
    """Whether the sources (and what the user has imported into `own`) are surely those that `current` was built from. No file of them is
    opened."""
    found = quick_fingerprint(paths.sources_root(), own, current.seen)
    return current.fingerprint == found.digest and found.settled


def read_failure(folder: Path, fingerprint: str) -> list[str] | None:
    """The problems that the last build found in these very sources, if it failed."""
    try:
        failure = read_sealed(folder / FAILED)
        return list(map(str, failure["problems"])) if failure["fingerprint"] == fingerprint else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def swap(folder: Path, current: Current) -> Current:
    """Make `current` the one in use (atomically), then remove older builds."""
    import shutil

    write_sealed(folder / CURRENT, asdict(current))
    for old in folder.glob("build-*"):
        if old.name != current.folder and time.time() - old.stat().st_mtime > 60:
            shutil.rmtree(old, ignore_errors=True)
    return current


def write_sealed(path: Path, value: dict[str, Any]) -> None:
    """Write an object as JSON, whole or not at all, with a checksum by which `read_sealed` knows it."""
    write_whole(path, json.dumps({**value, SEAL: seal(value)}).encode("utf-8"))


def read_sealed(path: Path) -> dict[str, Any]:
    """What `write_sealed` wrote. Raises OSError, and ValueError or RecursionError when the file holds anything else."""
    value = json.loads(read_bounded(path, LARGEST_FILE))
    if not isinstance(value, dict) or value.pop(SEAL, None) != seal(value):
        raise ValueError(f"{path.name} is not as it was written")
    return value


def seal(value: dict[str, Any]) -> int:
    """A number that changes with a value."""
    return crc32(json.dumps(value, sort_keys=True).encode("utf-8"))
