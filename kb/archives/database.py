"""Decks out of a database: the rows of one query, which can change nothing there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.archives.rows import ArchiveError, Row, row_of_cells

AT_ONCE = 1000
_READS = re.compile(r"\s*(?:\(\s*)*(?:select|with|values)\b", re.I)
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "sqlite": "sqlite"}


class Query:
    """The rows of a query to SQLite or PostgreSQL, in a transaction that may only read."""

    def __init__(self, address: str, query: str, column: str | None) -> None:
        self._query, self._column = query.strip().rstrip(";"), column
        if not _READS.match(self._query):
            raise ArchiveError("--query must be a query that reads: it begins with `select`, `with` or `values`.")
        kind = address.partition("://")[0].partition("+")[0].casefold()
        if kind not in _DRIVERS:
            raise ArchiveError(f"Decks are read from sqlite:// and postgresql:// databases, not from {kind}://.")
        self._engine = self._sqlite(address) if kind == "sqlite" else self._server(address, _DRIVERS[kind])

    def told(self) -> dict[str, str]:
        """The query; not the address, which may hold a password."""
        return {"kind": "query", "query": self._query, "column": self._column or ""}

    def share(self) -> float:
        """Nobody knows how many rows there will be."""
        return 0.0

    def rows(self) -> Iterator[Row]:
        """Each row of the answer, some of them in memory at a time. Raises ArchiveError."""
        from sqlalchemy import text
        from sqlalchemy.exc import SQLAlchemyError

        number = 0
        try:
            with self._engine.connect() as connection:
                read = connection.execution_options(stream_results=True, yield_per=AT_ONCE)
                # Colons of the query are its own: it takes no parameters.
                for row in read.execute(text(self._query.replace(":", "\\:"))).mappings():
                    number += 1
                    yield row_of_cells(number, dict(row), self._column, f"row {number}")
        except (SQLAlchemyError, sqlite3.Error) as error:
            reason = " ".join(str(getattr(error, "orig", None) or error).split())
            raise ArchiveError(f"The database does not answer the query: {reason[:300].rstrip('.')}.") from None

    @staticmethod
    def _sqlite(address: str) -> Any:
        from sqlalchemy import create_engine

        path = Path(address.partition("://")[2].removeprefix("/"))
        if not path.is_file():
            raise ArchiveError(
                f"There is no database {path}; a path from the root has four strokes: sqlite:////folder/file."
            )

        def connect() -> sqlite3.Connection:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            connection.execute("PRAGMA query_only = ON")
            return connection

        return create_engine("sqlite://", creator=connect)

    @staticmethod
    def _server(address: str, driver: str) -> Any:
        from sqlalchemy import create_engine
        from sqlalchemy.exc import ArgumentError

        try:
            return create_engine(
                f"{driver}://{address.partition('://')[2]}", execution_options={"postgresql_readonly": True}
            )
        except ImportError:
            raise ArchiveError("PostgreSQL needs its driver: pip install 'cardlore-kb[postgres]'.") from None
        except (ArgumentError, ValueError):
            raise ArchiveError(
                "The address of the database cannot be read: postgresql://USER@HOST:PORT/NAME."
            ) from None
