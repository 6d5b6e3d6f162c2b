"""All rulings, all errata, all taboos of a game, each kind in one table to filter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kb.authority import LABELS
from kb.catalog.reader import EntryView
from kb.site.library import Library, Shelf
from kb.site.pages import Page, Writer
from kb.site.places import Place
from kb.site.tables import Column, Filter, Table, values

KINDS = {
    "ruling": ("rulings", "All rulings", "Every ruling, with its answer in a sentence."),
    "erratum": ("errata", "All errata", "Every text that was corrected, with what changes."),
    "taboo": ("taboos", "All taboos", "Every card of the list of taboos, with what changes."),
    "faq": (
        "questions",
        "All questions and answers",
        "Every question of the official FAQ, with its answer in a sentence.",
    ),
}
FEW = 8
"""So few need no table of their own."""


def gathered(library: Library, shelf: Shelf) -> dict[str, list[EntryView]]:
    """The entries of each kind that has a table: those of the shelf, and of its game as a whole."""
    found = {
        kind: [
            entry
            for entry in library.entries.values()
            if entry.kind == kind and entry.game == shelf.game and library.shelf_of(entry.id) in (shelf.id, shelf.game)
        ]
        for kind in KINDS
    }
    return {kind: listed for kind, listed in found.items() if len(listed) >= FEW}


def gathered_places(library: Library, shelf: Shelf) -> list[Place]:
    """Addresses of a shelf's tables, as `places_of` gives those of a game's own pages."""
    return [
        (f"{shelf.id}/all/{KINDS[kind][0]}", KINDS[kind][1], f"{len(listed):,} in one table")
        for kind, listed in gathered(library, shelf).items()
    ]


def gathered_address(library: Library, shelf_id: str, kind: str) -> str | None:
    """Address of the table with all entries of a kind, where a shelf has one."""
    shelf = library.shelves.get(shelf_id)
    return f"{shelf.id}/all/{KINDS[kind][0]}.html" if shelf and kind in gathered(library, shelf) else None


def write_gathered(writer: Writer) -> None:
    """Write the tables of every shelf."""
    for shelf in writer.library.shelves.values():
        for kind, listed in gathered(writer.library, shelf).items():
            write_table(writer, shelf, kind, listed)


def write_table(writer: Writer, shelf: Shelf, kind: str, listed: Sequence[EntryView]) -> None:
    """The table of the entries of one kind."""
    name, title, intro = KINDS[kind]
    writer.write(
        Page(
            f"{shelf.id}/all/{name}", f"{title} of {shelf.title}", "table.md.j2", intro, shelf.game,
            shelf.id.replace("/", "--"), layout="wide", table=True,
            context=lambda: {
                "title": title,
                "intro": intro,
                "crumbs": [(f"{shelf.id}/index.html", shelf.title)],
                "table": entries_table(writer, name, listed),
            },
        )
    )  # fmt: skip


def entries_table(writer: Writer, what: str, entries: Sequence[EntryView]) -> Table:
    """Entries as rows: title, what they say in a sentence, the cards they are about, source. A spoiler keeps its title to itself."""
    library = writer.library
    ordered = sorted(entries, key=lambda entry: by_number(entry.title))
    many_words = {len(classes) for entry in ordered if (classes := classes_of(library, entry))}
    rows: list[list[Any]] = []
    for entry in ordered:
        cards = [card for card in entry.listed("cards") if card in library.cards]
        rows.append([
            [writer.titled(entry.id), writer.addresses.entry(entry.id), *(["", entry.title, entry.spoiler] if entry.spoiler else [])],
            [[writer.card_name(card), writer.addresses.card(card) or ""] for card in dict.fromkeys(map(writer.addresses.original, cards))],
            *([classes_of(library, entry)] if many_words else []),
            writer.described(entry.id),
            source_of(entry),
            entry.spoiler or "",
            entry.authority or "",
            "superseded" if entry.listed("superseded_by") else "in force",
        ])  # fmt: skip
    at = 4 + bool(many_words)

    def found(column: int) -> list[str]:
        return sorted({str(row[column]) for row in rows if row[column]})

    classes = sorted({name for row in rows for name in row[2]}) if many_words else []
    filters = [
        Filter("class", "Class", 2, values(classes)),
        Filter("source", "Source", at - 1, values(found(at - 1))),
        Filter("by", "Who says it", at + 1, [(key, LABELS.get(key, key)) for key in found(at + 1)]),
        Filter("campaign", "Campaign", at, values(found(at))),
        Filter("standing", "Standing", at + 2, values(found(at + 2))),
    ]
    columns = [
        Column("About", "link"),
        Column("Cards", "links", sorts=False),
        *([Column("Class", "words")] if many_words else []),
        Column("What it says", sorts=False),
        Column("Source"),
    ]
    return Table(what, columns, [choice for choice in filters if 1 < len(choice.values) < 40], rows, told=True)


def by_number(title: str) -> list[str | int]:
    """The key by which titles are ordered: 1.2 comes before 1.10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", title.casefold()))]


def classes_of(library: Library, entry: EntryView) -> list[str]:
    """The classes of the cards an entry is about, where cards have classes."""
    found = (library.cards[card].get("class") or () for card in entry.listed("cards") if card in library.cards)
    return list(dict.fromkeys(str(name) for listed in found if isinstance(listed, list) for name in listed))


def source_of(entry: EntryView) -> str:
    """The document and version that an entry comes from, without its page."""
    return str(entry.citation).split(", ")[0]
