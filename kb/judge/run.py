"""Judges an archive with Dask: parts of it go to the workers of a cluster, each part's verdicts into a file, and all into one at the end."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.catalog.reader import Catalog
from kb.files.outputs import refuse_inputs
from kb.files.swap import locked, replace, write_whole
from kb.judge.read import PARQUET_SUFFIXES, Archive, ArchiveError, Row, pyarrow
from kb.judge.verdicts import MOST_NAMED, Frame, judge_rows, rules_of
from kb.version import __version__

PART_ROWS, PART_BYTES = 1000, 4_000_000
PATIENCE = 20  # seconds for a scheduler to answer
AHEAD = 3  # parts a worker: one that it judges, one that waits for it, one that is being read
MANIFEST = "kb-deck-judge.json"
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
    head = {"kb": __version__, "rules": rules.hash, "options": dict(frame), "decks": archive.name}
    counts = dict.fromkeys(("decks", "legal", "illegal", "unreadable"), 0)
    earlier = named = 0
    share = 0.0
    with locked(out, wait=False), _cluster(how) as client, Parts(out, head, how.anew) as parts:
        from distributed import as_completed

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
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise ArchiveError("`kb deck judge` needs Dask: pip install 'cardlore-kb[many]'.") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    dask.config.set(
        {"distributed.admin.low-level-log-length": 10}
    )  # it holds the decks of each part, a thousand parts long
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

    The folder's manifest says what is judged, and that kb made it: another folder of that name is left alone. A part's name has
    its number and a digest of its decks, so that it is taken for these decks only. Use it as a context manager. Raises ArchiveError.
    """

    def __init__(self, out: Path, head: Mapping[str, Any], anew: bool) -> None:
        self._out, self._head = out, head
        self._folder = out.with_name(f"{out.name}.parts")
        self._places: list[Path] = []
        if os.path.lexists(self._folder):
            self._check(anew)
            if anew:
                self._clear()

    def _check(self, anew: bool) -> None:
        """Raises ArchiveError when the folder is not kb's, or of another run."""
        try:
            known = json.loads((self._folder / MANIFEST).read_bytes())
        except (OSError, ValueError, RecursionError):
            known = None
        if not (isinstance(known, dict) and known.keys() == self._head.keys()) or self._folder.is_symlink():
            raise ArchiveError(
                f"{self._folder} is in the way: it is no folder that kb deck judge keeps, or its {MANIFEST} is damaged. "
                "Remove it, or write the verdicts elsewhere."
            )
        for key, what in (("decks", "other decks"), ("options", "other options"), ("kb", "another kb"), ("rules", "other rules")):  # fmt: skip
            if known[key] != self._head[key] and not anew:
                raise ArchiveError(
                    f"{self._folder} was begun with {what}; --anew throws it away and begins again, another --out leaves it alone."
                )

    def __enter__(self) -> Parts:
        with self._writing():
            self._folder.mkdir(exist_ok=True)
            write_whole(self._folder / MANIFEST, json.dumps(self._head).encode())
        return self

    def __exit__(self, *_error: object) -> None:
        if not any(self._folder.glob("part-*.jsonl")):  # nothing to go on from
            self._clear()

    def place(self, rows: Iterable[Row]) -> Path:
        """Where the verdicts on the next part of the archive stand, or shall stand."""
        digest = hashlib.blake2b(digest_size=10)
        for row in rows:
            digest.update(b"%d %d %s " % (row.number, len(row.raw), row.id.encode("utf-8", "backslashreplace")))
            digest.update(row.raw)
        self._places.append(self._folder / f"part-{len(self._places):05}-{digest.hexdigest()}.jsonl")
        return self._places[-1]

    def write(self, place: Path, verdicts: bytes) -> None:
        """Write a part so that it is there whole, whatever happens."""
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
            new = self._folder / "joined.tmp"
            if self._out.name.endswith(PARQUET_SUFFIXES):
                self._join_as_parquet(new)
            else:
                with new.open("wb") as file:
                    file.writelines(place.read_bytes() for place in self._places)
                    file.flush()
                    os.fsync(file.fileno())
            replace(new, self._out)
            self._clear()

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

    def _clear(self) -> None:
        """Remove the folder with what kb has put there; what others have put there stays."""
        with suppress(OSError):
            for file in (*self._folder.glob("part-*.jsonl"), *self._folder.glob("*.tmp"), self._folder / MANIFEST):
                file.unlink(missing_ok=True)
            self._folder.rmdir()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ArchiveError(
                f"{self._out} cannot be written: {error.strerror or error}. What is judged so far is kept beside it; "
                "the same command goes on from there."
            ) from None
