"""Judges an archive with Dask: parts of it go to the workers of a cluster, each part's verdicts into a file, and all into one at the end."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb.catalog.reader import Catalog
from kb.decks.contract import check_one
from kb.decks.deckfile import DeckFile
from kb.decks.games import Table, with_decks
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.reading import opened
from kb.decks.report import Report
from kb.files.outputs import refuse_inputs
from kb.files.swap import locked, replace
from kb.judge.read import PARQUET_SUFFIXES, Archive, ArchiveError, Row, pyarrow
from kb.registry import games
from kb.version import __version__

Frame = Mapping[str, Any]
MOST_NAMED = 20
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Judge:
    """Judges rows by the options of `kb deck check` (`frame`); facts are loaded when the first deck of a game comes."""

    def __init__(self, records: Callable[[str, str], list[dict[str, Any]]], frame: Frame) -> None:
        self._table, self._frame = Table(records), frame

    def verdicts(self, row: Row) -> Iterator[tuple[dict[str, Any], Report | DeckFileError]]:
        """The verdict on each deck of a row (a line may hold a list of them), with the report that it is made of."""
        files = list(opened(row.raw, row.name))
        for part, file in enumerate(files, 1):
            try:
                found = check_one(file, self._table, self._frame)
            except Exception as error:  # a bug of kb's: one deck of a million is no reason to stop
                said = f"This is a bug in kb: {type(error).__name__}: {str(error)[:300]}."
                found = DeckFileError(row.name, [DeckProblem(0, said)])
            yield {"row": row.number, "part": part if len(files) > 1 else None, **_verdict(row, file, found)}, found


def _verdict(row: Row, file: DeckFile | DeckFileError, found: Report | DeckFileError) -> dict[str, Any]:
    """What is kept of a report: no citation, which the code of a finding leads to."""
    own = file.loaded.get("id") if isinstance(file, DeckFile) and file.loaded else None
    verdict: dict[str, Any] = {"id": row.id or (None if own is None else str(own))}
    if isinstance(found, DeckFileError):
        problems = [f"line {each.line}: {each.message}" if each.line > 1 else each.message for each in found.problems]
        unknown = dict.fromkeys(("game", "character", "legal"))
        return {**verdict, **unknown, "findings": [], "problems": problems[:MOST_NAMED]}
    findings = [
        {"code": each.code, "severity": each.severity, "message": each.message, "fix": each.fix, "cards": each.cards,
         "count": each.count, "limit": each.limit}
        for each in found.findings
    ]  # fmt: skip
    of = {"game": found.game, "character": found.character, "legal": found.legal}
    return {**verdict, **of, "findings": findings, "problems": []}


@dataclass(frozen=True, eq=False)
class Rules:
    """All that judging takes besides the program, as one value that is sent to workers: facts of cards by game and kind, and the frame."""

    version: str
    hash: str
    frame: Frame
    facts: Mapping[tuple[str, str], list[dict[str, Any]]] = field(repr=False)

    def records(self, game: str, kind: str) -> list[dict[str, Any]]:
        """The records of a kind, as the catalog gave them."""
        return self.facts.get((game, kind), [])


def rules_of(catalog: Catalog, frame: Frame) -> Rules:
    """The rules of every game with decks, as the catalog holds their facts."""
    judged = {about.id for about in with_decks()}
    facts = {(game, kind): catalog.records(game, kind) for game, kind in catalog.kinds() if game in judged}
    return Rules(__version__, catalog.hash, dict(frame), facts)


@lru_cache(maxsize=2)
def _judge(rules: Rules) -> Judge:
    """What judges by some rules in this process, with the facts that it has loaded. Raises ArchiveError when kb is another one here."""
    if rules.version != __version__ or not {game for game, _ in rules.facts} <= games().keys():
        raise ArchiveError(
            f"These decks are judged by kb {rules.version} and its games; a worker has kb {__version__} or lacks a game."
        )
    return Judge(rules.records, rules.frame)


def judge_rows(rules: Rules, rows: Iterable[Row]) -> tuple[bytes, list[str]]:
    """The verdicts on some rows as JSON Lines, in their order, and what is wrong with the first decks that cannot be read."""
    lines: list[str] = []
    unreadable: list[str] = []
    for row in rows:
        for verdict, found in _judge(rules).verdicts(row):
            lines.append(f"{_encode(verdict)}\n")
            if isinstance(found, DeckFileError) and len(unreadable) < MOST_NAMED:
                unreadable.append(str(found))
    return "".join(lines).encode("utf-8", "backslashreplace"), unreadable


PART_ROWS, PART_BYTES = 1000, 4_000_000
PATIENCE = 20  # seconds for a scheduler to answer
AHEAD = 3  # parts a worker: one that it judges, one that waits for it, one that is being read
PART = re.compile(r"part-[0-9]{5}-[0-9a-f]{20}\.(?:jsonl|tmp)")
Tell = Callable[[Mapping[str, int], float], None]


@dataclass(frozen=True, slots=True)
class How:
    """How an archive is judged: by so many processes or the cluster at an address, over an old file, anew instead of going on."""

    jobs: int = 1
    cluster: str | None = None
    force: bool = False
    anew: bool = False


def judge_archive(
    archive: Archive, out: Path, catalog: Catalog, frame: Frame, how: How, tell: Tell, warn: Callable[[str], None]
) -> tuple[dict[str, int], int]:
    """Judge every deck of an archive into a file of verdicts; the counts, and how many decks an earlier run had judged.

    A part of the archive whose verdicts an earlier run has written is not judged again. `tell(counts, share)` is told how far it
    is, `warn` about the first decks that cannot be read. Raises ArchiveError, and OutputError when `out` holds the decks.
    """
    _refuse(out, archive, how)
    rules = rules_of(catalog, frame)
    counts = dict.fromkeys(("decks", "legal", "illegal", "unreadable"), 0)
    earlier = named = 0
    share = 0.0
    with locked(out, wait=False), _cluster(how) as client, Parts(out, [__version__, rules.hash, dict(frame)]) as parts:
        from distributed import as_completed

        if how.anew:
            parts.clear()
        done = as_completed(loop=client.loop)
        places: dict[str, Path] = {}

        def take(future: Any) -> None:
            nonlocal named
            verdicts, unreadable = future.result()
            parts.write(places.pop(future.key), verdicts)
            _count(counts, verdicts)
            for sentence in unreadable[: MOST_NAMED - named]:
                warn(sentence)
                named += 1
            tell(counts, share)

        sent = client.scatter(rules, broadcast=True)
        ahead = AHEAD * max(1, sum(client.nthreads().values()))
        for rows in in_parts(archive.rows):
            share = rows[-1].share
            place = parts.place(rows)
            if place.exists():
                earlier += _count(counts, place.read_bytes())
                continue
            while done.count() >= ahead:
                take(next(done))
            future = client.submit(judge_rows, sent, rows, pure=False)
            places[future.key] = place
            done.add(future)
        for future in done:
            take(future)
        parts.join()
    return counts, earlier


def in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in lists that are small enough to be held, sent and written at once."""
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


def _refuse(out: Path, archive: Archive, how: How) -> None:
    """Raises ArchiveError or OutputError when the verdicts must not be written there; nothing is changed then."""
    if out.name.endswith(PARQUET_SUFFIXES):
        pyarrow()
    if out.is_dir():
        raise ArchiveError(f"{out} is a folder; name a file for the verdicts, such as {out / 'verdicts.jsonl'}.")
    refuse_inputs(out, archive.files)
    if os.path.lexists(out) and not how.force:
        raise ArchiveError(f"{out} exists; --force writes it anew (the old one stays until the new one is whole).")


@contextmanager
def _cluster(how: How) -> Iterator[Any]:
    """A client of the Dask cluster at an address, or of one on this machine that ends with the run. Raises ArchiveError."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ArchiveError("`kb deck judge` needs Dask: pip install 'cardlore-kb[many]'.") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        try:
            at = how.cluster or stack.enter_context(
                LocalCluster(
                    n_workers=how.jobs,
                    threads_per_worker=1,
                    processes=how.jobs > 1,
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                )
            )
            client = stack.enter_context(Client(at, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError, TimeoutError) as error:
            reason = " ".join(str(error).split())[:200].rstrip(".")
            raise ArchiveError(f"There is no Dask scheduler at {how.cluster or 'hand'}: {reason}.") from None
        try:
            yield client
        except ArchiveError:
            raise
        except (Exception, CancelledError) as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:300].rstrip(".")
            raise ArchiveError(
                f"The Dask cluster has stopped ({reason}); the same command goes on from there."
            ) from error


class Parts:
    """The verdicts on parts of an archive, each a file of the folder `OUT.parts`, which are whole or not there; joined they are OUT.

    A part's name has its number and a digest of its decks and of what they are judged by (`rules`), so that it is taken for these only.
    What others have put into the folder stays. Use it as a context manager. Raises ArchiveError.
    """

    def __init__(self, out: Path, rules: Any) -> None:
        self._out = out
        self._folder = out.with_name(f"{out.name}.parts")
        self._rules = json.dumps(rules, sort_keys=True).encode()
        self._places: list[Path] = []

    def __enter__(self) -> Parts:
        with self._writing():
            self._folder.mkdir(exist_ok=True)
        return self

    def __exit__(self, *_error: object) -> None:
        with suppress(OSError):  # unless there is something to go on from
            self._folder.rmdir()

    def place(self, rows: Iterable[Row]) -> Path:
        """Where the verdicts on the next part of the archive stand, or shall stand."""
        digest = hashlib.blake2b(self._rules, digest_size=10)
        for row in rows:
            digest.update(b"%d %d %s " % (row.number, len(row.raw), row.id.encode("utf-8", "backslashreplace")))
            digest.update(row.raw)
        self._places.append(self._folder / f"part-{len(self._places):05}-{digest.hexdigest()}.jsonl")
        return self._places[-1]

    def write(self, place: Path, verdicts: bytes) -> None:
        """Write a file of the folder so that it is there whole, whatever happens."""
        with self._writing():
            new = place.with_suffix(".tmp")
            with new.open("wb") as file:
                file.write(verdicts)
                file.flush()
                os.fsync(file.fileno())
            replace(new, place)

    def join(self) -> None:
        """Put all parts, one after the other, in the place of OUT, and remove them."""
        with self._writing():
            new = self._folder / f"part-{'0' * 5}-{'0' * 20}.tmp"
            if self._out.name.endswith(PARQUET_SUFFIXES):
                self._join_as_parquet(new)
            else:
                with new.open("wb") as file:
                    file.writelines(place.read_bytes() for place in self._places)
                    file.flush()
                    os.fsync(file.fileno())
            replace(new, self._out)
        self.clear()

    def _join_as_parquet(self, new: Path) -> None:
        arrow, parquet = pyarrow()
        text, number = arrow.string(), arrow.int64()
        finding = arrow.struct(
            [("code", text), ("severity", text), ("message", text), ("fix", text), ("cards", arrow.list_(text)),
             ("count", number), ("limit", number)]
        )  # fmt: skip
        schema = arrow.schema(
            [("row", number), ("part", number), ("id", text), ("game", text), ("character", text), ("legal", arrow.bool_()),
             ("findings", arrow.list_(finding)), ("problems", arrow.list_(text))]
        )  # fmt: skip
        with parquet.ParquetWriter(new, schema, compression="zstd") as writer:
            for place in self._places:
                rows = [json.loads(line) for line in place.read_bytes().splitlines()]
                writer.write_table(arrow.Table.from_pylist(rows, schema))

    def clear(self) -> None:
        """Remove the parts of this and of earlier runs."""
        for file in self._folder.iterdir():
            if PART.fullmatch(file.name):
                file.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ArchiveError(
                f"{self._out} cannot be written: {error.strerror or error}. What is judged so far is kept beside it; "
                "the same command goes on from there."
            ) from None
