"""Judges an archive with Dask: partitions of it are a bag that workers judge, each one's verdicts a file, and all of them one at the end."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from kb.catalog.reader import Catalog
from kb.decks.contract import check_one
from kb.decks.deckfile import DeckFile
from kb.decks.games import DeckRules, with_decks
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.problems import Severity
from kb.decks.reading import decks_in_bytes
from kb.files.swap import locked, replace, written
from kb.judge.archive import PARQUET_SUFFIXES, ArchiveError, Row, parquet
from kb.version import __version__

MOST_NAMED = 20


@dataclass(frozen=True)
class JudgedFinding:
    """A finding of a verdict, as reports have it; its code leads to the citation."""

    code: str
    severity: Severity
    message: str
    fix: str = ""
    cards: list[str] | None = None
    count: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What is kept of the report on a deck: a line of a file of verdicts. legal: None when the deck cannot be read."""

    row: int
    part: int | None = None
    id: str | None = None
    game: str | None = None
    character: str | None = None
    legal: bool | None = None
    findings: list[JudgedFinding] = field(kw_only=True)
    problems: list[str] = field(default_factory=list)


WHOLE = Verdict(0, 0, "", "", "", True, findings=[JudgedFinding("", "note", "", "", [""], 0, 0)], problems=[""])
"""A verdict that lacks nothing: from it the columns of a Parquet file have their types."""
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=vars).encode


@dataclass(frozen=True)
class Rules:
    """All that judging takes besides the program, which is sent to workers: facts of cards by game and kind, and the options of
    `kb deck check` (`frame`). `digest` tells them apart."""

    version: str
    digest: str
    frame: Mapping[str, Any] = field(compare=False)
    facts: Mapping[tuple[str, str], list[dict[str, Any]]] = field(compare=False, repr=False)


def rules_of(catalog: Catalog, frame: Mapping[str, Any]) -> Rules:
    """The rules of every game with decks, as the catalog holds their facts."""
    judged = {about.id for about in with_decks()}
    facts = {(game, kind): catalog.records(game, kind) for game, kind in catalog.kinds() if game in judged}
    identity = json.dumps([__version__, catalog.hash, dict(frame)], sort_keys=True)
    return Rules(__version__, hashlib.blake2b(identity.encode()).hexdigest(), dict(frame), facts)


@lru_cache(maxsize=2)
def _deck_rules(rules: Rules) -> DeckRules:
    """The rules with the facts that this process has loaded. Raises ArchiveError when kb is another one here."""
    if rules.version != __version__:
        raise ArchiveError(f"These decks are judged by kb {rules.version}; a worker has kb {__version__}.")
    return DeckRules(lambda game, kind: rules.facts.get((game, kind), []))


def judge_rows(rows: Iterable[Row], rules: Rules) -> tuple[bytes, list[str]]:
    """The verdicts on some rows as JSON Lines, in their order, and what is wrong with the first decks that cannot be read."""
    lines: list[str] = []
    unreadable: list[str] = []
    for row in rows:
        files = list(decks_in_bytes(row.raw, row.name))  # a line may hold a list of decks
        for number, file in enumerate(files, 1):
            verdict = _verdict(file, row, number if len(files) > 1 else None, rules)
            lines.append(f"{_encode(verdict)}\n")
            if len(unreadable) < MOST_NAMED:
                unreadable += [f"{row.name}: {problem}" for problem in verdict.problems[:1]]
    return "".join(lines).encode("utf-8", "replace"), unreadable


def _verdict(file: DeckFile | DeckFileError, row: Row, part: int | None, rules: Rules) -> Verdict:
    own = file.loaded.get("id") if isinstance(file, DeckFile) and file.loaded else None
    named = row.id or (None if own is None else str(own))
    deck_rules = _deck_rules(rules)
    try:
        report = check_one(file, deck_rules, rules.frame)
    except Exception as error:  # a bug of kb's: one deck of a million is no reason to stop
        message = f"This is a bug in kb: {type(error).__name__}: {str(error)[:300]}."
        report = DeckFileError(row.name, [DeckProblem(0, message)])
    if isinstance(report, DeckFileError):
        problems = [f"line {each.line}: {each.message}" if each.line > 1 else each.message for each in report.problems]
        return Verdict(row.number, part, named, findings=[], problems=problems[:MOST_NAMED])
    findings = [
        JudgedFinding(each.code, each.severity, each.message, each.fix, list(each.cards), each.count, each.limit)
        for each in report.findings
    ]
    return Verdict(row.number, part, named, report.game, report.character, report.legal, findings=findings)


PART_ROWS, PART_BYTES = 1000, 4_000_000
PATIENCE = 20  # seconds for a scheduler to answer
AHEAD = 8  # partitions a worker in one bag
PART = re.compile(r"\.?part-[0-9]{5}-[0-9a-f]{20}\.jsonl(?:\.[0-9]+\.tmp)?")


def judge_archive(
    rows: Iterator[Row], out: Path, rules: Rules, jobs: int, cluster: str | None,
    tell: Callable[[Mapping[str, int]], None], warn: Callable[[str], None],
) -> tuple[dict[str, int], int]:  # fmt: skip
    """Judge every deck into a file of verdicts; the counts, and how many decks an earlier run had judged.

    A partition whose verdicts an earlier run has written is not judged again. jobs: processes of this machine, unless the address
    of a `cluster` is given. `tell` is told the counts so far, `warn` of the first decks that cannot be read. Raises ArchiveError.
    """
    if out.is_dir():
        raise ArchiveError(f"{out} is a folder; name a file for the verdicts, such as {out / 'verdicts.jsonl'}.")
    if out.name.endswith(PARQUET_SUFFIXES):
        parquet()
    counts = dict.fromkeys(("decks", "legal", "illegal", "unreadable"), 0)
    earlier = named = 0
    places: list[Path] = []
    with locked(out, wait=False), _cluster(jobs, cluster) as client, _parts_of(out) as folder:
        from dask.bag import from_sequence
        from dask.delayed import delayed

        with _asking_dask():
            sent = client.persist(delayed(rules, traverse=False))  # a worker that loses it is given it again
        many = AHEAD * max(1, sum(client.nthreads().values()))
        partitions = in_parts(rows)
        while some := list(islice(partitions, many)):
            judged = {folder / _part_name(len(places) + at, part, rules): part for at, part in enumerate(some)}
            places += judged
            missing = {place: part for place, part in judged.items() if not place.exists()}
            earlier += sum(_count(counts, place.read_bytes()) for place in judged.keys() - missing.keys())
            if missing:
                bag = from_sequence(missing.values(), npartitions=len(missing))  # type: ignore[no-untyped-call]
                with _asking_dask():
                    computed = client.compute(bag.map(judge_rows, sent)).result()
                for place, (verdicts, unreadable) in zip(missing, computed, strict=True):
                    _write(place, [verdicts])
                    _count(counts, verdicts)
                    for sentence in unreadable[: MOST_NAMED - named]:
                        warn(sentence)
                        named += 1
            tell(counts)
        _join(folder, places, out)
    return counts, earlier


def in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in partitions that are small enough to be held, sent and written at once."""
    part: list[Row] = []
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
    """Count some verdicts; how many there are. Within JSON's texts there is no bare quotation mark, so that each is counted once."""
    for key, value in (("legal", b"true"), ("illegal", b"false"), ("unreadable", b"null")):
        counts[key] += verdicts.count(b'"legal": ' + value)
    many = verdicts.count(b"\n")
    counts["decks"] += many
    return many


@contextmanager
def _cluster(jobs: int, address: str | None) -> Iterator[Any]:
    """A client of the Dask cluster at an address, or of one on this machine that ends with the run. Raises ArchiveError."""
    try:
        from distributed import Client
    except ImportError:
        raise ArchiveError("`kb deck judge` needs Dask: pip install 'cardlore-kb[many]'.") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    local = {"n_workers": jobs, "threads_per_worker": 1, "processes": jobs > 1, "silence_logs": logging.CRITICAL,
             "dashboard_address": "127.0.0.1:0", "scheduler_kwargs": {"dashboard": False}}  # fmt: skip
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False, **({} if address else local))
    except Exception as error:  # whatever Dask raises when it cannot begin
        reason = " ".join(str(error).split())[:200].rstrip(".")
        raise ArchiveError(f"There is no Dask scheduler at {address or 'hand'}: {reason}.") from None
    with client:
        yield client


@contextmanager
def _asking_dask() -> Iterator[None]:
    """Turn an error of the cluster in this block into an ArchiveError."""
    try:
        yield
    except ArchiveError:
        raise
    except (Exception, CancelledError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300].rstrip(".")
        raise ArchiveError(f"The Dask cluster has stopped ({reason}); the same command goes on from there.") from error


@contextmanager
def _parts_of(out: Path) -> Iterator[Path]:
    """The folder `OUT.parts` for the verdicts on each partition; at the end it goes unless something is in it. Raises ArchiveError."""
    folder = out.with_name(f"{out.name}.parts")
    try:
        folder.mkdir(exist_ok=True)
        yield folder
    except OSError as error:
        raise ArchiveError(
            f"{out} cannot be written: {error.strerror or error}. What is judged so far is kept beside it; "
            "the same command goes on from there."
        ) from None
    finally:
        with suppress(OSError):
            folder.rmdir()


def _part_name(number: int, rows: Iterable[Row], rules: Rules) -> str:
    """The name of a partition's verdicts: its number and a digest of its decks and rules, so that it is taken for these only."""
    digest = hashlib.blake2b(rules.digest.encode(), digest_size=10)
    for row in rows:
        digest.update(b"%d %d %s " % (row.number, len(row.raw), row.id.encode("utf-8", "replace")))
        digest.update(row.raw)
    return f"part-{number:05}-{digest.hexdigest()}.jsonl"


def _write(place: Path, data: Iterable[bytes]) -> None:
    """Write a file so that it is there whole, whatever happens. Raises OSError."""
    with written(place) as file:
        file.writelines(data)
        file.flush()
        os.fsync(file.fileno())


def _join(folder: Path, places: Iterable[Path], out: Path) -> None:
    """Put all verdicts, one partition after the other, in the place of OUT, and remove the parts of this and of earlier runs."""
    joined = folder / f"part-00000-{'0' * 20}.jsonl"
    if out.name.endswith(PARQUET_SUFFIXES):
        arrow, tables = parquet()
        schema = arrow.Table.from_pylist([json.loads(_encode(WHOLE))]).schema
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
