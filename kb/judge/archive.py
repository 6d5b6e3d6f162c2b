"""Reads an archive of decks one by one: JSON Lines, Parquet or a folder of deck files."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.decks.deckfile import LARGEST_FILE, LINES_SUFFIXES, deck_paths
from kb.decks.nodes import DeckFileError
from kb.decks.reading import bounded_lines
from kb.errors import KbError
from kb.frozen import frozen

PARQUET_SUFFIXES = (".parquet", ".pq")
DECK_COLUMN, ID_COLUMN = "deck", "id"


class ArchiveError(KbError, ValueError):
    """An archive cannot be read, or its verdicts cannot be written; the message is written for users."""


@frozen
class ArchiveRow:
    """One row of an archive: its number (of a line, a table row or a file in a folder, from 1) and the text of the
    deck in it.

    `name` is the name for messages. `id` is the id that the archive gives the deck in a separate column. If the text is
    longer than a deck file may be, `raw` is its beginning.
    """

    number: int
    raw: bytes
    name: str
    id: str = ""


def read_archive(name: str, column: str | None = DECK_COLUMN) -> Iterator[ArchiveRow]:
    """Yield the rows of a file (format by suffix), of a folder, or of standard input (`-`).

    `column` is the column of a Parquet file that contains the deck; None: the columns are the deck's keys. Raises
    ArchiveError.
    """
    try:
        if name.endswith(PARQUET_SUFFIXES):
            yield from _parquet_rows(name, column)
        elif name == "-" or name.endswith(LINES_SUFFIXES):
            with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
                for number, line in enumerate(bounded_lines(file), 1):
                    if line.strip():
                        yield ArchiveRow(number, line, f"{name}:{number}")
        elif Path(name).is_dir():
            files = [path for path in deck_paths(name) if not path.endswith(LINES_SUFFIXES)]
            for number, path in enumerate(files, 1):
                with Path(path).open("rb") as file:
                    yield ArchiveRow(number, file.read(LARGEST_FILE + 1), path)
        else:
            raise ArchiveError(
                f"{name} is not an archive of decks. Give a .jsonl file (one deck a line), a .parquet file, a folder of deck "
                "files, or - for standard input. `kb deck check` takes single files."
            )
    except ArchiveError:
        raise
    except DeckFileError as error:
        raise ArchiveError(str(error)) from None
    except (OSError, ValueError) as error:  # pyarrow raises one of them for a damaged file
        errno = getattr(error, "errno", None)
        reason = os.strerror(errno) if errno else " ".join(str(error).split())[:200].rstrip(".")
        raise ArchiveError(f"{getattr(error, 'filename', None) or name} cannot be read: {reason}.") from None


def parquet() -> tuple[Any, Any]:
    """Return the modules `pyarrow` and `pyarrow.parquet`. Raises ArchiveError if pyarrow is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ArchiveError("Parquet files need pyarrow: pip install 'cardlore-kb[many]'.") from None
    return pyarrow, pyarrow.parquet


def _parquet_rows(name: str, column: str | None) -> Iterator[ArchiveRow]:
    """Yield the decks of a column, which are texts or records (without their empty fields). The column `id` has their
    ids.
    """
    number = 0
    with parquet()[1].ParquetFile(name) as file:
        names = file.schema_arrow.names
        if column and column not in names:
            raise ArchiveError(f"{name}: there is no column {column!r}; --column names one of {', '.join(names)}.")
        for batch in file.iter_batches(1000):
            with warnings.catch_warnings(action="ignore"):  # if a map contains a key twice, the last one counts
                rows = batch.to_pylist(maps_as_pydicts="lossy")
            for cells in rows:
                number += 1
                deck, known = cells[column] if column else cells, cells.get(ID_COLUMN)
                text = (
                    deck
                    if isinstance(deck, str | bytes)
                    else json.dumps(_present(deck), ensure_ascii=False, default=str)
                )
                raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
                yield ArchiveRow(number, raw, f"{name}:{number}", "" if known is None else str(known))


def _present(value: Any) -> Any:
    """Remove the keys whose value is null from a JSON value."""
    if isinstance(value, Mapping):
        return {key: _present(each) for key, each in value.items() if each is not None}
    return [_present(each) for each in value] if isinstance(value, list) else value
