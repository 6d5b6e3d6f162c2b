"""Makes the whole of a build: reads the sources, and writes them into the catalog's tables and the search index."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, insert, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel, create_engine

from kb.catalog import model
from kb.catalog.counterparts import placed, sets_of
from kb.catalog.current import DATABASE, INDEX
from kb.catalog.documents import card_documents, entry_document, passage_document
from kb.catalog.entry_rows import RELATIONS, entry_row, once
from kb.catalog.postgres import NO_DRIVER, UNREADABLE, DatabaseError, without_secrets
from kb.registry.editions import editions_of
from kb.retrieval.document import Document, Vocabulary
from kb.retrieval.index import write_index
from kb.sources.cards import LoadedCards
from kb.sources.entries import OutlineHeading, SourceFields
from kb.sources.references import Content
from kb.sources.sources import load_sources
from kb.version import __version__

Row = dict[str, Any]
Report = Callable[[str, float], None]
BATCH = 2_000
SQLITE = "sqlite:///"
META = str(model.Meta.__tablename__)


def build(target: Path, root: Path, own: Path | None, hashed: str, url: str | None, report: Report) -> None:
    """Read the sources (those of `root`, and the user's `own`), and write index and tables into the folder `target`.

    `url` is a server for the tables (None: a SQLite file in `target`), which are in use there as soon as they are written; `report` is told
    each step and the share that is done (0 to 1). Raises SourceError and DatabaseError.
    """
    report("reading the sources", 0.0)
    content, facts = load_sources(root, own)
    documents = documents_of(content, facts)
    each = 0.65 / len(documents) if documents else 0.0
    editions = {game: listed for game in content.games if (listed := editions_of(game))}
    vocabulary = Vocabulary(content.synonyms, content.called, editions)
    write_index(target / INDEX, documents, vocabulary, lambda number: report("writing the index", 0.2 + number * each))
    report("writing the catalog", 0.85)
    with writing(url or f"sqlite:///{target / DATABASE}", {"hash": hashed, "version": __version__}) as tables:
        facts_in(tables, facts)
        entries_in(tables, content)
        content_in(tables, content)
    report("done", 1.0)


def documents_of(content: Content, facts: LoadedCards) -> list[Document]:
    """What the search index takes in: cards, entries, and passages of the user's own rulebooks."""
    names, sets, places = {card.id: card.name for card in facts.cards}, sets_of(content), placed(content)
    return [
        *card_documents(facts.cards),
        *(entry_document(entry, names, sets, places.get(entry.id)) for entry in content.entries),
        *map(passage_document, content.passages),
    ]


def entries_in(tables: Tables, content: Content) -> None:
    """Put entries into the tables, and what they cover, link to and are called."""
    entries, sets, places = content.entries, sets_of(content), placed(content)
    tables.put(model.Entry, (entry_row(entry, sets, places) for entry in entries))
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
    except (ArgumentError, ValueError):  # they would quote a piece of it
        raise DatabaseError(UNREADABLE) from None


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
        raise DatabaseError(
            f"{server} cannot take the catalog: {without_secrets(error.orig or error, url).strip()}"
        ) from None
    finally:
        engine.dispose()


def put(connection: Connection, table: type[SQLModel], rows: Iterable[Row]) -> int:
    """Write the rows of a table; returns how many there are."""
    left, number = iter(rows), 0
    while batch := list(islice(left, BATCH)):
        connection.execute(insert(table), batch)
        number += len(batch)
    return number
