"""Makes the folder of a build: the whole of it from all sources, or an index that takes in what changed of a few entries."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kb.catalog.current import DATABASE
from kb.catalog.entry_rows import take_in
from kb.catalog.fingerprint import Now, roots
from kb.catalog.kept import Kept
from kb.catalog.quick import changed_files, read_changed
from kb.files.same import same_file
from kb.search.document import Document
from kb.search.index import Same, read_manifest, update_index


@contextmanager
def new_folder(folder: Path, hashed: str) -> Iterator[Path]:
    """A new folder for a build of the sources with this hash; gone again when anything stops it."""
    target = folder / f"build-{hashed[:12]}-{time.time_ns():x}"
    target.mkdir()
    try:
        yield target
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


def quick_index(
    folder: Path, root: Path, now: Now, kept: Kept, previous: Path, touched: Sequence[str], tables: bool
) -> tuple[Path, list[str]] | None:
    """A new folder with an index that differs from that of the build `previous` only by the entries of changed files and those that link to
    them, and which files were read again since the whole build that `kept` tells of. The tables are those of `previous`, or with
    `tables` take in the same.

    `touched` are the files that `previous` has taken in. None when there is no telling without reading all sources.
    """
    tops = [top / "content" for top in roots(root)]
    changed = changed_files(kept, now.states, touched, tops)
    known = read_manifest(previous / "index")
    if not changed or not known:
        return None
    read = read_changed(kept, changed, now.states.keys(), root, tops)
    cards = {card[0] for card in kept.cards}
    if read is None or not read.others <= known.keys():
        return None
    left = read.others.union(cards, kept.passages)
    same = (Same(key, "card" if key in cards else "", digest) for key, digest in known.items() if key in left)
    documents: list[Document | Same] = [*read.documents.values(), *same]
    with new_folder(folder, now.hash) as target:
        if tables:
            shutil.copyfile(previous / DATABASE, target / DATABASE)
            changes = (read.entries, read.others, read.tables, read.lists, read.sets)
            if not take_in(target / DATABASE, *changes, now.hash):
                shutil.rmtree(target)
                return None
        elif (previous / DATABASE).is_file():
            same_file(previous / DATABASE, target / DATABASE)
        update_index(target / "index", documents, None, previous / "index", lambda _share: None)
    return target, read.files
