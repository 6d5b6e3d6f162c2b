"""Parquet files: rows of decks out of them, verdicts into them. Needs pyarrow (extra `parquet`)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from kb.archives.rows import ArchiveError, Row, cannot_read, row_of_cells
from kb.files.swap import replace

AT_ONCE = 1000


def pyarrow() -> tuple[Any, Any]:
    """The library and its part for Parquet. Raises ArchiveError when it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ArchiveError("Parquet files need pyarrow: pip install 'cardlore-kb[parquet]'.") from None
    return pyarrow, pyarrow.parquet


class Parquet:
    """The rows of a Parquet file."""

    def __init__(self, name: str, column: str | None = None) -> None:
        self._name, self._column = name, column
        self._arrow, parquet = pyarrow()
        try:
            self._file = parquet.ParquetFile(name)
        except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
            raise self._damaged(error) from None
        self._rows = self._file.metadata.num_rows
        self._done = 0

    def told(self) -> dict[str, str]:
        """That it is Parquet, and the column."""
        return {"kind": "parquet", "column": self._column or ""}

    def share(self) -> float:
        """By rows."""
        return self._done / self._rows if self._rows else 0.0

    def rows(self) -> Iterator[Row]:
        """Each row, a batch of them in memory at a time."""
        for number, cells in enumerate(self.cells(), 1):
            self._done = number
            yield row_of_cells(number, cells, self._column, f"{self._name}:{number}")

    def cells(self) -> Iterator[dict[str, Any]]:
        """The rows as they stand in the table. Raises ArchiveError for a damaged file."""
        try:
            for batch in self._file.iter_batches(AT_ONCE):
                yield from batch.to_pylist()
        except (OSError, ValueError) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> ArchiveError:
        if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
            return cannot_read(self._name, OSError(error.errno, os.strerror(error.errno or 0)))
        return ArchiveError(f"{self._name} is no whole Parquet file: {' '.join(str(error).split())[:200].rstrip('.')}.")


def write_parquet(lines: Path, out: Path) -> None:
    """The verdicts of a file of JSON Lines as a Parquet file, written beside and put in place. Raises OSError."""
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
    new = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        with parquet.ParquetWriter(new, schema, compression="zstd") as writer, lines.open("rb") as file:
            while batch := [json.loads(line) for _, line in zip(range(AT_ONCE), file, strict=False)]:
                writer.write_table(arrow.Table.from_pylist(batch, schema))
        replace(new, out)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
