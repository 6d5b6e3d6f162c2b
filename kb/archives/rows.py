"""Where the decks of an archive come from, one after the other: JSON Lines, deck files, Parquet, a database query."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kb.decks.bundles import bounded_lines
from kb.decks.deckfile import LARGEST_FILE, LINES_SUFFIXES, deck_paths
from kb.decks.nodes import DeckFileError
from kb.errors import KbError

PARQUET_SUFFIXES = (".parquet", ".pq")
DECK_COLUMN, ID_COLUMN = "deck", "id"


class ArchiveError(KbError, ValueError):
    """An archive cannot be read, or its verdicts cannot be written; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """One place of an archive: its number (a line, a row of a table, a file of a folder; from 1), the text of the deck in it.

    `raw` is longer than a deck file may be where the archive holds more: the beginning, by which that is known. `id` is what the
    archive calls the deck, beside the text. `name` is what messages call it.
    """

    number: int
    raw: bytes
    name: str
    id: str = ""


class Source(Protocol):
    """An archive that can be read from its beginning."""

    def told(self) -> dict[str, str]:
        """What it is, in words that are the same in the next run."""

    def share(self) -> float:
        """How much of it has been read, 0 to 1; 0 as long as nobody knows."""

    def rows(self) -> Iterator[Row]:
        """Its rows in their order. Raises ArchiveError."""


class Lines:
    """A file of JSON Lines, or standard input (`-`)."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._read = 0
        try:
            self._size = 0 if name == "-" else Path(name).stat().st_size
        except (OSError, ValueError) as error:
            raise cannot_read(name, error) from None

    def told(self) -> dict[str, str]:
        """The same for all files of lines: what is in them is compared instead."""
        return {"kind": "lines"}

    def share(self) -> float:
        """By bytes."""
        return min(1.0, self._read / self._size) if self._size else 0.0

    def rows(self) -> Iterator[Row]:
        """Each line that is not empty."""
        try:
            if self._name == "-":
                yield from self._rows(bounded_lines(sys.stdin.buffer))
            else:
                with Path(self._name).open("rb") as file:
                    yield from self._rows(bounded_lines(file))
        except OSError as error:
            raise cannot_read(self._name, error) from None

    def _rows(self, lines: Iterable[bytes]) -> Iterator[Row]:
        for number, line in enumerate(lines, 1):
            self._read += len(line)
            if line.strip():
                yield Row(number, line, f"{self._name}:{number}")


class Files:
    """The deck files of a folder and below, each a row."""

    def __init__(self, folder: str) -> None:
        try:
            self._paths = [path for path in deck_paths([folder]) if not path.endswith(LINES_SUFFIXES)]
        except DeckFileError as error:
            raise ArchiveError(str(error)) from None
        self._done = 0

    def told(self) -> dict[str, str]:
        """That they are files."""
        return {"kind": "files"}

    def share(self) -> float:
        """By files."""
        return self._done / len(self._paths) if self._paths else 0.0

    def rows(self) -> Iterator[Row]:
        """The files in the order of their names; one that cannot be read stops the run."""
        for number, path in enumerate(self._paths, 1):
            self._done = number
            try:
                with Path(path).open("rb") as file:
                    raw = file.read(LARGEST_FILE + 1)
            except OSError as error:
                raise cannot_read(path, error) from None
            yield Row(number, raw, path)


def row_of_cells(number: int, cells: Mapping[str, Any], column: str | None, name: str) -> Row:
    """A row of a table: the deck stands in the column that is named, else in one called `deck`, else it is the row itself.

    A cell of text that holds JSON counts as what it holds; empty cells as absent. Raises ArchiveError when there is no such column.
    """
    if column is not None and column not in cells:
        raise ArchiveError(f"{name}: there is no column {column!r}; there are {', '.join(map(str, cells))}.")
    holder = column or (DECK_COLUMN if DECK_COLUMN in cells else None)
    value: Any = cells[holder] if holder else {key: _opened(cell) for key, cell in cells.items()}
    found = cells.get(ID_COLUMN)
    known = "" if found is None else str(found)
    if isinstance(value, str | bytes):
        raw = value.encode("utf-8", "backslashreplace") if isinstance(value, str) else bytes(value)
        return Row(number, raw, name, known)
    text = json.dumps(_plain(value), ensure_ascii=False, default=str)
    return Row(number, text.encode("utf-8", "backslashreplace"), name, known)


def _opened(cell: Any) -> Any:
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
