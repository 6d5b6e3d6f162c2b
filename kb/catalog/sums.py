"""What tells whether the files of a build are as they were written."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def sizes(built: Path) -> dict[str, int]:
    """The size of every file of a build: a file that was cut off or has gone shows. Raises OSError."""
    found = {}
    for folder in (built, built / "index"):
        with os.scandir(folder) as listing:
            found.update({item.name: item.stat().st_size for item in listing if item.is_file()})
    return found


def sums(built: Path) -> dict[str, str]:
    """The hash of every file of a build: damage that leaves the size shows. Raises OSError."""
    found = {}
    for folder in (built, built / "index"):
        for path in sorted(folder.iterdir()):
            if path.is_file():
                with path.open("rb") as file:  # of large sources the tables alone have 100 MB
                    found[path.name] = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    return found


def differing(known: dict[str, str], built: Path) -> list[str]:
    """The files of a build that are not as their hashes say, those that are gone too, in order."""
    try:
        found = sums(built)
    except OSError:  # the folder itself, or that of the index
        return sorted(known)
    return sorted(name for name, each in known.items() if found.get(name) != each)
