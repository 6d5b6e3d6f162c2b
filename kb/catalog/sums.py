"""What tells whether the files of a build are as they were written."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path


def sizes(built: Path) -> dict[str, int]:
    """The size of every file of a build: a file that was cut off or has gone shows. Raises OSError."""
    found = {}
    for folder in (built, built / "index"):
        with os.scandir(folder) as listing:
            found.update({item.name: item.stat().st_size for item in listing if item.is_file()})
    return found


def sums(built: Path, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The hash of every file of a build: damage that leaves the size shows. Of files in `known` it is told there. Raises OSError."""
    found = {}
    for folder in (built, built / "index"):
        for path in sorted(folder.iterdir()):
            if known and path.name in known:
                found[path.name] = known[path.name]
            elif path.is_file():
                with path.open("rb") as file:  # of large sources the tables alone have 100 MB
                    found[path.name] = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    return found


def taken_over(built: Path, old: Path, known: Mapping[str, str]) -> dict[str, str]:
    """The hashes, as `known` tells them of the build `old`, of the files that a build has from there under a second name. Raises OSError."""
    return {
        name: known[name]
        for folder, before in ((built, old), (built / "index", old / "index"))
        for name in {path.name for path in folder.iterdir()} & known.keys()
        if (before / name).is_file() and (folder / name).samefile(before / name)
    }


def differing(known: dict[str, str], built: Path) -> list[str]:
    """The files of a build that are not as their hashes say, those that are gone too, in order."""
    try:
        found = sums(built)
    except OSError:  # the folder itself, or that of the index
        return sorted(known)
    return sorted(name for name, each in known.items() if found.get(name) != each)
