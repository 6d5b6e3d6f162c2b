"""Pages of the rules: contents of a shelf, chapters, entries, lists, topics; all rulings, errata and taboos of a game in tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from kb.authority import LABELS
from kb.catalog.reader import EntryView
from kb.registry import about
from kb.site.changes import write_changes
from kb.site.chapters import Chapter, chapters_of
from kb.site.checker.page import tools_of
from kb.site.editions import Opening, newest, openings, rules_by
from kb.site.library import Library, Shelf
from kb.site.pages import Page, Writer
from kb.site.places import Place, places_of
from kb.site.tables import Filter, SiteTable, TableColumn, values
from kb.site.topics import sets_word, title_of_changes, write_topics


def write_rules(writer: Writer) -> None:
    """Write every page of the rules."""
    library = writer.library
    for game in library.games:
        shelves = [shelf for shelf in library.shelves.values() if shelf.game == game]
        several, own = any(shelf.set for shelf in shelves), any(shelf.id == game for shelf in shelves)
        for shelf in shelves:
            write_shelf(writer, shelf)
        common = chapters_of(library, game) if several and not own else []
        for chapter in common:
            write_chapter(writer, chapter, None)
        write_changes(writer, game)
        if several:
            write_topics(writer, game)
        if several and not own:
            write_game(writer, game, shelves, common)
    write_lists(writer)
    write_gathered(writer)


def write_shelf(writer: Writer, shelf: Shelf) -> None:
    """Write the pages of a shelf: contents, chapters and entries."""
    chapters = chapters_of(writer.library, shelf.id)
    for chapter in chapters:
        write_chapter(writer, chapter, shelf)
    writer.write(
        Page(
            f"{shelf.id}/index",
            shelf.title,
            "shelf.md.j2",
            f"All rules of {shelf.title} in the order of its rulebook, in our own words.",
            shelf.id,
            layout="front",
            context={
                "shelf": shelf,
                "chapters": chapters,
                "places": looked_up(writer.library, shelf),
                "opens": opens_of(writer.library, shelf),
                "tools": tools_of(writer.library, shelf.game),
                "by_edition": rules_by(writer.library, shelf),
            },
        )
    )


def looked_up(library: Library, shelf: Shelf) -> list[Place]:
    """Return the places to look things up besides the rules of a shelf: cards, tables, changes."""
    found = places_of(library, shelf)
    changed = [place for place in found if place[0].startswith((f"{shelf.game}/changes/", f"{shelf.game}/news/"))]
    rules = sum(key.startswith(f"{shelf.game}/") for key in library.topics) if shelf.id == shelf.game else 0
    compared = (
        [(f"{shelf.game}/topics/index", title_of_changes(shelf.game), f"{rules} rules side by side")] if rules else []
    )
    return [*(each for each in found if each not in changed), *gathered_places(library, shelf), *compared, *changed]


def opens_of(library: Library, shelf: Shelf) -> list[Opening]:
    """Return the entry points of a shelf: all of them for a game, its own for one of its sets or editions."""
    tools = {path: address for path, address, _words in tools_of(library, shelf.game)}
    return [
        opening
        for opening in openings(library, shelf.game, tools)
        if shelf.id == shelf.game or library.shelf_of(opening.entry) == shelf.id
    ]


def write_chapter(writer: Writer, chapter: Chapter, shelf: Shelf | None) -> None:
    """Write the page of a chapter, and those of its entries."""
    library = writer.library
    game = chapter.shelf.split("/")[0]
    where = shelf.title if shelf else library.games[game]
    writer.write(
        Page(
            chapter.path,
            chapter.title,
            "chapter.md.j2",
            f"{chapter.title}: {len(chapter.entries)} entries of {where}.",
            chapter.path,
            where=where,
            context={"chapter": chapter},
        )
    )
    pages = [entry for entry in chapter.entries if entry.list_id is None]
    for number, entry in enumerate(pages):
        before = pages[number - 1] if number else None
        after = pages[number + 1] if number + 1 < len(pages) else None
        write_entry(writer, entry, chapter, where, before, after)


def write_entry(
    writer: Writer, entry: EntryView, chapter: Chapter, where: str, before: EntryView | None, after: EntryView | None
) -> None:
    """Write the page of one entry, unless a character's page shows it."""
    if writer.has(entry.id):
        return
    writer.write(
        Page(
            entry.id,
            writer.titled(entry.id),
            "entry.md.j2",
            nav=chapter.path,
            layout="sheet" if entry.kind == "reference" else "entry",
            where=where,
            entry=entry.id,
            before=before.id if before else "",
            after=after.id if after else "",
            context=lambda: {"entry": entry, **around(writer, entry)},
        )
    )


def around(writer: Writer, entry: EntryView) -> dict[str, Any]:
    """Return the content next to an entry's text: rulings, related entries, cards, its topic, the checks that cite it."""
    library = writer.library
    rulings = library.rulings_on(entry)
    official = {ruling.id for ruling in rulings}
    see = [library.entries[item] for item in entry.listed("see") if item in library.entries and item not in official]
    bears_on = [
        other
        for heading in entry.listed("about")
        for other in library.covering.get(heading, ())
        if other.id != entry.id
    ]
    topic = f"{entry.game}/{entry.topic}" if entry.topic else ""
    shown = official | {other.id for other in see} | {other.id for other in bears_on}
    return {
        "rulings": rulings,
        "see": see,
        "same": [other for other in library.sharing(entry) if other.id not in shown],
        "bears_on": list({other.id: other for other in bears_on}.values()),
        "cards": list(
            dict.fromkeys(writer.addresses.original(card) for card in entry.listed("cards") if card in library.cards)
        ),
        "word": sets_word(entry.game),
        "topic": entry.topic if topic in library.topics else None,
        "others": [other for other in library.topics.get(topic, ()) if other.id != entry.id],
        "checks": library.checks.get(entry.id, []),
        "tool": filled_in(library, entry),
        "newest": newest(entry.game),
    }


def filled_in(library: Library, entry: EntryView) -> str:
    """Return the address of the tool that fills in the sheet in an entry; empty if it is not a sheet, or the site has
    no such tool.
    """
    description = about(entry.game)
    page = description.sheets.get(entry.id) if description else None
    return next((address for path, address, _words in tools_of(library, entry.game) if path == page), "")


def write_lists(writer: Writer) -> None:
    """Write a page for each YAML list; its rows are sections."""
    library = writer.library
    rows: dict[str, list[EntryView]] = defaultdict(list)
    for entry in library.entries.values():
        if entry.list_id:
            rows[entry.list_id].append(entry)
    for list_id, (_game, title, intro) in library.tables.items():
        shelf = library.shelf_of(list_id)
        listed = sorted(rows[list_id], key=lambda entry: (entry.position, entry.title))
        writer.write(
            Page(
                list_id,
                title,
                "list.md.j2",
                intro or f"{title}: {len(listed)} entries.",
                shelf,
                context={
                    "list_id": list_id,
                    "title": title,
                    "intro": intro,
                    "rows": [(entry, around(writer, entry)) for entry in listed],
                    "gathered": gathered_address(library, shelf, listed[0].kind) if listed else None,
                },
            )
        )


def write_game(writer: Writer, game: str, shelves: list[Shelf], common: list[Chapter]) -> None:
    """Write the first page of a game that has several shelves."""
    library = writer.library
    writer.write(
        Page(
            f"{game}/index",
            library.games[game],
            "game.md.j2",
            f"Rules, rulings, characters and cards of {library.games[game]}.",
            game,
            layout="front",
            context={
                "game": game,
                "shelves": [(shelf, chapters_of(library, shelf.id), places_of(library, shelf)) for shelf in shelves],
                "common": common,
                "tools": tools_of(library, game),
                "topics": sum(key.startswith(f"{game}/") for key in library.topics),
            },
        )
    )


KINDS = {
    "ruling": ("rulings", "All rulings", "Every ruling, with its answer in one sentence."),
    "erratum": ("errata", "All errata", "Every corrected text, with the change."),
    "taboo": ("taboos", "All taboos", "Every card on the taboo list, with the change."),
    "faq": (
        "questions",
        "All questions and answers",
        "Every question of the official FAQ, with its answer in one sentence.",
    ),
}
FEW = 8
"""The number of entries below which they need no table."""


def gathered(library: Library, shelf: Shelf) -> dict[str, list[EntryView]]:
    """Return the entries of each kind that has a table: those of the shelf, and of its whole game."""
    by_kind = {
        kind: [
            entry
            for entry in library.entries.values()
            if entry.kind == kind and entry.game == shelf.game and library.shelf_of(entry.id) in (shelf.id, shelf.game)
        ]
        for kind in KINDS
    }
    return {kind: listed for kind, listed in by_kind.items() if len(listed) >= FEW}


def gathered_places(library: Library, shelf: Shelf) -> list[Place]:
    """Return addresses of a shelf's tables, in the form of `places_of`."""
    return [
        (f"{shelf.id}/all/{KINDS[kind][0]}", KINDS[kind][1], f"{len(listed):,} in one table")
        for kind, listed in gathered(library, shelf).items()
    ]


def gathered_address(library: Library, shelf_id: str, kind: str) -> str | None:
    """Return the address of the table with all entries of a kind, if a shelf has one."""
    shelf = library.shelves.get(shelf_id)
    return f"{shelf.id}/all/{KINDS[kind][0]}.html" if shelf and kind in gathered(library, shelf) else None


def write_gathered(writer: Writer) -> None:
    """Write the tables of every shelf."""
    for shelf in writer.library.shelves.values():
        for kind, listed in gathered(writer.library, shelf).items():
            write_table(writer, shelf, kind, listed)


def write_table(writer: Writer, shelf: Shelf, kind: str, listed: Sequence[EntryView]) -> None:
    """Write the page with the table of a shelf's entries of one kind."""
    name, title, intro = KINDS[kind]
    writer.write(
        Page(
            f"{shelf.id}/all/{name}", f"{title} of {shelf.title}", "table.md.j2", intro, shelf.id, layout="wide", table=True,
            context=lambda: {
                "title": title,
                "intro": intro,
                "table": entries_table(writer, name, listed),
            },
        )
    )  # fmt: skip


def entries_table(writer: Writer, what: str, entries: Sequence[EntryView]) -> SiteTable:
    """Return entries as rows: title, content in a sentence, the cards they are about, source. The title of a spoiler
    is hidden.
    """
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

    def column_values(column: int) -> list[str]:
        return sorted({str(row[column]) for row in rows if row[column]})

    classes = sorted({name for row in rows for name in row[2]}) if many_words else []
    filters = [
        Filter("class", "Class", 2, values(classes)),
        Filter("source", "Source", at - 1, values(column_values(at - 1))),
        Filter("by", "Who says it", at + 1, [(key, LABELS.get(key, key)) for key in column_values(at + 1)]),
        Filter("campaign", "Campaign", at, values(column_values(at))),
        Filter("standing", "Standing", at + 2, values(column_values(at + 2))),
    ]
    columns = [
        TableColumn("About", "link"),
        TableColumn("Cards", "links", sorts=False),
        *([TableColumn("Class", "words")] if many_words else []),
        TableColumn("What it says", sorts=False),
        TableColumn("Source"),
    ]
    return SiteTable(what, columns, [choice for choice in filters if 1 < len(choice.values) < 40], rows, told=True)


def by_number(title: str) -> list[str | int]:
    """Return the key that sorts titles: 1.2 comes before 1.10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", title.casefold()))]


def classes_of(library: Library, entry: EntryView) -> list[str]:
    """Return the classes of the cards an entry is about, if cards have classes."""
    class_lists = (library.cards[card].get("class") or () for card in entry.listed("cards") if card in library.cards)
    return list(dict.fromkeys(str(name) for listed in class_lists if isinstance(listed, list) for name in listed))


def source_of(entry: EntryView) -> str:
    """Return the document and version that an entry comes from, without its page."""
    return str(entry.citation).split(", ")[0]
