"""Reads the catalog with plain SQL, without a database library that is slow to import."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from kb.catalog.postgres import DatabaseError, failure
from kb.catalog.postgres import connect as connect_postgres
from kb.citation import Citation
from kb.frozen import frozen
from kb.own_records import COPIES
from kb.shapes import Jsonable


@frozen
class EntryView:
    """A complete entry. `body` is Markdown with resolved wiki links. `data` contains the other keys of the front
    matter; lists in it have their original order.
    """

    id: str
    game: str
    kind: str
    title: str
    body: str
    citation: str
    topic: str | None
    spoiler: str | None
    authority: str | None
    list_id: str | None
    position: int
    data: dict[str, Any]

    @property
    def covers(self) -> list[str]:
        """Return the headings that the entry restates."""
        return self.listed("covers")

    def listed(self, key: str) -> list[Any]:
        """Return the list under a key of the front matter, such as `asked`, `aliases`, `see`, `history`, `cards`,
        `about` or `answered_by`. The list is empty if the key is missing.
        """
        return list(self.data.get(key) or [])


@frozen
class PublishedDocument:
    """A published document that entries restate. `called` is its name in citations. `version` and `date` belong to the
    copy that kb's authors read.
    """

    game: str
    id: str
    title: str
    called: str
    version: str | None
    edition: str | None
    date: str | None
    publisher: str | None
    url: str | None


@frozen
class HeadingView:
    """A heading of a source's outline."""

    id: str
    game: str
    source: str
    title: str
    section: str
    position: int


@frozen
class PassageView(Jsonable):
    """A section of a rulebook that the user imported."""

    id: str
    """Id of the passage."""
    game: str
    """Id of the game."""
    book: str
    """Name of the imported rulebook."""
    title: str
    """Heading of the section."""
    source: str
    """Rulebook and page."""
    text: str
    """Text of the section: paragraphs with blank lines between them."""


ENTRY_COLUMNS = "id, game, kind, title, body, citation, topic, spoiler, authority, list_id, position, data"


def entry_view(row: tuple[Any, ...]) -> EntryView:
    """Convert a row of ENTRY_COLUMNS to an entry. PostgreSQL returns the JSON in the row as an object, and SQLite
    returns it as text.
    """
    *plain, data = row
    return EntryView(*(*plain, data if isinstance(data, dict) else json.loads(data)))


def in_order(passage_id: str) -> tuple[str, int]:
    """Return the sort key of a passage: its book, then its number."""
    book, _, number = passage_id.rpartition("/")
    return book, int(number)


def marks(values: Sequence[str]) -> str:
    """Return the placeholders of a query for `values`, such as `?,?`; NULL, which equals nothing, if there are no
    values.
    """
    return ",".join("?" * len(values)) or "NULL"


class Catalog:
    """A catalog, open for reading. `built` is the time when it was built, and `hash` the hash of its sources. Use it as
    a context manager.

    The user's imported data are in a separate catalog (kb.catalog.store); everything that kb publishes uses the public
    one. Errors of the database driver are raised as DatabaseError, with a message for users.
    """

    def __init__(self, url: str, index_folder: Path, built: str, hashed: str) -> None:
        self.url = url
        self.index_folder = index_folder
        self.built = built
        self.hash = hashed
        self._postgres = not url.startswith("sqlite")
        if self._postgres:
            self._connection: Any = connect_postgres(url)
        else:
            try:
                self._connection = sqlite3.connect(f"{self._file.as_uri()}?mode=ro&immutable=1", uri=True)
            except sqlite3.DatabaseError as error:
                raise self._damaged(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def _file(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def rows(self, sql: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query; placeholders in `sql` are `?`. A value with half of a surrogate pair, which no
        database accepts, matches nothing.
        """
        parameters = [
            value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
        ]
        if self._postgres:
            return self._rows_of_server(sql.replace("?", "%s"), parameters)
        try:
            return list(self._connection.execute(sql, parameters))
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _rows_of_server(self, sql: str, parameters: list[Any], again: bool = True) -> list[tuple[Any, ...]]:
        """Return all rows of a query to PostgreSQL. If the connection is lost and `again` is True, repeat the query
        once over a new connection.
        """
        if self._connection.closed:
            self._connection = connect_postgres(self.url)
        try:
            return list(self._connection.execute(sql, parameters))
        except Exception as error:
            if again and self._connection.closed:
                return self._rows_of_server(sql, parameters, again=False)
            raise failure(error) from None

    def _damaged(self, error: sqlite3.DatabaseError) -> DatabaseError:
        return DatabaseError(
            f"The catalog in {self._file.parent} is damaged ({error}): `kb doctor --rebuild` rebuilds it."
        )

    def holds(self, hashed: str) -> bool:
        """Return True if the database was written from sources with the hash `hashed` and every table is complete."""
        try:
            meta = dict(self.rows("SELECT key, value FROM meta"))
            counts = json.loads(meta["rows"])
            for table, columns in json.loads(meta["columns"]).items():
                listed = ", ".join(f'"{column}"' for column in columns)
                self.rows(f"SELECT {listed} FROM {table} LIMIT 0")
            whole = all(self.rows(f"SELECT count(*) FROM {table}") == [(count,)] for table, count in counts.items())
            return meta["hash"] == hashed and whole
        except Exception:  # any error, such as a missing table, means no
            return False

    def records(self, game: str, kind: str) -> list[dict[str, Any]]:
        """Return the records of one kind in `cards/<game>/`, unchanged. Kinds are `card`, `character`, `deck`,
        `adventure`, `taboo` and others; kinds that begin with `own:` are the user's (kb.own_records).
        """
        rows = self.rows("SELECT data FROM record WHERE game = ? AND kind = ? ORDER BY position", (game, kind))
        return list(json.loads(f"[{','.join(row[0] for row in rows)}]"))

    def citations(self, ids: Iterable[str]) -> dict[str, Citation]:
        """Return citations (title and source) by id, for each entry in `ids` that the catalog contains."""
        wanted = list(dict.fromkeys(ids))
        rows = self.rows(f"SELECT id, title, citation FROM entry WHERE id IN ({marks(wanted)})", wanted)
        return {row[0]: Citation(*row) for row in rows}

    def entry(self, entry_id: str) -> EntryView | None:
        """Return the entry that has, or once had, the id `entry_id`; None if there is none."""
        rows = self.rows(f"SELECT {ENTRY_COLUMNS} FROM entry WHERE id = ?", (entry_id,))
        if not rows:
            moved = self.rows("SELECT entry FROM alias WHERE kind = 'formerly' AND text = ?", (entry_id,))
            return self.entry(moved[0][0]) if moved else None
        return entry_view(rows[0])

    def entries(self, game: str | None = None) -> Iterator[EntryView]:
        """Yield all entries, or the entries of one game, in reading order."""
        where, values = ("WHERE game = ? ", (game,)) if game else ("", ())
        yield from map(
            entry_view, self.rows(f"SELECT {ENTRY_COLUMNS} FROM entry {where}ORDER BY game, position, id", values)
        )

    def card(self, card_id: str) -> dict[str, Any] | None:
        """Return the facts of a card, with its id, set and number; None if there is no card with the id `card_id`."""
        return next((card for card in self.all_cards(card_id)), None)

    def all_cards(
        self, card_id: str | None = None, game: str | None = None, by_id: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Yield cards as dicts: id, game, set (the set or product), number (deck or level), and all keys of the card's
        record, in which set and number mean the same. Without arguments, yield all cards; otherwise only the card with
        the id `card_id`, or the cards of `game`.

        If the user entered copies of a card, the key `owned` is their number. The cards are sorted by game, set, type
        and name, or, with `by_id`, by id.
        """
        where = "WHERE c.id = ?" if card_id is not None else "WHERE c.id <> ?"
        values: tuple[str, ...] = (card_id or "",)
        if game is not None:
            where, values = f"{where} AND c.game = ?", (*values, game)
        by_signs = 'c.id COLLATE "C"' if self._postgres else "c.id"  # as Python sorts texts
        order = by_signs if by_id else 'c.game, c."set", c.type, c.name'
        owned = self._owned()
        rows = self.rows(
            f"""SELECT c.id, c.game, c."set", c.number, r.data FROM card c
            JOIN record r ON r.game = c.game AND r.kind = c.record_kind AND r.position = c.record_position
            {where} ORDER BY {order}""",
            values,
        )
        for identifier, of, within, number, data in rows:
            copies = {"owned": owned[identifier]} if identifier in owned else {}
            yield {"id": identifier, "game": of, **json.loads(data), "set": within, "number": number, **copies}

    def _owned(self) -> dict[str, int]:
        """Return the number of copies that the user owns, by card id, added up over all imported lists."""
        copies: dict[str, int] = {}
        for (text,) in self.rows("SELECT data FROM record WHERE kind = ?", (COPIES,)):
            record = json.loads(text)
            copies[record["card"]] = copies.get(record["card"], 0) + record["copies"]
        return copies

    def passage(self, passage_id: str) -> PassageView | None:
        """Return the passage with the id `passage_id` in the user's own rulebooks; None if there is none."""
        rows = self.rows("SELECT id, game, book, title, source, text FROM passage WHERE id = ?", (passage_id,))
        return PassageView(*rows[0]) if rows else None

    def passages(self) -> list[PassageView]:
        """Return all passages of the user's own rulebooks, in the order of their books."""
        rows = self.rows("SELECT id, game, book, title, source, text FROM passage")
        return sorted((PassageView(*row) for row in rows), key=lambda item: in_order(item.id))

    def linking(self, target: str, kinds: tuple[str, ...] = ("link", "see", "card")) -> list[Citation]:
        """Return the entries that link to `target`, an entry or card, with a link of one of these `kinds`."""
        rows = self.rows(
            "SELECT DISTINCT e.id, e.title, e.citation FROM link l JOIN entry e ON e.id = l.entry "
            f"WHERE l.target = ? AND l.kind IN ({marks(kinds)}) ORDER BY e.id",
            (target, *kinds),
        )
        return [Citation(*row) for row in rows]

    def cards_named_by(self, kind: str) -> frozenset[str]:
        """Return the ids of the cards that entries of one kind name."""
        sql = "SELECT DISTINCT l.target FROM link l JOIN entry e ON e.id = l.entry WHERE l.kind = 'card' AND e.kind = ?"
        return frozenset(str(row[0]) for row in self.rows(sql, (kind,)))

    def listing(self, list_id: str) -> tuple[str, str | None, list[Citation]] | None:
        """Return the title, the introduction and the entries of a list of entries; None if there is no list with the id
        `list_id`.
        """
        lists = self.rows("SELECT title, intro FROM entrylist WHERE id = ?", (list_id,))
        if not lists:
            return None
        rows = self.rows("SELECT id, title, citation FROM entry WHERE list_id = ? ORDER BY position, id", (list_id,))
        return lists[0][0], lists[0][1], [Citation(*row) for row in rows]

    def games(self) -> dict[str, str]:
        """Return the titles of the games by id."""
        return dict(self.rows("SELECT id, title FROM game ORDER BY id"))

    def documents(self) -> dict[tuple[str, str], PublishedDocument]:
        """Return the published documents that entries cite, by pairs of game id and document id."""
        columns = "game, id, title, short, version, edition, date, publisher, url"
        documents = [PublishedDocument(*row) for row in self.rows(f"SELECT {columns} FROM source ORDER BY game, id")]
        return {(document.game, document.id): document for document in documents}

    def headings(self) -> list[HeadingView]:
        """Return the headings in the outlines of all sources, in order."""
        columns = "id, game, source, title, section, position"
        return [
            HeadingView(*row) for row in self.rows(f"SELECT {columns} FROM heading ORDER BY game, source, position")
        ]

    def links(self) -> Iterator[tuple[str, str, str]]:
        """Yield a tuple for every link: the entry that contains it, the entry or card that it leads to, and its kind
        (`link`, `see` or `card`).
        """
        yield from self.rows("SELECT entry, target, kind FROM link ORDER BY entry")

    def lists(self) -> dict[str, tuple[str, str, str | None]]:
        """Return the game, the title and the introduction of each list of entries, by the list's id."""
        return {row[0]: (row[1], row[2], row[3]) for row in self.rows("SELECT id, game, title, intro FROM entrylist")}

    def own_changes(self) -> list[tuple[str, str, str, list[str]]]:
        """Return the changes to our entries as tuples of game, day, text and ids of entries. For each game, the newest
        change comes first.
        """
        rows = self.rows("SELECT game, date, text, entries FROM change ORDER BY game, position")
        return [(row[0], row[1], row[2], row[3] if isinstance(row[3], list) else json.loads(row[3])) for row in rows]

    def kinds(self) -> list[tuple[str, str]]:
        """Return pairs of game and kind for all kinds of records."""
        return [(row[0], row[1]) for row in self.rows("SELECT DISTINCT game, kind FROM record ORDER BY game, kind")]

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the numbers of entries, cards, headings and characters: for each of these tables, a dict of numbers by
        game.
        """
        return {
            table: dict(self.rows(f"SELECT game, count(*) FROM {table} GROUP BY game ORDER BY game"))
            for table in ("entry", "card", "heading", "character")
        }
