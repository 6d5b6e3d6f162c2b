"""Reads an archive of decks, one after the other: JSON Lines, a folder of deck files, Parquet, a database query."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.decks.deckfile import LARGEST_FILE, LINES_SUFFIXES, deck_paths
from kb.decks.nodes import DeckFileError
from kb.decks.reading import bounded_lines
from kb.errors import KbError

PARQUET_SUFFIXES = (".parquet", ".pq")
DECK_COLUMN, ID_COLUMN = "deck", "id"
AT_ONCE = 1000
_READS = re.compile(r"\s*(?:\(\s*)*(?:select|with|values)\b", re.I)
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "sqlite": "sqlite"}


class ArchiveError(KbError, ValueError):
    """An archive cannot be read, or its verdicts cannot be written; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """One place of an archive: its number (a line, a row of a table, a file of a folder; from 1) and the text of the deck in it.

    name: what messages call it. id: what the archive calls the deck, beside the text. share: how much of the archive is read
    with it, 0 to 1; 0 when nobody knows. Of a text that is longer than a deck file may be, `raw` is the beginning.
    """

    number: int
    raw: bytes
    name: str
    id: str = ""
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that can be read once. name: what it is called in the next run too. files: those it is read from, `-` for standard input."""

    name: str
    files: list[Path]
    rows: Iterator[Row]


def open_archive(name: str, query: str | None = None, column: str | None = None) -> Archive:
    """The archive that an argument names: `-`, a file by its suffix, a folder, or the address of a database with a query.

    column: the column of a table that holds the deck. Raises ArchiveError.
    """
    if "://" in name:
        if not query:
            raise ArchiveError("A database needs --query: which decks to read, such as `select id, deck from decks`.")
        return _database(name, query.strip().rstrip(";"), column)
    if query:
        raise ArchiveError(f"--query is for a database, and {name} is none (its address would be sqlite:///{name}).")
    path = Path(name)
    if name.endswith(PARQUET_SUFFIXES):
        return Archive(f"{path.absolute()} {column or ''}", [path], _parquet_rows(name, open_parquet(name), column))
    if column:
        raise ArchiveError("--column is for Parquet files and databases.")
    if name == "-":
        return Archive(name, [Path(name)], _lines(name))
    if name.endswith(LINES_SUFFIXES):
        try:
            return Archive(str(path.absolute()), [path], _lines(name, path.stat().st_size))
        except (OSError, ValueError) as error:
            raise cannot_read(name, error) from None
    if path.is_dir():
        try:
            files = [Path(each) for each in deck_paths([name]) if not each.endswith(LINES_SUFFIXES)]
        except DeckFileError as error:
            raise ArchiveError(str(error)) from None
        return Archive(str(path.absolute()), files, _files(files))
    raise ArchiveError(
        f"{name} is no archive of decks: give a .jsonl file (one deck a line), a .parquet file, a folder of deck files, - for "
        "standard input, or the address of a database. `kb deck check` takes single files."
    )


def _lines(name: str, size: int = 0) -> Iterator[Row]:
    """Each line of a file, or of standard input, that is not empty."""
    read = 0
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            for number, line in enumerate(bounded_lines(file), 1):
                read += len(line)
                if line.strip():
                    yield Row(number, line, f"{name}:{number}", share=read / size if size else 0.0)
    except OSError as error:
        raise cannot_read(name, error) from None


def _files(paths: list[Path]) -> Iterator[Row]:
    """Each deck file of a folder; one that cannot be read stops the run."""
    for number, path in enumerate(paths, 1):
        try:
            with path.open("rb") as file:
                raw = file.read(LARGEST_FILE + 1)
        except OSError as error:
            raise cannot_read(str(path), error) from None
        yield Row(number, raw, str(path), share=number / len(paths))


def pyarrow() -> tuple[Any, Any]:
    """The library and its part for Parquet. Raises ArchiveError when it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ArchiveError("Parquet files need pyarrow: pip install 'cardlore-kb[many]'.") from None
    return pyarrow, pyarrow.parquet


def open_parquet(name: str) -> Any:
    """A Parquet file. Raises ArchiveError when there is none."""
    _, parquet = pyarrow()
    try:
        return parquet.ParquetFile(name)
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
        raise _damaged(name, error) from None


def parquet_cells(name: str, file: Any) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file as they stand there, a batch in memory at a time. Raises ArchiveError for a damaged file."""
    try:
        for batch in file.iter_batches(AT_ONCE):
            yield from batch.to_pylist()
    except (OSError, ValueError) as error:
        raise _damaged(name, error) from None


def _parquet_rows(name: str, file: Any, column: str | None) -> Iterator[Row]:
    many = file.metadata.num_rows
    for number, cells in enumerate(parquet_cells(name, file), 1):
        yield row_of_cells(number, cells, column, f"{name}:{number}", number / many)


def _damaged(name: str, error: Exception) -> ArchiveError:
    if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
        return cannot_read(name, OSError(error.errno, os.strerror(error.errno or 0)))
    return ArchiveError(f"{name} is no whole Parquet file: {' '.join(str(error).split())[:200].rstrip('.')}.")


def _database(address: str, query: str, column: str | None) -> Archive:
    """The rows of a query to SQLite or PostgreSQL, in a transaction that may only read. Its name has no address: that may hold a password."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError

    if not _READS.match(query):
        raise ArchiveError("--query must be a query that reads: it begins with `select`, `with` or `values`.")
    kind, _, rest = address.partition("://")
    kind = kind.partition("+")[0].casefold()
    if kind not in _DRIVERS:
        raise ArchiveError(f"Decks are read from sqlite:// and postgresql:// databases, not from {kind}://.")
    name = f"query {query} {column or ''}"
    if kind == "sqlite":
        path = Path(rest.removeprefix("/"))
        if not path.is_file():
            raise ArchiveError(
                f"There is no database {path}; a path from the root has four strokes: sqlite:////folder/file."
            )

        def connect() -> sqlite3.Connection:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            connection.execute("PRAGMA query_only = ON")
            return connection

        return Archive(name, [path], _query_rows(create_engine("sqlite://", creator=connect), query, column))
    try:
        engine = create_engine(f"{_DRIVERS[kind]}://{rest}", execution_options={"postgresql_readonly": True})
    except ImportError:
        raise ArchiveError("PostgreSQL needs its driver: pip install 'cardlore-kb[postgres]'.") from None
    except (ArgumentError, ValueError):
        raise ArchiveError("The address of the database cannot be read: postgresql://USER@HOST:PORT/NAME.") from None
    return Archive(name, [], _query_rows(engine, query, column))


def _query_rows(engine: Any, query: str, column: str | None) -> Iterator[Row]:
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with engine.connect() as connection:
            read = connection.execution_options(stream_results=True, yield_per=AT_ONCE)
            # Colons of the query are its own: it takes no parameters.
            answer = read.execute(text(query.replace(":", "\\:"))).mappings()
            for number, row in enumerate(answer, 1):
                yield row_of_cells(number, dict(row), column, f"row {number}")
    except (SQLAlchemyError, sqlite3.Error) as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise ArchiveError(f"The database does not answer the query: {reason[:300].rstrip('.')}.") from None


def row_of_cells(number: int, cells: Mapping[str, Any], column: str | None, name: str, share: float = 0.0) -> Row:
    """A row of a table: the deck stands in the column that is named, else in one called `deck`, else it is the row itself.

    A cell of text that holds JSON counts as what it holds; empty cells as absent. Raises ArchiveError when there is no such column.
    """
    if column is not None and column not in cells:
        raise ArchiveError(f"{name}: there is no column {column!r}; there are {', '.join(map(str, cells))}.")
    holder = column or (DECK_COLUMN if DECK_COLUMN in cells else None)
    value: Any = cells[holder] if holder else {key: _parsed(cell) for key, cell in cells.items()}
    if not isinstance(value, str | bytes):
        value = json.dumps(_plain(value), ensure_ascii=False, default=str)
    raw = value.encode("utf-8", "backslashreplace") if isinstance(value, str) else value
    known = cells.get(ID_COLUMN)
    return Row(number, raw, name, "" if known is None else str(known), share)


def _parsed(cell: Any) -> Any:
    """What a cell of text holds where that is a JSON object or list."""
    if isinstance(cell, str) and cell[:1] in ("{", "[") and len(cell) <= LARGEST_FILE:
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def _plain(value: Any) -> Any:
    """A value of a table as JSON has it: lists of pairs are mappings, what is null in a mapping is absent."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        if value and all(isinstance(each, tuple) and len(each) == 2 for each in value):
            return _plain(dict(value))
        return [_plain(each) for each in value]
    return value


def cannot_read(name: str, error: Exception) -> ArchiveError:
    """What is said of an archive that the system does not give."""
    return ArchiveError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}.")
