"""Arrange the entries of a volume (a game or one of its sets) in chapters. The chapters are the sections of the
volume's source, in the source's order.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import groupby

from kb.catalog.reader import EntryView, HeadingView
from kb.site.library import Library
from kb.sources.cards import slug

MANY = 40
ROOT_SHARE = 0.4
# Folders that already have an overview page of cards or characters.
TAKEN = ("characters", "cards", "adventures", "investigators", "packs", "traits", "topics")
OTHER = {"ruling": "Rulings", "reference": "Step by step", "faq": "Questions and answers"}
ABOUT = "About these rules"
"""The title of the first chapter. It contains a volume's entry `about`, which describes the source and its gaps."""


@dataclass(slots=True)
class Chapter:
    """A chapter: the entries of one section of a volume.

    `groups` are its parts in order, as pairs of title and entries. An undivided chapter has one group without a title.
    `lettered` is True if the groups are letters of the alphabet.
    """

    volume: str
    title: str
    path: str = ""
    groups: list[tuple[str, list[EntryView]]] = field(default_factory=list)
    lettered: bool = False

    @property
    def entries(self) -> list[EntryView]:
        """All entries of the chapter, in order."""
        return [entry for _title, entries in self.groups for entry in entries]


def chapters_of(library: Library, volume: str) -> list[Chapter]:
    """Return the chapters of a volume, that is, a game or one of its sets.

    If `volume` is a game whose sets are volumes, the chapters contain the entries that belong to none of the sets.
    """
    placed: dict[str, list[tuple[str, EntryView]]] = defaultdict(list)
    entries = list(library.of_volume(volume))
    if not entries:
        return []
    roots = root_sections(library, {heading.source for heading in headings_of(library, entries)})
    paths = {entry.id: section_path(library, entry, roots) for entry in entries}
    heads = Counter(path[0] for path in paths.values())
    parts = {(path[0], path[1]) for path in paths.values() if len(path) > 2}
    for entry in sorted(entries, key=lambda entry: entry.id != f"{volume}/about"):
        path = paths[entry.id]
        # A heading that is alone in its section belongs to the section above.
        title, rest = path[0], path[1:]
        if heads[title] == 1 and (sections := sections_of(library, entry)):
            title, rest = sections[0], []
        if entry.id == f"{volume}/about":
            title, rest = ABOUT, []
        placed[title].append((part_of(title, rest, parts), entry))
    chapters = [
        Chapter(volume, title, groups=grouped(led(listed)), lettered=too_long(listed))
        for title, listed in placed.items()
    ]
    folders = Counter(folder for chapter in chapters if (folder := main_folder(chapter)))
    for chapter in chapters:
        folder = main_folder(chapter)
        own = folder if folder and folders[folder] == 1 and not folder.endswith(TAKEN) else None
        chapter.path = f"{own}/index" if own else f"{volume}/contents/{slug(chapter.title)}"
    return chapters


def part_of(chapter: str, rest: list[str], parts: set[tuple[str, str]]) -> str:
    """Return the name of the part of a chapter that an entry belongs to. Empty if it belongs to none.

    `rest` is the entry's path of sections below the chapter. `parts` are pairs of chapter and part. An overview belongs
    to the part with its name: "Boon Cards (Weapon, Spell ...)" opens the part "Boon Cards".
    """
    if len(rest) > 1:
        return rest[0]
    names = {rest[0], rest[0].split(" (")[0]} if rest else set()
    return next((name for name in names if (chapter, name) in parts), "")


def headings_of(library: Library, entries: list[EntryView]) -> list[HeadingView]:
    """Return the first heading that each entry covers, in the order of `entries`. Entries that cover no heading are
    skipped.
    """
    return [
        library.headings[entry.covers[0]] for entry in entries if entry.covers and entry.covers[0] in library.headings
    ]


def root_sections(library: Library, sources: set[str]) -> set[str]:
    """Return the sections that need no separate level, such as "Rulebook" or "Rules".

    These sections are at the top of the path of sections, are not headings themselves, and contain most of the book.
    """
    headings = [heading for heading in library.headings.values() if heading.source in sources]
    titles = {heading.title for heading in headings}
    first = Counter(heading.section.split(" > ")[0] for heading in headings)
    alone = Counter(heading.section for heading in headings)
    return {
        name
        for name, number in first.items()
        if name not in titles and (alone[name] == number or number > ROOT_SHARE * len(headings))
    }


def sections_of(library: Library, entry: EntryView) -> list[str]:
    """Return the path to the first heading that an entry covers: its sections, then the heading's title. Empty if the
    entry covers no heading.
    """
    heading = library.headings.get(entry.covers[0]) if entry.covers else None
    return [*heading.section.split(" > "), heading.title] if heading else []


def section_path(library: Library, entry: EntryView, roots: set[str]) -> list[str]:
    """Return the path of sections to an entry's first heading. A section in `roots` is left out.

    An entry that covers no heading has the path of the first entry that it names.
    """
    own = entry
    if (
        not entry.covers and entry.kind not in OTHER
    ):  # the entry belongs in the chapter of the first entry that it names
        related = (library.entries.get(each) for each in entry.listed("see"))
        own = next((each for each in related if each and each.covers and each.game == entry.game), entry)
    path = sections_of(library, own) or [OTHER.get(entry.kind, "More")]
    heading = library.headings.get(own.covers[0]) if own.covers else None
    sections = library.sections[heading.game, heading.source] if heading else ()
    divided = len(path) > 2 or (len(path) == 2 and path[1] in sections)
    return path[1:] if path[0] in roots and divided else path


def too_long(listed: list[tuple[str, EntryView]]) -> bool:
    """Return True if a chapter has too many undivided entries to read through."""
    return sum(not group for group, _entry in listed) > 2 * MANY


def led(listed: list[tuple[str, EntryView]]) -> list[tuple[str, EntryView]]:
    """Sort the entries that cover the same heading, or no heading, in the order that an overview names them.

    The overview is the entry that names most of the others under `see`. The overview comes first. Entries without an
    overview keep their order.
    """
    found: list[tuple[str, EntryView]] = []
    for _heading, same in groupby(listed, lambda pair: (pair[1].covers[:1], pair[1].kind == "ruling")):
        run = list(same)
        ids = {entry.id for _group, entry in run}
        overview = max((entry for _group, entry in run), key=lambda entry: len(ids.intersection(entry.listed("see"))))
        steps = [overview.id, *overview.listed("see")]
        if overview.kind != "ruling" and len(ids.intersection(steps)) > 2:
            run.sort(key=lambda pair: steps.index(pair[1].id) if pair[1].id in steps else len(steps))
        found += run
    return found


def grouped(listed: list[tuple[str, EntryView]]) -> list[tuple[str, list[EntryView]]]:
    """Group the entries of a chapter by subsection. Subsections with only one entry get no group.

    A long list with few subsections is grouped by first letter instead. `listed` are pairs of subsection and entry.
    """
    if too_long(listed):
        letters: dict[str, list[EntryView]] = defaultdict(list)
        for _group, entry in sorted(listed, key=lambda pair: sort_key(pair[1].title)):
            letters[initial(entry.title)].append(entry)
        return list(letters.items())
    sizes = Counter(group for group, _entry in listed)
    groups: dict[str, list[EntryView]] = {}
    for group, entry in listed:
        groups.setdefault(group if sizes[group] > 1 else "", []).append(entry)
    return list(groups.items())


def main_folder(chapter: Chapter) -> str | None:
    """Return the folder that contains at least four fifths of a chapter's entries. None if there is none, or if it is
    the volume's own folder.
    """
    folders = Counter(entry.id.rsplit("/", 1)[0] for entry in chapter.entries)
    folder, number = folders.most_common(1)[0]
    return folder if number >= 0.8 * len(chapter.entries) and folder != chapter.volume else None


def sort_key(title: str) -> str:
    """Return a sort key for titles that ignores capitals, accents and punctuation, as a dictionary does."""
    folded = unicodedata.normalize("NFKD", title).casefold()
    return re.sub(r"[^a-z0-9 ]", "", folded)


def initial(title: str) -> str:
    """Return the capital letter that an index lists a title under, or `#` for a title that does not begin with a
    letter.
    """
    key = sort_key(title).strip()
    return key[0].upper() if key and key[0].isalpha() else "#"
