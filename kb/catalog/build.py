"""Makes the whole of a build: reads the sources, and writes them into the catalog's tables and the search index."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, insert, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel, create_engine

from kb.catalog import model
from kb.catalog.counterparts import Placed, placed, sets_of, topic
from kb.catalog.current import DATABASE, INDEX
from kb.catalog.postgres import NO_DRIVER, UNREADABLE, DatabaseError, without_secrets
from kb.registry.editions import editions_of
from kb.retrieval.document import OWN_CARD, RULEBOOK, Document, Vocabulary
from kb.retrieval.index import write_index
from kb.retrieval.ranking import standing_of
from kb.sentences import sentences
from kb.sources.cards import CardFacts, LoadedCards
from kb.sources.entries import LoadedEntry, OutlineHeading, SourceFields
from kb.sources.references import Content
from kb.sources.sources import load_sources
from kb.sources.validation import without_defaults
from kb.version import __version__

if TYPE_CHECKING:
    from kb.sources.books import LoadedPassage


Row = dict[str, Any]
Report = Callable[[str, float], None]
BATCH = 2_000
SQLITE = "sqlite:///"
IN_COLUMNS = {"title", "kind", "topic", "spoiler", "authority"}
PART = re.compile(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", re.M)
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


def covers(entry: LoadedEntry) -> list[Row]:
    """The rows that tell what an entry covers and bears on."""
    return [
        {"entry": entry.id, "heading": item, "about": about}
        for about, listed in enumerate((entry.fields.covers, entry.fields.about))
        for item in once(listed)
    ]


def links(entry: LoadedEntry) -> list[Row]:
    """The rows that tell what an entry links to."""
    found = {(link.target, "card" if link.is_card else "see" if link.is_see else "link") for link in entry.links}
    found |= {(card, "card") for card in entry.fields.cards}
    return [{"entry": entry.id, "target": target, "kind": kind} for target, kind in sorted(found)]


def names(entry: LoadedEntry) -> list[Row]:
    """The rows that tell what an entry is called and asked, and was called before."""
    fields = entry.fields
    return [
        {"entry": entry.id, "text": item, "kind": kind}
        for kind, texts in (("name", fields.aliases), ("asked", questions(entry)), ("formerly", fields.formerly))
        for item in once(texts)
    ]


# By table, the rows of an entry that tell more of it than its own row.
RELATIONS: dict[str, Callable[[LoadedEntry], list[Row]]] = {"covers": covers, "link": links, "alias": names}


def once(items: Iterable[str]) -> list[str]:
    """The items without repetitions, in order."""
    return list(dict.fromkeys(items))


def entry_row(entry: LoadedEntry, sets: Collection[str], places: dict[str, Placed]) -> dict[str, Any]:
    """An entry as a row of its table; `places` are the places of entries among the editions of their games."""
    fields = without_defaults(entry.fields)
    return {
        "id": entry.id,
        "game": entry.game,
        "body": entry.body,
        "source": entry.fields.source.doc,
        "citation": entry.citation,
        "path": entry.path,
        "line": entry.line,
        "list_id": entry.table,
        "position": entry.position,
        "data": {key: value for key, value in fields.items() if key not in IN_COLUMNS}
        | (places[entry.id].data(places) if entry.id in places else {})
        | (
            {"asked": questions(entry), "answered_by": [number for _, number in entry.answers]} if entry.answers else {}
        ),
        **{key: getattr(entry.fields, key) for key in IN_COLUMNS},
        "topic": topic(entry, sets),
    }


def questions(entry: LoadedEntry) -> list[str]:
    """The questions that an entry answers."""
    return [question for question, _number in entry.answers]


def card_documents(cards: Iterable[CardFacts]) -> Iterator[Document]:
    """A document for every card; cards of a folder that say the same (reprints) share the first one's, with all their codes."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[CardFacts]] = {}
    for card in cards:
        alike.setdefault((card.id.rsplit("/", 1)[0], card_title(card), printed(card)), []).append(card)
    for first, *others in alike.values():
        yield card_document(first, [card.code for card in (first, *others) if card.code])


def entry_document(
    entry: LoadedEntry, card_names: dict[str, str], sets: Collection[str], place: Placed | None = None
) -> Document:
    """The document of an entry; `place` is its place among the editions of its game."""
    fields, edition = entry.fields, place and place.edition
    return Document(
        id=entry.id,
        game=entry.game,
        kind=fields.kind,
        title=fields.title,
        scopes=tuple(
            dict.fromkeys(
                scope
                for within in (entry.id, *(f"{item}/x" for item in fields.scope))
                for scope in (*prefixes(within), *([edition.within] if edition else []))
            )
        ),
        aliases=tuple(fields.aliases),
        asked=tuple(question for question, _number in entry.answers),
        answered_by=tuple(number for _question, number in entry.answers),
        parts=tuple(PART.findall(entry.body)),
        sentences=tuple(entry.sentences),
        related=tuple(dict.fromkeys(card_names[card] for card in fields.cards if card in card_names)),
        older=tuple(item.text for item in fields.history),
        source=entry.citation,
        covers=tuple(dict.fromkeys([*fields.covers, *fields.about])),
        spoiler=fields.spoiler,
        standing=standing_of(fields.kind, fields.authority, bool(fields.cards), bool(fields.superseded_by)),
        topic=topic(entry, sets),
        differs=fields.topic_note,
        edition=edition.within if edition else None,
        counterparts=place.counterparts if place else {},
    )


def passage_document(passage: LoadedPassage) -> Document:
    """The document of a passage of the user's own rulebook. It is searched on this machine only: see `Document.own`."""
    return Document(
        id=passage.id,
        game=passage.game,
        kind=RULEBOOK,
        title=passage.title,
        scopes=tuple(prefixes(passage.id)),
        sentences=tuple(item.text for item in sentences(passage.text)),
        source=passage.source,
        covers=passage.covers,
        standing=RULEBOOK,
    )


def card_title(card: CardFacts) -> str:
    """A card's name with its subtitle."""
    return f"{card.name} ({card.subtitle})" if card.subtitle else card.name


def printed(card: CardFacts) -> tuple[str, ...]:
    """The printed words that classify a card, as a sentence."""
    words = [*([card.type] if card.type else []), *card.traits]
    if card.number is not None:
        words.append(f"{card.counts} {card.number}")
    return (f"{', '.join(words)}.".capitalize(),) if words else ()


def card_document(card: CardFacts, codes: Iterable[str]) -> Document:
    """The document of a card with all its codes: its names and printed words that classify it, no rules text."""
    return Document(
        id=card.id,
        game=card.game,
        kind="card",
        title=card_title(card),
        aliases=(card.name,) if card.subtitle else (),
        scopes=tuple(prefixes(card.id)),
        sentences=printed(card),
        source=f"your own cards: {card.own}" if card.own else f"{card.set} {card.code}" if card.code else card.set,
        standing=OWN_CARD if card.own else "card",
        codes=tuple(codes),
    )


def prefixes(entry_id: str) -> Iterator[str]:
    """The folders that an id lies in: `a/b/c` gives `a`, `a/b` (and the id itself)."""
    parts = entry_id.split("/")
    for length in range(1, len(parts) + 1):
        yield "/".join(parts[:length])
