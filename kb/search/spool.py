"""Rows of documents that are put aside in a file until their segment is written: of tens of thousands they take more than memory should."""

from __future__ import annotations

from array import array
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

BUFFER = 100_000  # bytes that are written at once


class Row(NamedTuple):
    """A document as it lies in a segment: what a hit shows (`data`), and its packed Terms, by which the segment is written (`terms`)."""

    data: bytes
    terms: bytes


class Spool:
    """Rows in a new file, which goes with it; they are numbered from 0 as they come."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = path.open("wb", buffering=BUFFER)
        self._reading = path.open("rb", buffering=0)
        self._ids: list[str] = []
        self._ends = array("Q", [0])  # of each row where its data and its terms end

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writing.close()
        self._reading.close()
        self._path.unlink(missing_ok=True)

    def put(self, document: str, row: Row) -> None:
        """Put the row of a document aside."""
        self._writing.write(row.data)
        self._writing.write(row.terms)
        middle = self._ends[-1] + len(row.data)
        self._ends.extend((middle, middle + len(row.terms)))
        self._ids.append(document)

    def places(self) -> dict[str, int]:
        """The numbers of the rows by document; all that are put aside can be read from then on."""
        self._writing.flush()
        return {document: number for number, document in enumerate(self._ids)}

    def row(self, number: int) -> Row:
        """The row of a number."""
        start, middle, end = self._ends[2 * number : 2 * number + 3]
        self._reading.seek(start)
        held = self._reading.read(end - start)
        return Row(held[: middle - start], held[middle - start :])
