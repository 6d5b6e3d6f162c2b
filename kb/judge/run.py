"""Judge an archive in parts. The verdicts on each part are written to a separate file, and these files are joined at
the end.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from kb.files.swap import locked, replace, written
from kb.judge.archive import PARQUET_SUFFIXES, ArchiveError, ArchiveRow, parquet
from kb.judge.verdicts import MOST_NAMED, WHOLE, JudgeRules, encoded
from kb.judge.workers import workers

PART_ROWS, PART_BYTES = 1000, 4_000_000
AHEAD = 8  # the number of parts that each worker gets at once
PART = re.compile(r"\.?part-[0-9]{5}-[0-9a-f]{20}\.jsonl(?:\.[0-9]+\.tmp)?")


def judge_archive(
    rows: Iterator[ArchiveRow],
    out: Path,
    rules: JudgeRules,
    jobs: int,
    cluster: str | None,
    tell: Callable[[Mapping[str, int]], None],
    warn: Callable[[str], None],
) -> tuple[dict[str, int], int]:
    """Judge all decks of an archive and write the verdicts to the file `out`.

    Return the counts of decks, and the number of decks that an earlier run had already judged. Parts with verdicts from
    an earlier run are not judged again. `jobs` is the number of processes on this machine. `cluster` is the address of
    a Dask cluster to use instead, or None. `tell` is called with the counts so far, and `warn` with a sentence about
    each of the first unreadable decks. Raises ArchiveError.
    """
    if out.is_dir():
        raise ArchiveError(f"{out} is a folder; name a file for the verdicts, such as {out / 'verdicts.jsonl'}.")
    if out.name.endswith(PARQUET_SUFFIXES):
        parquet()
    counts = dict.fromkeys(("decks", "legal", "illegal", "unreadable"), 0)
    earlier = named = 0
    places: list[Path] = []
    with locked(out, wait=False), workers(jobs, cluster, rules) as hands, _parts_of(out) as folder:
        parts = in_parts(rows)
        while some := list(islice(parts, AHEAD * hands.many)):
            judged = {folder / _part_name(len(places) + at, part, rules): part for at, part in enumerate(some)}
            places += judged
            missing = {place: part for place, part in judged.items() if not place.exists()}
            earlier += sum(_count(counts, place.read_bytes()) for place in judged.keys() - missing.keys())
            for place, (verdicts, unreadable) in zip(
                missing, hands.judge(list(missing.values())) if missing else (), strict=True
            ):
                _write(place, [verdicts])
                _count(counts, verdicts)
                for sentence in unreadable[: MOST_NAMED - named]:
                    warn(sentence)
                    named += 1
            tell(counts)
        _join(folder, places, out)
    return counts, earlier


def in_parts(rows: Iterable[ArchiveRow]) -> Iterator[list[ArchiveRow]]:
    """Group rows into parts that are small enough to be kept in memory, sent to a worker and written in one piece."""
    part: list[ArchiveRow] = []
    size = 0
    for row in rows:
        part.append(row)
        size += len(row.raw)
        if len(part) == PART_ROWS or size > PART_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _count(counts: dict[str, int], verdicts: bytes) -> int:
    """Add the verdicts (JSON Lines) to `counts`, and return their number.

    The keys are searched as text. JSON escapes quotation marks inside texts, so each verdict is counted exactly once.
    """
    for key, value in (("legal", b"true"), ("illegal", b"false"), ("unreadable", b"null")):
        counts[key] += verdicts.count(b'"legal": ' + value)
    many = verdicts.count(b"\n")
    counts["decks"] += many
    return many


@contextmanager
def _parts_of(out: Path) -> Iterator[Path]:
    """Create the folder `OUT.parts` for the verdicts on each part, and yield its path. At the end, remove it if it is
    empty.

    Raises ArchiveError if the verdicts cannot be written.
    """
    folder = out.with_name(f"{out.name}.parts")
    try:
        folder.mkdir(exist_ok=True)
        yield folder
    except OSError as error:
        raise ArchiveError(
            f"{out} cannot be written: {error.strerror or error}. The verdicts so far are kept next to it. "
            "Run the same command to continue."
        ) from None
    finally:
        with suppress(OSError):
            folder.rmdir()


def _part_name(number: int, rows: Iterable[ArchiveRow], rules: JudgeRules) -> str:
    """Return the name of the file for the verdicts on a part: the part's number, and a hash of its decks and rules.

    The hash ensures that the verdicts are never used for other decks or rules.
    """
    digest = hashlib.blake2b(rules.digest.encode(), digest_size=10)
    for row in rows:
        digest.update(b"%d %d %s " % (row.number, len(row.raw), row.id.encode("utf-8", "replace")))
        digest.update(row.raw)
    return f"part-{number:05}-{digest.hexdigest()}.jsonl"


def _write(place: Path, data: Iterable[bytes]) -> None:
    """Write a file that is either complete or absent, even after a crash. Raises OSError."""
    with written(place) as file:
        file.writelines(data)
        file.flush()
        os.fsync(file.fileno())


def _join(folder: Path, places: Iterable[Path], out: Path) -> None:
    """Join all verdicts in order to the file `out`. Then delete the files of the parts, including parts from earlier
    runs.
    """
    joined = folder / f"part-00000-{'0' * 20}.jsonl"
    if out.name.endswith(PARQUET_SUFFIXES):
        arrow, tables = parquet()
        schema = arrow.Table.from_pylist([json.loads(encoded(WHOLE))]).schema
        with written(joined) as file, tables.ParquetWriter(file, schema, compression="zstd") as writer:
            for place in places:
                verdicts = [json.loads(line) for line in place.read_bytes().splitlines()]
                writer.write_table(arrow.Table.from_pylist(verdicts, schema))
    else:
        _write(joined, (place.read_bytes() for place in places))
    replace(joined, out)
    for part in folder.iterdir():
        if PART.fullmatch(part.name):
            part.unlink()
