"""Read an archive of decks one deck at a time: JSON Lines, Parquet, or a folder of deck files."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.decks.deckfile import LARGEST_FILE, LINES_SUFFIXES
from kb.decks.folder import deck_paths
from kb.decks.nodes import DeckFileError
from kb.decks.reading import bounded_lines
from kb.errors import KbError
from kb.files.bounded import Limits, TooMuchWorkError, each_bounded
from kb.files.text import one_line
from kb.frozen import frozen

PARQUET_SUFFIXES = (".parquet", ".pq")
DECK_COLUMN, ID_COLUMN = "deck", "id"
READING = Limits(seconds=120, memory=2_000_000_000)
"""The limits for reading a Parquet file. The time is for each part, because a few KB of the file can expand to
gigabytes.
"""
AT_ONCE, SENT_BYTES = 1_000, 4_000_000
"""The number of table rows in a batch, and the total length of decks (in bytes) above which they are sent as a part.
"""


class ArchiveError(KbError, ValueError):
    """An archive cannot be read, or its verdicts cannot be written. The message is written for users."""


@frozen
class ArchiveRow:
    """A row of an archive: the text of a deck.

    `number` counts the lines, table rows or files of the archive from 1. `name` identifies the row in messages. `id` is
    the deck's id in a separate column of the archive, or empty. `raw` is the text, or only its beginning if it is
    longer than a deck file may be.
    """

    number: int
    raw: bytes
    name: str
    id: str = ""


def read_archive(name: str, column: str | None = DECK_COLUMN) -> Iterator[ArchiveRow]:
    """Yield the rows of an archive: a file (its suffix gives the format), a folder, or standard input (`-`).

    `column` is the column of a Parquet file that contains the decks. If it is None, each table row is a deck, and the
    columns are its keys. Raises ArchiveError.
    """
    try:
        if name.endswith(PARQUET_SUFFIXES):
            for part in each_bounded(send_parquet, name, column, limits=READING):
                yield from part
        elif name == "-" or name.endswith(LINES_SUFFIXES):
            with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
                for number, line in enumerate(bounded_lines(file), 1):
                    if line.strip():
                        yield ArchiveRow(number, line, f"{name}:{number}")
        elif Path(name).is_dir():
            files = [path for path in deck_paths(name) if not path.lower().endswith(LINES_SUFFIXES)]
            for number, path in enumerate(files, 1):
                with Path(path).open("rb") as file:
                    yield ArchiveRow(number, file.read(LARGEST_FILE + 1), one_line(path))
        else:
            raise ArchiveError(
                f"{name} is not an archive of decks. Give a .jsonl file (one deck a line), a .parquet file, a folder of deck "
                "files, or - for standard input. `kb deck check` takes single files."
            )
    except ArchiveError:
        raise
    except DeckFileError as error:
        raise ArchiveError(str(error)) from None
    except TooMuchWorkError as error:
        raise ArchiveError(f"{name}: {error} Write the file with fewer rows in each row group.") from None
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: Exception) -> ArchiveError:
    """Return the ArchiveError for the file `name`, which cannot be read because of `error`."""
    errno = getattr(error, "errno", None)
    reason = os.strerror(errno) if errno else " ".join(str(error).split())[:200].rstrip(".")
    return ArchiveError(f"{getattr(error, 'filename', None) or name} cannot be read: {reason}.")


def parquet() -> tuple[Any, Any]:
    """Return the modules `pyarrow` and `pyarrow.parquet`. Raises ArchiveError if pyarrow is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ArchiveError("Parquet files need pyarrow: pip install 'cardlore-kb[many]'.") from None
    return pyarrow, pyarrow.parquet


def send_parquet(name: str, column: str | None, send: Callable[[list[ArchiveRow]], None]) -> None:
    """Read the decks of a Parquet file and pass them to `send` in batches. This function runs in a process with limits.
    Raises ArchiveError.

    The decks in `column` are texts or records. Empty fields are removed from records. The column `id`, if there is one,
    contains the ids of the decks.
    """
    arrow, tables = parquet()
    arrow.set_memory_pool(arrow.system_memory_pool())  # other pools reserve more address space than the limit allows
    part: list[ArchiveRow] = []
    size = 0
    try:
        with tables.ParquetFile(name) as file:
            names = file.schema_arrow.names
            if column and column not in names:
                raise ArchiveError(f"{name}: there is no column {column!r}; --column names one of {', '.join(names)}.")
            batches = file.iter_batches(AT_ONCE, use_threads=False)
            for number, cells in enumerate((cells for batch in batches for cells in _cells(batch)), 1):
                part.append(_row(name, number, cells[column] if column else cells, cells.get(ID_COLUMN)))
                size += len(part[-1].raw)
                if len(part) == AT_ONCE or size > SENT_BYTES:
                    send(part)
                    part, size = [], 0
            send(part)
    except (OSError, ValueError) as error:  # pyarrow raises either of these for a damaged file
        raise error if isinstance(error, ArchiveError) else _unreadable(name, error) from None


def _cells(batch: Any) -> list[Mapping[str, Any]]:
    """Return the rows of a batch from a Parquet file. Each row maps columns to values."""
    with warnings.catch_warnings(action="ignore"):  # if a map contains a key twice, the last one counts
        cells: list[Mapping[str, Any]] = batch.to_pylist(maps_as_pydicts="lossy")
    return cells


def _row(name: str, number: int, deck: Any, known: Any) -> ArchiveRow:
    """Return an archive's row for a deck, which is a text or a record. `known` is the deck's id in the archive, or
    None.
    """
    text = deck if isinstance(deck, str | bytes) else json.dumps(_present(deck), ensure_ascii=False, default=str)
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return ArchiveRow(number, raw[: LARGEST_FILE + 1], f"{name}:{number}", "" if known is None else str(known))


def _present(value: Any) -> Any:
    """Return a JSON value without the keys whose value is null."""
    if isinstance(value, Mapping):
        return {key: _present(each) for key, each in value.items() if each is not None}
    return [_present(each) for each in value] if isinstance(value, list) else value
