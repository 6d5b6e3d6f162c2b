"""Entries as rows of the catalog's tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from kb.catalog.counterparts import Placed, topic
from kb.sources.entries import LoadedEntry
from kb.sources.validation import without_defaults

IN_COLUMNS = {"title", "kind", "topic", "spoiler", "authority"}
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
