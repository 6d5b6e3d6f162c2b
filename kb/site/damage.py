"""What is wrong with the folder of a built site: files that are gone, cut off or not as kb wrote them, and what a killed build has left."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from kb.files.folders import HELD, WORKSHOP, files_below
from kb.files.lock import HeldError, held
from kb.files.patch import is_cut_off
from kb.files.read import read_bounded
from kb.files.swap import OLD, glob_name, kept
from kb.site.past import Past, file_digest, read_past
from kb.site.placing import LARGEST_MARKER, MARKER
from kb.site.standing import mark_of

__all__ = ["OLD", "damage", "is_site"]
SHOWN = 3
# How a whole file of a kind ends: what was cut off does not.
ENDS: dict[str, tuple[bytes, ...]] = {".html": (b"</html>",), ".json": (b"}", b"]")}
TAIL = 64


def is_site(folder: Path) -> bool:
    """Whether a folder holds a built site, or held one whose replacement was cut off."""
    return (folder / MARKER).is_file() or (folder.name != "" and os.path.lexists(kept(folder)))


def damage(folder: Path) -> Iterator[str]:
    """Sentences about the folder of a site."""
    again = f"`kb site build --out {folder}` writes what is missing or changed again"
    try:
        yield from cut_off_builds(folder)
        if not os.path.lexists(folder / MARKER):
            return
        files = listed(folder)
        if files is None:
            yield (
                f"{folder / MARKER} is not as kb wrote it, so nobody can tell which files of {folder} are kb's. "
                "Remove the folder and build the site again, or build it into another one."
            )
            return
        there = files_below(folder)
        missing = [name for name in files if name not in there]
        found = list(differing(folder, [name for name in files if name in there]))
        for what, names in (
            ("missing", missing),
            ("cut off or empty", [name for name, cut in found if cut]),
            ("not as kb wrote it", [name for name, cut in found if not cut]),
        ):
            if names:
                yield f"{folder}: {counted(names)} {what}; {again}."
    except OSError as error:
        yield f"{error.filename or folder} cannot be read: {error.strerror or error}."


def listed(folder: Path) -> list[str] | None:
    """The files that the marker of a site lists; None where it is damaged."""
    try:
        told = json.loads(read_bounded(folder / MARKER, LARGEST_MARKER))
    except (ValueError, RecursionError):
        return None
    files = told.get("files") if isinstance(told, dict) else None
    return sorted(map(str, files)) if isinstance(files, list) else None


def differing(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The files that are not as they were written, each with whether it is cut off. Raises OSError."""
    past = read_past(folder.resolve())
    for name in names:
        path = folder / name
        if is_cut(path):
            yield name, True
        elif not is_same(past, name, path):
            yield name, False


def is_cut(path: Path) -> bool:
    """Whether a file does not end as one of its kind does. Raises OSError."""
    if (ends := ENDS.get(path.suffix)) is None or not path.is_file():
        return False
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        return not file.read().rstrip().endswith(ends)


def is_same(past: Past, name: str, path: Path) -> bool:
    """Whether a file is as the last build wrote it, as far as that is known here. Raises OSError."""
    if name not in past.files:
        return True
    digest, mark = past.files[name]
    now = mark_of(path.lstat())
    if mark and now == mark:
        return True
    if digest:
        return file_digest(path) == digest
    return not (mark and now) or now.partition(".")[0] == mark.partition(".")[0]  # the size, at least


def cut_off_builds(folder: Path) -> Iterator[str]:
    """What builds that were killed have left beside the folder; nothing lies beside the root of the disk."""
    if not folder.name:
        return
    again = f"`kb site build --out {folder}` puts that right"
    if os.path.lexists(old := kept(folder)):
        what = "is still the old one" if not folder.exists() else "is in place, and the old one was not cleared away"
        yield f"{old}: kb was stopped while it replaced {folder}; the site {what}. {again}."
    if is_cut_off(folder):
        yield f"{folder}: kb was stopped while it changed the files of this site, and some are old yet. {again}."
    for left in sorted(folder.parent.glob(f"{glob_name(f'.{folder.name[:100]}{WORKSHOP}')}*")):
        if not is_held(left):
            yield f"{left} was left by a build that was stopped; the next `kb site build --out {folder}` clears it away."


def is_held(left: Path) -> bool:
    """Whether somebody builds in a folder just now. Raises OSError."""
    if not (left / HELD).is_file():
        return False
    try:
        with held(left / HELD, wait=False):
            return False
    except HeldError:
        return True


def counted(names: Sequence[str]) -> str:
    """Names for a sentence: the first few, and how many more; with the verb."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more} {'is' if len(names) == 1 else 'are'}"
