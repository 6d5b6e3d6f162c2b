"""Builds the catalog: reads the sources, assigns entries to editions, and writes the tables and the search index."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Engine, insert, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlmodel import SQLModel, create_engine

from kb.catalog import tables
from kb.catalog.postgres import NO_DRIVER, UNREADABLE, DatabaseError, without_secrets
from kb.registry.about import Edition
from kb.registry.editions import editions_of
from kb.retrieval.document import OWN_CARD, RULEBOOK, Document, Vocabulary, json_bytes
from kb.retrieval.index import write_index
from kb.retrieval.ranking import standing_of
from kb.sentences import sentences
from kb.sources.cards import CardFacts, LoadedCards
from kb.sources.content import load_sources
from kb.sources.entries import EarlierFields, EntryFields, LoadedEntry
from kb.sources.references import Content
from kb.sources.validation import adapter
from kb.version import __version__

if TYPE_CHECKING:
    from kb.sources.own import LoadedPassage


Row = dict[str, Any]
Rows = dict[type[SQLModel], list[Row]]
Report = Callable[[str, float], None]
SQLITE = "sqlite:///"
IN_COLUMNS = {"title", "kind", "topic", "spoiler", "authority"}
PART = re.compile(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", re.M)


def build(index: Path, url: str, root: Path, own: Path | None, hashed: str, report: Report) -> None:
    """Build the catalog from the sources in `root` and the user's `own` data. Write the search index to the folder
    `index`, and the tables to the database at `url`.

    `url` is `sqlite:///` with a path, or the URL of a server. On a server, the tables are in use as soon as they are
    written. `hashed` is the hash of the sources. `report` is called with the name of each step and the share done (0 to
    1). Raises SourceError if the sources have errors, and DatabaseError if the tables cannot be written.
    """
    report("reading the sources", 0.0)
    content, facts = load_sources(root, own)
    sets, places = sets_of(content), placed(content)
    documents = documents_of(content, facts, sets, places)
    each = 0.65 / len(documents) if documents else 0.0
    editions = {game: listed for game in content.games if (listed := editions_of(game))}
    vocabulary = Vocabulary(content.synonyms, content.called, editions)
    write_index(index, documents, vocabulary, lambda number: report("writing the index", 0.2 + number * each))
    report("writing the catalog", 0.85)
    rows = rows_of(content, facts, sets, places)
    write_tables(url, rows, {"hash": hashed, "version": __version__})
    report("done", 1.0)


def documents_of(
    content: Content, facts: LoadedCards, sets: set[str], places: dict[str, PlacedEntry]
) -> list[Document]:
    """Return the documents of the search index: cards, entries, and passages of the user's own rulebooks. `sets` is the
    result of `sets_of`, and `places` is the result of `placed`.
    """
    names = {card.id: card.name for card in facts.cards}
    return [
        *card_documents(facts.cards),
        *(entry_document(entry, names, sets, places.get(entry.id)) for entry in content.entries),
        *map(passage_document, content.passages),
    ]


def rows_of(content: Content, facts: LoadedCards, sets: set[str], places: dict[str, PlacedEntry]) -> Rows:
    """Return the rows of every table except `meta`. The data were validated when they were loaded. `sets` is the result
    of `sets_of`, and `places` is the result of `placed`.
    """
    entries = content.entries
    return {
        tables.GameRow: [{"id": game, "title": title} for game, title in content.games.items()],
        tables.Source: [
            row(tables.Source, source, game=game, short=source.short or source.title)
            for (game, _), source in content.sources.items()
        ],
        tables.Heading: [
            row(tables.Heading, heading, game=game, source=heading.doc) for game, heading in content.headings.values()
        ],
        tables.EntryRow: [entry_row(entry, sets, places) for entry in entries],
        tables.EntryList: [row(tables.EntryList, table) for table in content.tables],
        tables.ChangeRow: [
            row(tables.ChangeRow, change, game=game, position=position)
            for game, changes in content.changes.items()
            for position, change in enumerate(changes)
        ],
        tables.Covers: [each for entry in entries for each in covers(entry)],
        tables.Link: [each for entry in entries for each in links(entry)],
        tables.Alias: [each for entry in entries for each in names(entry)],
        tables.CardRow: [
            row(tables.CardRow, card, record_kind=card.kind, record_position=card.position) for card in facts.cards
        ],
        tables.CharacterRow: [row(tables.CharacterRow, card) for card in facts.characters],
        tables.RecordRow: [
            {"game": game, "kind": kind, "position": position, "data": json_bytes(record).decode()}
            for game, kinds in facts.records.items()
            for kind, records in kinds.items()
            for position, record in enumerate(records)
        ],
        tables.PassageRow: [row(tables.PassageRow, passage) for passage in content.passages],
        tables.PassageCovers: [
            {"passage": passage.id, "heading": heading}
            for passage in content.passages
            for heading in dict.fromkeys(passage.covers)
        ],
    }


def row(table: type[SQLModel], record: object, **others: object) -> Row:
    """Return a row of `table`: the fields of `record` that have the name of a column, and the values in `others`."""
    return {name: getattr(record, name) for name in table.model_fields if name not in others} | others


def covers(entry: LoadedEntry) -> list[Row]:
    """Return the rows of the table `covers` for an entry: the headings that it restates, and the headings that it is
    about.
    """
    return [
        {"entry": entry.id, "heading": item, "about": about}
        for about, listed in enumerate((entry.fields.covers, entry.fields.about))
        for item in dict.fromkeys(listed)
    ]


def links(entry: LoadedEntry) -> list[Row]:
    """Return the rows of the table `link` for an entry, sorted."""
    pairs = {(link.target, link.kind) for link in entry.links}
    pairs |= {(card, "card") for card in entry.fields.cards}
    return [{"entry": entry.id, "target": target, "kind": kind} for target, kind in sorted(pairs)]


def names(entry: LoadedEntry) -> list[Row]:
    """Return the rows of the table `alias` for an entry: its names, its questions and its former ids."""
    fields = entry.fields
    return [
        {"entry": entry.id, "text": item, "kind": kind}
        for kind, texts in (("name", fields.aliases), ("asked", questions(entry)), ("formerly", fields.formerly))
        for item in dict.fromkeys(texts)
    ]


def entry_row(entry: LoadedEntry, sets: Collection[str], places: dict[str, PlacedEntry]) -> Row:
    """Return an entry as a row of its table. `sets` is the result of `sets_of`, and `places` is the result of `placed`."""
    data = adapter(EntryFields).dump_python(entry.fields, exclude_defaults=True, exclude=IN_COLUMNS)
    if entry.id in places:
        data |= places[entry.id].data(places)
    if entry.answers:
        data |= {"asked": questions(entry), "answered_by": [number for _, number in entry.answers]}
    of_fields = {key: getattr(entry.fields, key) for key in IN_COLUMNS} | {"topic": topic(entry, sets)}
    return row(tables.EntryRow, entry, source=entry.fields.source.doc, list_id=entry.table, data=data, **of_fields)


def questions(entry: LoadedEntry) -> list[str]:
    """Return the questions that an entry answers."""
    return [question for question, _number in entry.answers]


def write_tables(url: str, rows: Rows, meta: dict[str, str]) -> None:
    """Replace all tables of the database at `url` in one transaction. Until it ends, readers see the old tables. `meta`
    contains values for the table `meta`.

    Raises DatabaseError if the database cannot store the tables.
    """
    engine = engine_for(url)
    server = engine.dialect.name == "postgresql"
    columns = {table.name: [column.name for column in table.columns] for table in SQLModel.metadata.sorted_tables}
    counts = {str(table.__tablename__): len(listed) for table, listed in rows.items()}
    metadata = {**meta, "rows": json.dumps(counts), "columns": json.dumps(columns)}
    listed: Rows = {**rows, tables.Meta: [{"key": key, "value": value} for key, value in metadata.items()]}
    try:
        with engine.begin() as connection:
            if server:
                connection.execute(text("SELECT pg_advisory_xact_lock(7232)"))
            SQLModel.metadata.drop_all(connection)
            SQLModel.metadata.create_all(connection)
            for table, each in listed.items():
                if each:
                    connection.execute(insert(table), each)
    except DBAPIError as error:
        who = "The PostgreSQL server of KB_DATABASE_URL" if server else "The cache folder"
        raise DatabaseError(
            f"{who} could not store the catalog: {without_secrets(error.orig or error).strip()}"
        ) from None
    finally:
        engine.dispose()


def engine_for(url: str) -> Engine:
    """Return an SQLAlchemy engine for the URL of a server, or for `sqlite:///` with a path. Characters of the path have
    no special meaning.

    Raises DatabaseError for a URL that cannot be read.
    """
    if url.startswith(SQLITE):
        return create_engine(URL.create("sqlite", database=url.removeprefix(SQLITE)))
    try:
        # Otherwise an SQL_ASCII server would return bytes.
        return create_engine(url, connect_args={"client_encoding": "utf8"})
    except ModuleNotFoundError:
        raise DatabaseError(NO_DRIVER) from None
    except (ArgumentError, ValueError):  # these errors quote a part of the URL
        raise DatabaseError(UNREADABLE) from None


def card_documents(cards: Iterable[CardFacts]) -> Iterator[Document]:
    """Yield the search documents of cards. Identical cards in a folder (reprints) share the document of the first one,
    which has all their codes.
    """
    alike: dict[tuple[str, str, tuple[str, ...]], list[CardFacts]] = {}
    for card in cards:
        alike.setdefault((card.id.rsplit("/", 1)[0], card_title(card), printed(card)), []).append(card)
    for first, *others in alike.values():
        yield card_document(first, [card.code for card in (first, *others) if card.code])


def entry_document(
    entry: LoadedEntry, card_names: dict[str, str], sets: Collection[str], place: PlacedEntry | None = None
) -> Document:
    """Return the search document of an entry. `card_names` contains card names by id, `sets` is the result of
    `sets_of`, and `place` is the entry's place in the editions of its game.
    """
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
    """Return the search document of a passage in the user's own rulebook. Only this machine searches it: see
    `Document.own`.
    """
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
    """Return a card's name with its subtitle."""
    return f"{card.name} ({card.subtitle})" if card.subtitle else card.name


def printed(card: CardFacts) -> tuple[str, ...]:
    """Return the printed words that classify a card, as a sentence in a tuple; empty if there are none."""
    words = [*([card.type] if card.type else []), *card.traits]
    if card.number is not None:
        words.append(f"{card.counts} {card.number}")
    return (f"{', '.join(words)}.".capitalize(),) if words else ()


def card_document(card: CardFacts, codes: Iterable[str]) -> Document:
    """Return the search document of a card with all its codes. The document contains names and the printed words that
    classify the card, but no rules text.
    """
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
        spoiler=card.spoiler,
    )


def prefixes(entry_id: str) -> Iterator[str]:
    """Yield the id prefixes of an entry: `a/b/c` gives `a`, `a/b` and `a/b/c`."""
    parts = entry_id.split("/")
    for length in range(1, len(parts) + 1):
        yield "/".join(parts[:length])


@dataclass(slots=True)
class PlacedEntry:
    """The place of an entry among the editions of its game.

    `age` counts the editions from the newest, which has 0. `counterparts` maps the ids of entries in other editions to
    a sentence on the difference (None: no note); entries of the same topic come first. `stands` is the effect of the
    edition `by` on the entry: kept, changed or dropped. `differs` is the new rule.
    """

    edition: Edition
    age: int
    counterparts: dict[str, str | None] = field(default_factory=dict)
    by: Edition | None = None
    stands: str | None = None
    differs: str | None = None

    def data(self, by_id: dict[str, PlacedEntry]) -> dict[str, Any]:
        """Return the keys that this place adds to an entry's data, without empty values. `by_id` contains the places of
        all entries.
        """
        fields = {
            "edition": self.edition.title,
            "counterparts": [
                {"id": other, "edition": by_id[other].edition.title, "differs": differs}
                for other, differs in self.counterparts.items()
            ],
            "stands": self.stands and self.by and {"edition": self.by.title, "is": self.stands, "says": self.differs},
        }
        return {key: value for key, value in fields.items() if value}


def placed(content: Content) -> dict[str, PlacedEntry]:
    """Return the place of every entry that belongs to an edition of its game, by id."""
    sets, by_id = sets_of(content), dict[str, PlacedEntry]()
    for game in content.games:
        editions = editions_of(game)
        places = {document: PlacedEntry(each, age) for age, each in enumerate(editions) for document in each.documents}
        entries = [each for each in content.entries if each.game == game and each.fields.source.doc in places]
        by_id |= {entry.id: replace(places[entry.fields.source.doc], counterparts={}) for entry in entries}
        by_topic(by_id, entries, sets)
        covering = defaultdict[str, list[str]](list)
        for entry in entries:
            for heading in entry.fields.covers:
                covering[heading].append(entry.id)
        for edition in editions:  # the newest first: its note wins, because an entry that has one is skipped
            by_heading(by_id, edition, content.earlier.get(edition.within, ()), covering)
        for entry in entries:  # a note alone also means a difference
            own = by_id[entry.id]
            if own.stands is None and entry.fields.topic_note and own.age:
                own.by, own.stands, own.differs = editions[0], "changed", entry.fields.topic_note
    return by_id


def by_topic(by_id: dict[str, PlacedEntry], entries: Iterable[LoadedEntry], sets: set[str]) -> None:
    """Make entries of the same topic in different editions counterparts of each other. The newer edition has changed
    the older entry if a note describes a difference; otherwise it has kept it.
    """
    topics = defaultdict[str | None, list[LoadedEntry]](list)
    for entry in entries:
        topics[topic(entry, sets)].append(entry)
    topics.pop(None, None)
    for alike in topics.values():
        for entry in alike:
            own = by_id[entry.id]
            others = [other for other in alike if by_id[other.id].age != own.age]
            own.counterparts = {other.id: entry.fields.topic_note or other.fields.topic_note for other in others}
            later = next((other.id for other in others if by_id[other.id].age < own.age), None)
            if later:
                own.by, own.differs = by_id[later].edition, own.counterparts[later]
                own.stands = "changed" if own.differs else "kept"


def by_heading(
    by_id: dict[str, PlacedEntry], edition: Edition, rows: Sequence[EarlierFields], covering: dict[str, list[str]]
) -> None:
    """Apply the rows of an edition's `earlier.yaml` to the entries that restate their headings. Skip entries whose
    `stands` is already set. `covering` contains the ids of entries by the headings that they restate.
    """
    rows_by_entry = defaultdict[str, list[EarlierFields]](list)
    for row in rows:
        successors = [entry for heading in row.by for entry in covering[heading] if by_id[entry].edition == edition]
        for entry in covering[row.heading]:
            if by_id[entry].stands is None:
                rows_by_entry[entry].append(row)
                for other in successors:
                    by_id[entry].counterparts.setdefault(other, row.says)
                    by_id[other].counterparts.setdefault(entry, row.says)
    for entry, listed in rows_by_entry.items():
        own, ways = by_id[entry], {row.stands for row in listed}
        own.by, own.stands = edition, ways.pop() if len(ways) == 1 else "changed"
        own.differs = next((row.says for row in listed if row.says), None)


def topic(entry: LoadedEntry, sets: Collection[str]) -> str | None:
    """Return the topic that an entry shares with the same rule in other sets or editions. The topic is the key
    `topic:`, or else the id without its set.

    `sets` is the result of `sets_of`. An entry of a game with one set has no default topic.
    """
    if entry.fields.topic:
        return entry.fields.topic
    game, _, rest = entry.id.partition("/")
    folder, _, within = rest.partition("/")
    if within and f"{game}/{folder}" in sets:
        return within
    return rest if game in sets else None


def sets_of(content: Content) -> set[str]:
    """Return the id prefixes of sets and editions. The prefixes are the folders with an outline, in games that have an
    outline below the game's own folder.

    The game itself is included if its folder also has an outline, such as an FAQ next to the document that replaces it.
    """
    folders = {
        f"{game}/{source.outline}".rpartition("/")[0] for (game, _), source in content.sources.items() if source.outline
    }
    several = {folder.partition("/")[0] for folder in folders if "/" in folder}
    return {folder for folder in folders if folder.partition("/")[0] in several}
