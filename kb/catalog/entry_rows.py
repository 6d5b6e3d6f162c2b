"""Entries as rows of the catalog's tables, and rows of entries that changed by themselves put into tables that are there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable
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
    database: Path, entries: Iterable[LoadedEntry], tables: Iterable[LoadedTable], sets: Collection[str], hashed: str
) -> bool:
    """Put changed entries into the tables of a SQLite file, which are then those of the sources with the hash `hashed`.

    False, and nothing is changed, when more than rows of entries would have to change: what they link to, cover or are called, or what
    their list says of itself; or when the file cannot be written.
    """
    try:
        with closing(sqlite3.connect(database)) as connection:
            if not all(is_told(connection, table) for table in tables):
                return False
            if not all(is_related(connection, entry) and update(connection, entry, sets) for entry in entries):
                return False
            connection.execute("UPDATE meta SET value = ? WHERE key = 'hash'", (hashed,))
            connection.commit()
    except sqlite3.Error:
        return False
    return True


def is_told(connection: sqlite3.Connection, table: LoadedTable) -> bool:
    """Whether a list says of itself what the tables say of it."""
    told = connection.execute("SELECT id, game, title, intro FROM entrylist WHERE id = ?", (table.id,)).fetchall()
    return told == [(table.id, table.game, table.title, table.intro)]


def is_related(connection: sqlite3.Connection, entry: LoadedEntry) -> bool:
    """Whether the tables say of an entry's relations what it says."""
    for table, rows_of in RELATIONS.items():
        columns, listed = COLUMNS[table], rows_of(entry)
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE entry = ? ORDER BY rowid"
        if connection.execute(sql, (entry.id,)).fetchall() != [tuple(row[name] for name in columns) for row in listed]:
            return False
    return True


def update(connection: sqlite3.Connection, entry: LoadedEntry, sets: Collection[str]) -> bool:
    """Write an entry's row anew; whether there was one."""
    row = entry_row(entry, sets)
    row["data"] = json.dumps(row["data"])
    named = ", ".join(f"{column} = :{column}" for column in row if column != "id")
    return connection.execute(f"UPDATE entry SET {named} WHERE id = :id", row).rowcount == 1


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
