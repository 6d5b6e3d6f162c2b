"""Writes loaded sources into the catalog's tables, in bulk and in one transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from operator import itemgetter
from typing import Any

from sqlalchemy import JSON, URL, Connection, Engine, insert, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel, create_engine

from kb.catalog import model
from kb.catalog.entry_rows import RELATIONS, entry_row, once
from kb.catalog.postgres import NO_DRIVER, DatabaseError
from kb.load.cards import LoadedCards
from kb.load.entries import LoadedEntry, OutlineHeading, SourceFields
from kb.load.references import Content

Row = dict[str, Any]
# Rows are made as they are written: of ten times our entries and cards all of them would take 100 MB.
BATCH = 1_000
SQLITE = "sqlite:///"
META = str(model.Meta.__tablename__)


def entries_in(tables: Tables, entries: Sequence[LoadedEntry], sets: Collection[str]) -> None:
    """Put entries into the tables, and what they cover, link to and are called."""
    tables.put(model.Entry, (entry_row(entry, sets) for entry in entries))
    for table, name in ((model.Covers, "covers"), (model.Link, "link"), (model.Alias, "alias")):
        tables.put(table, (row for entry in entries for row in RELATIONS[name](entry)))


def content_in(tables: Tables, content: Content) -> None:
    """Put into the tables what `content` holds, but for the entries: games, documents with their headings, lists, changes, passages."""
    tables.put(model.Game, ({"id": game, "title": title} for game, title in content.games.items()))
    tables.put(
        model.Source,
        (
            {"game": game, **but_for(source, "outline"), "short": source.short or source.title}
            for (game, _), source in content.sources.items()
        ),
    )
    tables.put(
        model.Heading,
        (
            {"game": game, "source": heading.doc, **but_for(heading, "doc")}
            for game, heading in content.headings.values()
        ),
    )
    tables.put(model.EntryList, (asdict(table) for table in content.tables))
    tables.put(
        model.Change,
        (
            {"game": game, "position": position, **asdict(change)}
            for game, changes in content.changes.items()
            for position, change in enumerate(changes)
        ),
    )
    tables.put(
        model.Passage,
        (
            {"id": item.id, "game": item.game, "book": item.book, "title": item.title, "source": item.source, "text": item.text}
            for item in content.passages
        ),
    )  # fmt: skip
    tables.put(
        model.PassageCovers,
        ({"passage": item.id, "heading": heading} for item in content.passages for heading in once(item.covers)),
    )


def but_for(record: SourceFields | OutlineHeading, name: str) -> Row:
    """A record as a row, but for one of its fields."""
    return {key: value for key, value in asdict(record).items() if key != name}


def facts_in(tables: Tables, facts: LoadedCards) -> None:
    """Put cards, characters and the plain records into the tables."""
    tables.put(
        model.Card,
        (
            {
                "id": card.id, "game": card.game, "set": card.set, "code": card.code, "name": card.name, "subtitle": card.subtitle,
                "type": card.type, "number": card.number, "record_kind": card.kind, "record_position": card.position,
            }
            for card in facts.cards
        ),
    )  # fmt: skip
    tables.put(
        model.Character,
        (
            {"id": item.id, "game": item.game, "set": item.set, "name": item.name, "subtitle": item.subtitle}
            for item in facts.characters
        ),
    )
    tables.put(
        model.Record,
        (
            {"game": game, "kind": kind, "position": position, "data": record}
            for game, kinds in facts.records.items()
            for kind, listed in kinds.items()
            for position, record in enumerate(listed.texts)
        ),
    )


def engine_for(url: str) -> Engine:
    """An engine for a server's URL, or for `sqlite:///` with a path: no sign of the path means anything.

    Raises DatabaseError for a URL that cannot be read.
    """
    if url.startswith(SQLITE):
        return create_engine(URL.create("sqlite", database=url.removeprefix(SQLITE)))
    try:
        # An SQL_ASCII server would else hand out bytes.
        return create_engine(url, connect_args={"client_encoding": "utf8"})
    except ModuleNotFoundError:
        raise DatabaseError(NO_DRIVER) from None
    except (ArgumentError, ValueError) as error:
        raise DatabaseError(f"KB_DATABASE_URL cannot be read: {error}") from None


class Tables:
    """The catalog's tables while they are written. Everything in them was validated when it was loaded."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.counts = {table.name: 0 for table in SQLModel.metadata.sorted_tables if table.name != META}

    def put(self, table: type[SQLModel], rows: Iterable[Row]) -> None:
        """Write rows of a table."""
        self.counts[str(table.__tablename__)] += put(self._connection, table, rows)


@contextmanager
def writing(url: str, meta: dict[str, str]) -> Iterator[Tables]:
    """Replace all tables of the database at `url`, in one transaction: readers see the old ones until it ends.

    Raises DatabaseError when the server refuses.
    """
    engine = engine_for(url)
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(7232)"))
            SQLModel.metadata.drop_all(connection)
            made = SQLModel.metadata.sorted_tables
            for table in made:
                connection.execute(CreateTable(table))
            tables = Tables(connection)
            yield tables
            columns = {table.name: [column.name for column in table.columns] for table in made}
            told = {**meta, "rows": json.dumps(tables.counts), "columns": json.dumps(columns)}
            put(connection, model.Meta, [{"key": key, "value": value} for key, value in told.items()])
            # SQLAlchemy holds a table's indexes as a set: sorted, equal sources make equal files.
            for index in sorted(
                (index for table in made for index in table.indexes), key=lambda index: str(index.name)
            ):
                connection.execute(CreateIndex(index))
    except DBAPIError as error:
        server = (
            "The PostgreSQL server of KB_DATABASE_URL" if engine.dialect.name == "postgresql" else "The cache folder"
        )
        raise DatabaseError(f"{server} cannot take the catalog: {str(error.orig or error).strip()}") from None
    finally:
        engine.dispose()


def put(connection: Connection, table: type[SQLModel], rows: Iterable[Row]) -> int:
    """Write the rows of a table; returns how many there are."""
    left, number = iter(rows), 0
    while batch := list(islice(left, BATCH)):
        if connection.dialect.name == "sqlite":
            put_plainly(connection, table, batch)
        else:
            connection.execute(insert(table), batch)
        number += len(batch)
    return number


def put_plainly(connection: Connection, table: type[SQLModel], rows: Sequence[Row]) -> None:
    """Write rows that have the same columns, without SQLAlchemy's looking at each: of tens of thousands that takes longer than writing."""
    columns = SQLModel.metadata.tables[str(table.__tablename__)].columns
    names = list(rows[0])
    values: Iterator[Any] = map(itemgetter(*names), rows)
    if any(isinstance(columns[name].type, JSON) for name in names):
        written = [json.dumps if isinstance(columns[name].type, JSON) else None for name in names]
        values = (
            tuple(write(value) if write else value for write, value in zip(written, row, strict=True)) for row in values
        )
    listed = ", ".join(f'"{name}"' for name in names)
    sql = f"INSERT INTO {table.__tablename__} ({listed}) VALUES ({', '.join('?' * len(names))})"
    connection.exec_driver_sql(sql, list(values))
