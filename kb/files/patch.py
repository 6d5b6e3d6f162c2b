"""Changes some files of a folder: what is new is gathered beside it, then moved in file by file, with a way back if anything stops it.

A process that is killed in between leaves the rest beside the folder, and `finish` moves it in.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kb.files.folders import files_below
from kb.files.same import is_own_file, same_file
from kb.files.swap import LONGEST, discard, glob_name, replace, sweep

NEW, GONE, OLD = "new", "gone", "old"
PATCH = ".kb-patch-"


def patch_in(work: Path, target: Path) -> None:
    """Move the files below `work/new` to the same places in the folder `target`; of whose names `work/gone` has files, those go from it.

    Raises OSError; `target` is then as it was. Should the process be killed in between, `finish(target)` does the rest: whoever reads
    `target` calls it first. `work` lies on the same disk, and is gone afterwards. Call it under `locked(target)`.
    """
    finish(target)
    patch = target.with_name(f"{begins(target)}{target.stat().st_ino}")
    replace(work, patch)  # from here on it is settled
    touched: list[str] = []
    try:
        apply(patch, target, lambda name: save(patch, target, name, touched))
    except BaseException:
        for name in reversed(touched):
            put_back(patch, target, name)
        discard(patch)
        raise
    discard(patch)


def is_cut_off(target: Path) -> bool:
    """Whether a `patch_in` of a folder was cut off."""
    return any(target.parent.glob(f"{glob_name(begins(target))}*[0-9]"))


def finish(target: Path) -> None:
    """Do the rest of a `patch_in` that was cut off, if the folder is still that one. Raises OSError."""
    for patch in list(target.parent.glob(f"{glob_name(begins(target))}*[0-9]")):
        if target.is_dir() and patch.name == f"{begins(target)}{target.stat().st_ino}":
            apply(patch, target)
        discard(patch)
    sweep(target.parent, begins(target))


def begins(target: Path) -> str:
    """How the folder beside `target` is called with what is to be moved in; the number of the target's own node follows."""
    return f".{target.name[:LONGEST]}{PATCH}"


def apply(patch: Path, target: Path, before: Callable[[str], None] = lambda _name: None) -> None:
    """Move in what is new and remove what is to go; `before` is told each name first.

    Files of subfolders come first, those at the top that begin with a dot last: what leads to others follows them.
    """
    for name in sorted(files_below(patch / NEW), key=lambda name: (-name.count("/"), name.startswith("."), name)):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        before(name)
        replace(patch / NEW / name, target / name)
    for name in sorted(files_below(patch / GONE)):
        before(name)
        (target / name).unlink(missing_ok=True)
        for above in list((target / name).relative_to(target).parents)[:-1]:
            with suppress(OSError):  # it is not empty
                (target / above).rmdir()


def save(patch: Path, target: Path, name: str, touched: list[str]) -> None:
    """Keep what stands at a place that is about to be written."""
    place, kept = target / name, patch / OLD / name
    touched.append(name)
    if os.path.lexists(place):
        kept.parent.mkdir(parents=True, exist_ok=True)
        if is_own_file(place):
            same_file(place, kept)  # the place is never empty
        else:
            replace(place, kept)


def put_back(patch: Path, target: Path, name: str) -> None:
    """Undo what was done at a place. What is new is kept, so that `finish` has it all if the process is killed now."""
    place, kept, new = target / name, patch / OLD / name, patch / NEW / name
    if not (patch / GONE / name).exists() and not new.exists() and os.path.lexists(place):
        new.parent.mkdir(parents=True, exist_ok=True)
        replace(place, new)
    if os.path.lexists(kept):
        place.parent.mkdir(parents=True, exist_ok=True)
        replace(kept, place)
