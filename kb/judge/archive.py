"""Reads an archive of decks, one after the other: JSON Lines, Parquet or a folder of deck files."""

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
    """An archive cannot be read, or its verdicts cannot be written; the message is a sentence."""


@frozen
class Row:
    """One place of an archive: its number (a line, a row of a table, a file of a folder; from 1) and the text of the deck in it.

    name: what messages call it. id: what the archive calls the deck, beside the text. Of a text that is longer than a deck file
    may be, `raw` is the beginning.
    """

    number: int
    raw: bytes
    name: str
    id: str = ""


def read_archive(name: str, column: str | None = DECK_COLUMN) -> Iterator[Row]:
    """The rows of a file by its suffix, of a folder or of standard input (`-`).

    column: which one of a Parquet file holds the deck; None: they are its keys.

    Raises ArchiveError.
    """
    try:
        if name.endswith(PARQUET_SUFFIXES):
            yield from _parquet_rows(name, column)
        elif name == "-" or name.endswith(LINES_SUFFIXES):
            with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
                for number, line in enumerate(bounded_lines(file), 1):
                    if line.strip():
                        yield Row(number, line, f"{name}:{number}")
        elif Path(name).is_dir():
            files = [path for path in deck_paths(name) if not path.endswith(LINES_SUFFIXES)]
            for number, path in enumerate(files, 1):
                with Path(path).open("rb") as file:
                    yield Row(number, file.read(LARGEST_FILE + 1), path)
        else:
            raise ArchiveError(
                f"{name} is not an archive of decks. Give a .jsonl file (one deck a line), a .parquet file, a folder of deck "
                "files, or - for standard input. `kb deck check` takes single files."
            )
    except ArchiveError:
        raise
    except DeckFileError as error:
        raise ArchiveError(str(error)) from None
    except (OSError, ValueError) as error:  # what pyarrow says of a damaged file is one of them
        errno = getattr(error, "errno", None)
        reason = os.strerror(errno) if errno else " ".join(str(error).split())[:200].rstrip(".")
        raise ArchiveError(f"{getattr(error, 'filename', None) or name} cannot be read: {reason}.") from None


def parquet() -> tuple[Any, Any]:
    """The library pyarrow and its part for Parquet. Raises ArchiveError when it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ArchiveError("Parquet files need pyarrow: pip install 'cardlore-kb[many]'.") from None
    return pyarrow, pyarrow.parquet


def _parquet_rows(name: str, column: str | None) -> Iterator[Row]:
    """The decks of a column: texts, or records whose empty fields are left out; `id` is another column."""
    number = 0
    with parquet()[1].ParquetFile(name) as file:
        names = file.schema_arrow.names
        if column and column not in names:
            raise ArchiveError(f"{name}: there is no column {column!r}; --column names one of {', '.join(names)}.")
        for batch in file.iter_batches(1000):
            with warnings.catch_warnings(action="ignore"):  # of a key that a map holds twice the last one counts
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
                yield Row(number, raw, f"{name}:{number}", "" if known is None else str(known))


def _present(value: Any) -> Any:
    """Leave out the keys of a JSON value that hold null."""
    if isinstance(value, Mapping):
        return {key: _present(each) for key, each in value.items() if each is not None}
    return [_present(each) for each in value] if isinstance(value, list) else value
