"""Keeps every path that comes from data inside its folder."""

from __future__ import annotations

import re
from pathlib import Path

from kb.errors import KbError

# What Windows takes for a device, with any suffix.
DEVICE = r"(?i:con|prn|aux|nul|com\d|lpt\d)(?:[./]|\Z)"
# One part of a path: letters, digits, `_`, and within it `. + -`. Nothing in it means anything to a file system or an address.
PART = rf"(?!{DEVICE})\w(?:[\w.+-]{{0,118}}[\w+-])?"
PLAIN, PLAIN_PATH = re.compile(PART), re.compile(f"{PART}(?:/{PART})*")


class OutsideError(KbError, ValueError):
    """A name is no plain name or leads out of its folder; the message says so in a sentence."""


def is_plain(name: str) -> bool:
    """Whether `name` can be one part of a path on every system: no separator, no dots that lead up, no device."""
    return PLAIN.fullmatch(name) is not None


def is_plain_path(name: str) -> bool:
    """Whether every part of `name`, parted by `/`, is a plain name."""
    return PLAIN_PATH.fullmatch(name) is not None


def inside(folder: Path, name: str) -> Path:
    """The path of `name` (parts with `/` between them) below `folder`.

    Every path that is made from data goes through here before it is read or written. Raises OutsideError when a part is
    no plain name, or when a link on the way leads out of `folder`.
    """
    if not is_plain_path(name):
        raise OutsideError(
            f"{name[:120]!r} cannot name a file: a name is made of letters, digits and . _ + - and leads to no other folder"
        )
    path = folder / name
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise OutsideError(f"{name!r} is a link that leads out of {folder}")
    except (OSError, RuntimeError) as error:  # a loop of links
        raise OutsideError(f"{name!r} cannot be followed: {getattr(error, 'strerror', None) or error}") from error
    return path


class NewFolder:
    """A folder that only this process fills: a folder below it is looked at and made once, however many files it gets."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self._made: dict[str, Path] = {}

    def path(self, name: str) -> Path:
        """Where the file `name` (parts with `/` between them) is to be written. Raises OutsideError and OSError."""
        above, _, last = name.rpartition("/")
        if not is_plain(last):
            return inside(self.top, name)  # which says what is wrong with it
        if above not in self._made:
            folder = inside(self.top, above) if above else self.top
            folder.mkdir(parents=True, exist_ok=True)
            self._made[above] = folder
        return self._made[above] / last
