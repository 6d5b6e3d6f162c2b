"""Judges an archive: rows in, verdicts out, from where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from kb.archives.journal import Output
from kb.archives.judging import MOST_NAMED, Frame, Judge, rules_of
from kb.archives.rows import Row, Source
from kb.archives.workers import Ask, cluster, here, in_order, processes
from kb.catalog.reader import Catalog
from kb.files.swap import locked
from kb.version import __version__

CHUNK_ROWS, CHUNK_BYTES = 500, 4_000_000
Tell = Callable[[Mapping[str, int], float], None]


@dataclass(frozen=True, slots=True)
class How:
    """How an archive is judged: in how many processes, on which Dask cluster, over an old file or an old part."""

    jobs: int = 1
    dask: str | None = None
    force: bool = False
    anew: bool = False


def judge_archive(
    source: Source, out: Path, catalog: Catalog, frame: Frame, how: How, tell: Tell, warn: Callable[[str], None]
) -> tuple[dict[str, int], int]:
    """Judge every deck of an archive into a file of verdicts; the sums, and how many decks an earlier run had judged.

    `tell(sums, share)` is told how far it is, `warn` about the first decks that cannot be read. Raises ArchiveError and StoppedError;
    what was judged by then is kept, and the next call goes on from there.
    """
    head = {"kb": __version__, "rules": [__version__, catalog.hash], "source": source.told(), "frame": dict(frame)}
    with locked(out, wait=False), Output(out, head, force=how.force, anew=how.anew) as output:
        before = output.done.sums["decks"]
        named = 0
        rows = output.fresh(source.rows())
        with _workers(catalog, frame, how) as (ask, ahead):
            for chunk, judged in in_order(chunks(rows), ask, ahead):
                output.add(chunk, judged)
                for sentence in judged.unreadable[: MOST_NAMED - named]:
                    warn(sentence)
                    named += 1
                tell(output.done.sums, source.share())
        output.finish()
        return output.done.sums, before


def _workers(catalog: Catalog, frame: Frame, how: How) -> AbstractContextManager[tuple[Ask, int]]:
    if how.dask is not None:
        return cluster(rules_of(catalog, frame), how.dask, how.jobs)
    if how.jobs > 1:
        return processes(rules_of(catalog, frame), how.jobs)
    return here(Judge(catalog.records, frame))


def chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Rows in lists that are small enough to be held, sent and written at once."""
    chunk: list[Row] = []
    size = 0
    for row in rows:
        chunk.append(row)
        size += len(row.raw)
        if len(chunk) == CHUNK_ROWS or size > CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
