"""Pages of the rules: contents of a volume, chapters, entries, lists, topics, and tables of a game's rulings, errata
and taboos.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from kb.authority import LABELS
from kb.catalog.reader import EntryView
from kb.plural import counted
from kb.registry import about
from kb.site.changes import write_changes
from kb.site.chapters import Chapter, chapters_of
from kb.site.checker.page import tools_of
from kb.site.editions import Opening, current_chapter, newest, openings, rules_by
from kb.site.library import Library, Volume
from kb.site.pages import Page, Writer
from kb.site.places import Place, places_of
from kb.site.tables import Filter, SiteTable, TableColumn, values
from kb.site.topics import sets_word, title_of_changes, write_topics


def write_rules(writer: Writer) -> None:
    """Write every page of the rules of all games."""
    library = writer.library
    for game in library.games:
        volumes = [volume for volume in library.volumes.values() if volume.game == game]
        several, own = any(volume.set for volume in volumes), any(volume.id == game for volume in volumes)
        for volume in volumes:
            write_volume(writer, volume)
        common = chapters_of(library, game) if several and not own else []
        write_chapters(writer, common, None)
        write_changes(writer, game)
        if several:
            write_topics(writer, game)
        if several and not own:
            write_game(writer, game, volumes, common)
    write_lists(writer)
    write_gathered(writer)


def write_volume(writer: Writer, volume: Volume) -> None:
    """Write the pages of a volume (a game or one of its sets): its contents, its chapters and their entries."""
    chapters = chapters_of(writer.library, volume.id)
    write_chapters(writer, chapters, volume)
    writer.write(
        Page(
            f"{volume.id}/index",
            volume.title,
            "volume.md.j2",
            f"All {volume.title} rules in the order of the rulebook, in our own words.",
            volume.id,
            layout="front",
            context={
                "volume": volume,
                "chapters": chapters,
                "places": looked_up(writer.library, volume),
                "opens": opens_of(writer.library, volume),
                "tools": tools_of(writer.library, volume.game),
                "by_edition": rules_by(writer.library, volume),
            },
        )
    )


def looked_up(library: Library, volume: Volume) -> list[Place]:
    """Return the pages where readers look things up, other than the rules: a volume's cards, tables and changes.

    A volume is a game or one of its sets.
    """
    found = places_of(library, volume)
    changed = [place for place in found if place[0].startswith((f"{volume.game}/changes/", f"{volume.game}/news/"))]
    rules = sum(key.startswith(f"{volume.game}/") for key in library.topics) if volume.id == volume.game else 0
    compared = (
        [(f"{volume.game}/topics/index", title_of_changes(volume.game), f"{rules} rules side by side")] if rules else []
    )
    return [*(each for each in found if each not in changed), *gathered_places(library, volume), *compared, *changed]


def opens_of(library: Library, volume: Volume) -> list[Opening]:
    """Return the entry points of a volume (a game or one of its sets). A game has all of its entry points; a set or an
    edition has only those that lead to its entries.
    """
    tools = {path: address for path, address, _words in tools_of(library, volume.game)}
    return [
        opening
        for opening in openings(library, volume.game, tools)
        if volume.id == volume.game or library.volume_of(opening.entry) == volume.id
    ]


def write_chapters(writer: Writer, chapters: Sequence[Chapter], volume: Volume | None) -> None:
    """Write the pages of chapters and of their entries. `volume` is None for chapters that belong to the whole game.

    The pages lead from one to the next in the order of the book: a chapter, its entries, and the next chapter. Entries
    whose address another page has already are left out, because that page (of a character) shows them.
    """
    pages: list[tuple[Chapter, EntryView | None]] = []
    for chapter in chapters:
        written = [entry for entry in chapter.entries if entry.list_id is None and not writer.has(entry.id)]
        pages += [(chapter, entry) for entry in (None, *written)]
    paths = ["", *(entry.id if entry else chapter.path for chapter, entry in pages), ""]
    for number, (chapter, entry) in enumerate(pages):
        where = volume.title if volume else writer.library.games[chapter.volume.split("/")[0]]
        before, after = paths[number], paths[number + 2]
        if entry:
            write_entry(writer, entry, chapter, where, before, after)
        else:
            write_chapter(writer, chapter, where, before, after)


def write_chapter(writer: Writer, chapter: Chapter, where: str, before: str, after: str) -> None:
    """Write the page of a chapter. `where` is the title of its volume or game. `before` and `after` are the paths of
    the previous and the next page.
    """
    writer.write(
        Page(
            chapter.path,
            chapter.title,
            "chapter.md.j2",
            f"{chapter.title}: {counted(len(chapter.entries), 'entry')} of {where}.",
            chapter.path,
            where=where,
            before=before,
            after=after,
            context={"chapter": chapter, "current": current_chapter(writer.library, chapter)},
        )
    )


def write_entry(writer: Writer, entry: EntryView, chapter: Chapter, where: str, before: str, after: str) -> None:
    """Write the page of an entry.

    `where` is the title of the volume or game. `before` and `after` are the paths of the previous and the next page.
    """
    writer.write(
        Page(
            entry.id,
            writer.titled(entry.id),
            "entry.md.j2",
            nav=chapter.path,
            layout="sheet" if entry.kind == "reference" else "entry",
            where=where,
            entry=entry.id,
            before=before,
            after=after,
            context=lambda: {"entry": entry, **around(writer, entry)},
        )
    )


def around(writer: Writer, entry: EntryView) -> dict[str, Any]:
    """Return the template's values for everything around an entry's text: rulings, related entries, cards, the same
    rule in other sets, and the checks that cite the entry.
    """
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
    """Return the address of the tool that fills in the paper sheet described by an entry.

    Empty if the entry describes no sheet, or if the site has no tool for the sheet.
    """
    description = about(entry.game)
    page = description.sheets.get(entry.id) if description else None
    return next((address for path, address, _words in tools_of(library, entry.game) if path == page), "")


def write_lists(writer: Writer) -> None:
    """Write a page for each YAML list. Each row of the list is a section of the page."""
    library = writer.library
    rows: dict[str, list[EntryView]] = defaultdict(list)
    for entry in library.entries.values():
        if entry.list_id:
            rows[entry.list_id].append(entry)
    for list_id, (_game, title, intro) in library.tables.items():
        volume = library.volume_of(list_id)
        listed = sorted(rows[list_id], key=lambda entry: (entry.position, entry.title))
        writer.write(
            Page(
                list_id,
                title,
                "list.md.j2",
                intro or f"{title}: {counted(len(listed), 'entry')}.",
                volume,
                context={
                    "list_id": list_id,
                    "title": title,
                    "intro": intro,
                    "rows": [(entry, around(writer, entry)) for entry in listed],
                    "gathered": gathered_address(library, volume, listed[0].kind) if listed else None,
                },
            )
        )


def write_game(writer: Writer, game: str, volumes: list[Volume], common: list[Chapter]) -> None:
    """Write the front page of a game that has several volumes. `common` are the chapters that belong to no single
    volume.
    """
    library = writer.library
    writer.write(
        Page(
            f"{game}/index",
            library.games[game],
            "game.md.j2",
            f"Rules, rulings, characters and cards for {library.games[game]}.",
            game,
            layout="front",
            context={
                "game": game,
                "volumes": [
                    (volume, chapters_of(library, volume.id), places_of(library, volume)) for volume in volumes
                ],
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
        "Every question in the official FAQ, with its answer in one sentence.",
    ),
}
FEW = 8
"""The smallest number of entries of one kind for which a volume gets a table of that kind."""


def gathered(library: Library, volume: Volume) -> dict[str, list[EntryView]]:
    """Return the entries for each table of a volume (a game or one of its sets), by kind. A table also contains the
    entries that belong to the game as a whole.
    """
    by_kind = {
        kind: [
            entry
            for entry in library.entries.values()
            if entry.kind == kind
            and entry.game == volume.game
            and library.volume_of(entry.id) in (volume.id, volume.game)
        ]
        for kind in KINDS
    }
    return {kind: listed for kind, listed in by_kind.items() if len(listed) >= FEW}


def gathered_places(library: Library, volume: Volume) -> list[Place]:
    """Return the pages of a volume's tables, each with address, title and number of entries (as in `places_of`)."""
    return [
        (f"{volume.id}/all/{KINDS[kind][0]}", KINDS[kind][1], f"{len(listed):,} in one table")
        for kind, listed in gathered(library, volume).items()
    ]


def gathered_address(library: Library, volume_id: str, kind: str) -> str | None:
    """Return the address of a volume's table of the entries of one kind. None if there is no such table."""
    volume = library.volumes.get(volume_id)
    return f"{volume.id}/all/{KINDS[kind][0]}.html" if volume and kind in gathered(library, volume) else None


def write_gathered(writer: Writer) -> None:
    """Write the pages with tables of rulings, errata, taboos and questions for every volume."""
    for volume in writer.library.volumes.values():
        for kind, listed in gathered(writer.library, volume).items():
            write_table(writer, volume, kind, listed)


def write_table(writer: Writer, volume: Volume, kind: str, listed: Sequence[EntryView]) -> None:
    """Write the page with a table of the entries `listed`, which belong to one volume and are of one kind."""
    name, title, intro = KINDS[kind]
    writer.write(
        Page(
            f"{volume.id}/all/{name}",
            f"{title} of {volume.title}",
            "table.md.j2",
            intro,
            volume.id,
            layout="wide",
            table=True,
            context=lambda: {
                "title": title,
                "intro": intro,
                "table": entries_table(writer, name, listed),
            },
        )
    )


def entries_table(writer: Writer, what: str, entries: Sequence[EntryView]) -> SiteTable:
    """Return a table with a row for each entry: title, cards, classes (if any card has some), content in a sentence,
    and source.

    `what` names the rows. The titles of spoilers are hidden.
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
        Filter("by", "Authority", at + 1, [(key, LABELS.get(key, key)) for key in column_values(at + 1)]),
        Filter("campaign", "Campaign", at, values(column_values(at))),
        Filter("standing", "Status", at + 2, values(column_values(at + 2))),
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
    """Return a sort key for titles that compares numbers by value: 1.2 comes before 1.10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", title.casefold()))]


def classes_of(library: Library, entry: EntryView) -> list[str]:
    """Return the classes of the cards that an entry is about, without repetition. Empty if these cards have no classes."""
    class_lists = (library.cards[card].get("class") or () for card in entry.listed("cards") if card in library.cards)
    return list(dict.fromkeys(str(name) for listed in class_lists if isinstance(listed, list) for name in listed))


def source_of(entry: EntryView) -> str:
    """Return the document and version that an entry comes from, without the page number."""
    return str(entry.citation).split(", ")[0]
