"""Which archive an argument names."""

from __future__ import annotations

from pathlib import Path

from kb.archives.database import Query
from kb.archives.parquet import Parquet
from kb.archives.rows import PARQUET_SUFFIXES, ArchiveError, Files, Lines, Source
from kb.decks.deckfile import LINES_SUFFIXES


def source_of(name: str, query: str | None, column: str | None) -> Source:
    """The archive that an argument names: `-`, a file by its suffix, a folder, or the address of a database with a query.

    Raises ArchiveError.
    """
    if "://" in name:
        if not query:
            raise ArchiveError("A database needs --query: which decks to read, such as `select id, deck from decks`.")
        return Query(name, query, column)
    if query:
        raise ArchiveError(f"--query is for a database, and {name} is none (its address would be sqlite:///{name}).")
    if name.endswith(PARQUET_SUFFIXES):
        return Parquet(name, column)
    if column:
        raise ArchiveError("--column is for Parquet files and databases.")
    if name == "-" or name.endswith(LINES_SUFFIXES):
        return Lines(name)
    if Path(name).is_dir():
        return Files(name)
    raise ArchiveError(
        f"{name} is no archive of decks: give a .jsonl file (one deck a line), a .parquet file, a folder of deck files, - for "
        "standard input, or the address of a database. `kb deck check` takes single files."
    )
