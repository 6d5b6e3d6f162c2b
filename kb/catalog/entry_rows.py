"""Entries as rows of the catalog's tables, and rows of entries that changed by themselves put into tables that are there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from kb.catalog.documents import topic
from kb.load.entries import LoadedEntry, LoadedTable
from kb.load.shapes import without_defaults

IN_COLUMNS = {"title", "kind", "topic", "spoiler", "authority"}
COLUMNS = {
    "covers": ("entry", "heading", "about"),
    "link": ("entry", "target", "kind"),
    "alias": ("entry", "text", "kind"),
}


Rows = list[dict[str, Any]]


def covers(entry: LoadedEntry) -> Rows:
    """The rows that tell what an entry covers and bears on."""
    return [
        {"entry": entry.id, "heading": item, "about": about}
        for about, listed in enumerate((entry.fields.covers, entry.fields.about))
        for item in once(listed)
    ]


def links(entry: LoadedEntry) -> Rows:
    """The rows that tell what an entry links to."""
    found = {(link.target, "card" if link.is_card else "see" if link.is_see else "link") for link in entry.links}
    found |= {(card, "card") for card in entry.fields.cards}
    return [{"entry": entry.id, "target": target, "kind": kind} for target, kind in sorted(found)]


def names(entry: LoadedEntry) -> Rows:
    """The rows that tell what an entry is called and asked, and was called before."""
    fields = entry.fields
    return [
        {"entry": entry.id, "text": item, "kind": kind}
        for kind, texts in (("name", fields.aliases), ("asked", questions(entry)), ("formerly", fields.formerly))
        for item in once(texts)
    ]


# By table, the rows of an entry that tell more of it than its own row.
RELATIONS: dict[str, Callable[[LoadedEntry], Rows]] = {"covers": covers, "link": links, "alias": names}


def take_in(
    database: Path,
    entries: Sequence[LoadedEntry],
    others: Collection[str],
    tables: Sequence[LoadedTable],
    lists: Collection[str],
    sets: Collection[str],
    hashed: str,
) -> bool:
    """Put changed `entries` into the tables of a SQLite file, which are then those of the sources with the hash `hashed`: row for row, in
    the order in which a whole build writes them.

    `others` are the ids of all other entries, of which the rows stay; `tables` the lists of entries that were read again, `lists` the ids
    of all lists. False, and nothing is changed, when lists came or went, or when the file does not hold what it should or cannot be written.
    """
    try:
        with closing(sqlite3.connect(database)) as connection:
            held = dict(connection.execute("SELECT id, position FROM entry ORDER BY rowid"))
            listed = {row[0] for row in connection.execute("SELECT id FROM entrylist")}
            if not held.keys() >= set(others) or listed != set(lists):
                return False
            for table in tables:
                told = (table.game, table.title, table.intro, table.id)
                connection.execute("UPDATE entrylist SET game = ?, title = ?, intro = ? WHERE id = ?", told)
            place = {key: (key.split("/")[0], held[key], key) for key in others}
            place |= {entry.id: (entry.game, entry.position, entry.id) for entry in entries}
            order = sorted(place, key=place.__getitem__)
            rows = [{**row, "data": json.dumps(row["data"])} for row in (entry_row(entry, sets) for entry in entries)]
            if order == list(held):
                for row in rows:
                    named = ", ".join(f"{column} = :{column}" for column in row if column != "id")
                    connection.execute(f"UPDATE entry SET {named} WHERE id = :id", row)
            else:
                write_anew(connection, "entry", order, {row["id"]: [row] for row in rows})
            for name, rows_of in RELATIONS.items():
                related = {entry.id: rows_of(entry) for entry in entries}
                if order != list(held) or not all(is_told(connection, name, *each) for each in related.items()):
                    write_anew(connection, name, order, related)
            told_of = dict(connection.execute("SELECT key, value FROM meta"))
            counts = json.loads(told_of["rows"])
            for name in ("entry", *RELATIONS):
                counts[name] = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for key, value in (("hash", hashed), ("rows", json.dumps(counts))):
                connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
            connection.commit()
    except (sqlite3.Error, KeyError, ValueError):
        return False
    return True


def is_told(connection: sqlite3.Connection, table: str, entry: str, rows: Rows) -> bool:
    """Whether a table says of an entry's relations just these rows."""
    columns = COLUMNS[table]
    sql = f"SELECT {', '.join(columns)} FROM {table} WHERE entry = ? ORDER BY rowid"
    return connection.execute(sql, (entry,)).fetchall() == [tuple(row[name] for name in columns) for row in rows]


def write_anew(connection: sqlite3.Connection, table: str, order: Iterable[str], changed: Mapping[str, Rows]) -> None:
    """Write the rows of a table anew, entry by entry in this order: those of `changed` entries, and of all others those that it holds."""
    cursor = connection.execute(f"SELECT * FROM {table} ORDER BY rowid")
    columns = [column[0] for column in cursor.description]
    of = columns.index("id" if table == "entry" else "entry")
    held: dict[str, list[tuple[Any, ...]]] = {}
    for row in cursor:
        held.setdefault(row[of], []).append(row)
    held |= {key: [tuple(row[name] for name in columns) for row in rows] for key, rows in changed.items()}
    connection.execute(f"DELETE FROM {table}")
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", (row for key in order for row in held.get(key, ())))


def once(items: Iterable[str]) -> list[str]:
    """The items without repetitions, in order."""
    return list(dict.fromkeys(items))


def entry_row(entry: LoadedEntry, sets: Collection[str]) -> dict[str, Any]:
    """An entry as a row of its table."""
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
        | (
            {"asked": questions(entry), "answered_by": [number for _, number in entry.answers]} if entry.answers else {}
        ),
        **{key: getattr(entry.fields, key) for key in IN_COLUMNS},
        "topic": topic(entry, sets),
    }


def questions(entry: LoadedEntry) -> list[str]:
    """The questions that an entry answers."""
    return [question for question, _number in entry.answers]
