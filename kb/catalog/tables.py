"""The tables of a built catalog over their connection: the same for SQLite and PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kb.catalog.postgres import DatabaseError, without_secrets
from kb.catalog.postgres import connect as connect_postgres

AT_ONCE = 500
"""Rows that are taken from a query at once."""


class Tables:
    """The tables at a database's URL, open for reading; errors of the driver become sentences. Use it as a context manager."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._postgres = not url.startswith("sqlite")
        if self._postgres:
            self._connection: Any = connect_postgres(url)
        else:
            try:
                self._connection = sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True)
            except sqlite3.DatabaseError as error:
                raise self._damaged(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _file(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def rows(self, sql: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query; placeholders are `?`. A text with half of a character, which no database takes, equals none in it."""
        return list(self.each(sql, values))

    def each(self, sql: str, values: Iterable[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query as they are asked for: not all of them are held."""
        given = [
            value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
        ]
        try:
            cursor = self._connection.cursor()
            cursor.execute(sql.replace("?", "%s") if self._postgres else sql, given)
            while found := cursor.fetchmany(AT_ONCE):
                yield from found
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error
        except Exception as error:
            if not self._postgres:
                raise
            said = " ".join(without_secrets(error, self.url).split())
            raise DatabaseError(
                f"The PostgreSQL server of KB_DATABASE_URL failed: {said}. `kb build` writes its tables again."
            ) from None

    def _damaged(self, error: sqlite3.DatabaseError) -> DatabaseError:
        return DatabaseError(f"The catalog in {self._file.parent} is damaged ({error}): `kb build` rebuilds it.")

    def holds(self, hashed: str) -> bool:
        """Whether the database was written from the sources with this hash, and every table still has all its columns and rows."""
        try:
            told = dict(self.rows("SELECT key, value FROM meta"))
            counts = json.loads(told["rows"])
            for table, columns in json.loads(told["columns"]).items():
                listed = ", ".join(f'"{column}"' for column in columns)
                self.rows(f"SELECT {listed} FROM {table} LIMIT 0")
            whole = all(self.rows(f"SELECT count(*) FROM {table}") == [(count,)] for table, count in counts.items())
            return told["hash"] == hashed and whole
        except Exception:  # whatever the driver raises for a missing table: it does not hold them
            return False

    def everything(self, but: Mapping[str, Collection[str]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Every row of every table with the table's name, without the columns `but` names of it."""
        tables = json.loads(dict(self.rows("SELECT key, value FROM meta"))["columns"])
        for table, columns in sorted(tables.items()):
            listed = ", ".join(f'"{column}"' for column in columns if column not in but.get(table, ()))
            for row in self.each(f"SELECT {listed} FROM {table}") if table != "meta" else ():
                yield table, row
