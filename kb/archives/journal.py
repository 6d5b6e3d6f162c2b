"""Verdicts as they are written: a part beside the file, and a journal of how far it is whole, from which a killed run goes on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from kb.archives.judging import Judged, no_sums
from kb.archives.parquet import pyarrow, write_parquet
from kb.archives.rows import PARQUET_SUFFIXES, ArchiveError, Row
from kb.files.swap import replace

Head = Mapping[str, Any]


@dataclass
class Done:
    """How far a part is whole: rows of the archive, bytes of verdicts, what the rows were (`digest`), sums."""

    rows: int = 0
    bytes: int = 0
    digest: str = ""
    sums: dict[str, int] = field(default_factory=no_sums)


class Output:
    """The file that verdicts go to, whole or not at all: `OUT.part` grows beside it, `OUT.journal` tells how far that is whole.

    A line of the journal is written when the verdicts it tells of are on the disk; whatever comes after it in the part is cut
    off before the run goes on. So no deck is lost and none stands there twice, whenever the process ends. `head` says what is
    judged and by which rules: with another head a part is not gone on with. Use it as a context manager.
    """

    def __init__(self, out: Path, head: Head, *, force: bool = False, anew: bool = False) -> None:
        self._out = out
        self._part = out.with_name(f"{out.name}.part")
        self._journal = out.with_name(f"{out.name}.journal")
        self._parquet = out.name.endswith(PARQUET_SUFFIXES)
        if self._parquet:
            pyarrow()
        if os.path.lexists(out) and not force:
            if not self._part.exists():
                self._journal.unlink(missing_ok=True)  # a run was killed when all was done but this
            raise ArchiveError(f"{out} exists; --force writes it anew (the old one stays until the new one is whole).")
        self.done = Done() if anew else self._found(head)
        self._hash = hashlib.blake2b(digest_size=16)
        self._files: tuple[IO[bytes], IO[bytes]] | None = None
        self._head = head

    def _found(self, head: Head) -> Done:
        """How far an earlier run came. Raises ArchiveError when it judged something else."""
        if not (self._part.exists() and self._journal.exists()):
            return Done()
        lines = self._journal.read_bytes().split(b"\n")[:-1]  # a line without its end was cut off
        try:
            told, *steps = [json.loads(line) for line in lines]
        except ValueError:
            return Done()
        if not steps:
            return Done()
        for key, what in (("source", "other decks"), ("frame", "other options"), ("rules", "other rules")):
            if told.get(key) != head[key]:
                raise ArchiveError(
                    f"{self._part} was begun with {what}; --anew throws it away and begins again, another --out leaves it alone."
                )
        return Done(**steps[-1])

    def __enter__(self) -> Output:
        try:
            self._begin()
        except OSError as error:
            raise self._unwritten(error) from None
        return self

    def _begin(self) -> None:
        if not self.done.rows:
            self._journal.write_bytes(json.dumps(self._head).encode() + b"\n")
            self._part.write_bytes(b"")
        else:  # a line that was cut off would make one with the next
            kept = self._journal.read_bytes()
            os.truncate(self._journal, kept.rfind(b"\n") + 1)
            if self._part.stat().st_size < self.done.bytes:
                raise ArchiveError(f"{self._part} is shorter than its journal says; --anew begins again.")
            os.truncate(self._part, self.done.bytes)
        self._files = (self._part.open("ab"), self._journal.open("ab"))

    def _close(self) -> None:
        for file in self._files or ():
            with suppress(OSError):  # the disk is full: the first failure has been told
                file.close()
        self._files = None

    def __exit__(self, *_error: object) -> None:
        begun = self._files is not None
        self._close()
        if begun and not self.done.rows:  # nothing to go on from
            self._part.unlink(missing_ok=True)
            self._journal.unlink(missing_ok=True)

    def fresh(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows that are still to be judged. Raises ArchiveError when those before are not the ones that were judged."""
        left = self.done.rows
        while left:
            row = next(rows, None)
            if row is None:
                raise self._strange()
            self._note([row])
            left -= 1
        if self.done.rows and self._hash.hexdigest() != self.done.digest:
            raise self._strange()
        yield from rows

    def _note(self, rows: list[Row]) -> None:
        for row in rows:
            self._hash.update(b"%d %d %s " % (row.number, len(row.raw), row.id.encode()))
            self._hash.update(row.raw)

    def _strange(self) -> ArchiveError:
        return ArchiveError(
            f"{self._part} was begun with other decks, or they came in another order (a query needs `order by`); --anew begins again."
        )

    def add(self, rows: list[Row], judged: Judged) -> None:
        """Write the verdicts on some rows, in the order of the archive. Raises ArchiveError when the disk does not take them."""
        assert self._files is not None
        part, journal = self._files
        self._note(rows)
        sums = {key: self.done.sums[key] + judged.sums[key] for key in self.done.sums}
        done = Done(self.done.rows + len(rows), self.done.bytes + len(judged.lines), self._hash.hexdigest(), sums)
        try:
            part.write(judged.lines)
            _to_disk(part)
            journal.write(json.dumps(done.__dict__).encode() + b"\n")
            _to_disk(journal)
        except OSError as error:
            raise self._unwritten(error) from None
        self.done = done

    def finish(self) -> None:
        """Put the whole file in its place. Raises ArchiveError when that cannot be done; the part then stays."""
        self._close()
        try:
            if self._parquet:
                write_parquet(self._part, self._out)
                self._part.unlink()
            else:
                replace(self._part, self._out)
            self._journal.unlink()
        except OSError as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> ArchiveError:
        reason = error.strerror or str(error)
        return ArchiveError(
            f"{self._out} cannot be written: {reason}. What is judged so far is kept beside it; the same command goes on from there."
        )


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
