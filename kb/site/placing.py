"""Puts a finished site in place: only what kb wrote is replaced, and what else lies in the folder stays or stops it."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from kb.files.folders import files_below
from kb.files.patch import GONE, NEW, patch_in
from kb.files.read import read_bounded
from kb.files.swap import replace, swap_in, write_whole
from kb.site.folder import SiteError
from kb.site.standing import Finished, fill

MARKER = ".kb-site.json"
LARGEST_MARKER = 64_000_000
MOST_ANEW = 1_000
"""So many files are at most changed one by one; then the whole folder is swapped, which takes no longer."""


def read_marker(folder: Path) -> dict[str, object] | None:
    """What the marker of a site says; None where there is none."""
    try:
        told = json.loads(read_bounded(folder / MARKER, LARGEST_MARKER))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def foreign(folder: Path) -> list[str]:
    """The files of a folder that kb did not write, in order; all of them where kb has written nothing."""
    if not folder.is_dir():
        return []
    told = read_marker(folder)
    there = files_below(folder) - {MARKER}
    if told is None:
        return sorted(there)
    files = told.get("files")
    if isinstance(files, list):
        return sorted(there - set(map(str, files)))
    # A site of an older kb, which kept no list: what a site never holds is somebody else's.
    return sorted(name for name in there if name.startswith(".") or name == "CNAME")


def check_places(out: Path, pages: Path | None, keep: bool) -> None:
    """Raise SiteError when the folders overlap, are none, or hold what kb did not write (with `keep` that may stay)."""
    for folder in (out, pages) if pages else (out,):
        if folder.exists() and not folder.is_dir():
            raise SiteError(f"{folder} is not a folder; name a folder for the site.")
        others = [] if keep and folder == out else foreign(folder)
        if others:
            listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
            raise SiteError(
                f"{folder} holds something else than a site built by kb ({listed}), so nothing was replaced; "
                "name another folder, or leave those files where they are with --keep."
            )
    if pages and (out == pages or out in pages.parents or pages in out.parents):
        raise SiteError(f"{pages} and {out} lie in each other; name two folders.")


def merge(new: Path, into: Path) -> None:
    """Move everything in the folder `new` to the same place in `into`; a file that is there gives way. Raises OSError."""
    if not into.exists():
        new.rename(into)
        return
    for item in list(os.scandir(new)):
        target = into / item.name
        if item.is_dir(follow_symlinks=False) and target.is_dir():
            merge(Path(item.path), target)
        else:
            Path(item.path).replace(target)


def put_in_place(new: Path, out: Path, told: dict[str, str], keep: bool, same: Collection[str] = ()) -> None:
    """Put the finished folder `new` where `out` is, with its marker; the files `same` of `out` stay. Call it under `locked(out)`.

    A folder of kb's alone is swapped, or, where most files stay, changed file by file. One that holds other files keeps them. Raises
    SiteError and OSError; `out` is then as it was.
    """
    others = set(foreign(out))
    anew = files_below(new)
    files = anew.union(same)
    if others and not keep:
        check_places(out, None, keep)
    if clash := sorted(others & files):
        raise SiteError(
            f"{out} holds {clash[0]}, which the site would replace and kb did not write; nothing was changed."
        )
    before = files_below(out) - others - {MARKER} if others or same else set()
    if others:
        write_marker(out, {}, files | before)  # cut off here, the next build still knows what is kb's
        for name in sorted(anew):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            replace(new / name, out / name)
        for name in before - files:
            (out / name).unlink(missing_ok=True)
        write_marker(out, told, files)
        return
    write_marker(new, told, files)
    if same and len(anew) <= MOST_ANEW and not in_the_way(anew, before):
        work = new.with_name("work")
        for name in before - files:
            (work / GONE / name).parent.mkdir(parents=True, exist_ok=True)
            (work / GONE / name).touch()
        work.mkdir(exist_ok=True)
        new.replace(work / NEW)
        patch_in(work, out)
        return
    fill(Finished(new, out, same))
    new.chmod(0o755)
    swap_in(new, out)


def in_the_way(anew: set[str], before: set[str]) -> bool:
    """Whether a new file lies where a file was a folder, or the other way round."""
    return not (folders_above(anew).isdisjoint(before) and folders_above(before).isdisjoint(anew))


def folders_above(names: Iterable[str]) -> set[str]:
    """All folders that files lie in."""
    found: set[str] = set()
    for name in names:
        while (name := name.rpartition("/")[0]) and name not in found:
            found.add(name)
    return found


def write_marker(folder: Path, told: dict[str, str], files: Iterable[str]) -> None:
    """Write what the site was built from and the files it is made of."""
    text = json.dumps({**told, "files": sorted(files)})
    write_whole(folder / MARKER, text.encode("utf-8"))
