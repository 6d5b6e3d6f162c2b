"""Makes the folder of a build: the whole of it from all sources, or an index that takes in what changed of a few entries."""

from __future__ import annotations

import gc
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kb.catalog.current import DATABASE
from kb.catalog.entry_rows import take_in
from kb.catalog.fingerprint import Now, roots
from kb.catalog.kept import KEPT, Kept, write_kept
from kb.catalog.quick import changed_files, kept_of, read_changed
from kb.files.same import same_file
from kb.files.swap import replace
from kb.search.document import Document, Vocabulary
from kb.search.index import Same, read_manifest, update_index
from kb.version import __version__

Report = Callable[[str, float], None]


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


@contextmanager
def uncollected() -> Iterator[None]:
    """Without collection of cyclic garbage: a build makes next to none, and of tens of thousands of entries looking for it takes a second."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def whole_build(
    folder: Path, root: Path, own: Path, now: Now, previous: Path | None, url: str | None, report: Report
) -> Path:
    """Load the sources and write database and index into a new folder. Raises SourceError; leaves nothing half-written.

    `previous` is an index to take segments from, `url` the server for the tables (None: a SQLite file in the new folder).
    """
    from kb.catalog.build import table_rows, write
    from kb.catalog.documents import documents
    from kb.load.sources import load_sources

    report("reading the sources", 0.0)
    content, facts = load_sources(root, own)
    with new_folder(folder, now.hash) as target:

        def write_tables(url: str) -> None:
            report("writing the catalog", 0.3)
            write(url, table_rows(content, facts), {"hash": now.hash, "version": __version__})
            facts.records.clear()

        if not url:
            write_tables(f"sqlite:///{target / DATABASE}")
        beside = target / KEPT  # of large sources it takes more memory than should be held until the end
        write_kept(beside, kept_of(__version__, now.hash, now.seen, now.states, content, facts, root))
        report("writing the index", 0.4)
        vocabulary = Vocabulary(content.synonyms, content.called)
        # Of thousands, entries are not held while their words are put in order; of a server's tables they are still needed.
        found = documents(content, facts, last=not url)
        update_index(
            target / "index", found, vocabulary, previous, lambda share: report("writing the index", 0.4 + 0.5 * share)
        )
        if url:
            write_tables(url)  # in use as soon as they are written
        replace(beside, folder / KEPT)
    report("done", 1.0)
    return target


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
    if read is None or not read.others <= known.keys() or (tables and not read.same_ids):
        return None
    left = read.others.union(cards, kept.passages)
    same = (Same(key, "card" if key in cards else "", digest) for key, digest in known.items() if key in left)
    documents: list[Document | Same] = [*read.documents.values(), *same]
    with new_folder(folder, now.hash) as target:
        if tables:
            shutil.copyfile(previous / DATABASE, target / DATABASE)
            if not take_in(target / DATABASE, read.entries, read.tables, read.sets, now.hash):
                shutil.rmtree(target)
                return None
        elif (previous / DATABASE).is_file():
            same_file(previous / DATABASE, target / DATABASE)
        update_index(target / "index", documents, None, previous / "index", lambda _share: None)
    return target, read.files
