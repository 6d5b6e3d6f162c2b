"""Arranges the entries of a volume in chapters: the sections of its source, in the source's order."""

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
# Folders with a page of cards or characters as overview.
TAKEN = ("characters", "cards", "adventures", "investigators", "packs", "traits", "topics")
OTHER = {"ruling": "Rulings", "reference": "Step by step", "faq": "Questions and answers"}
ABOUT = "About these rules"
"""The title of the first chapter, for a volume's entry `about`, which describes the source and its gaps."""


@dataclass(slots=True)
class Chapter:
    """Entries of a section. `groups` are its parts in order (an undivided chapter has one, without a title)."""

    volume: str
    title: str
    path: str = ""
    groups: list[tuple[str, list[EntryView]]] = field(default_factory=list)
    lettered: bool = False

    @property
    def entries(self) -> list[EntryView]:
        """Return all entries of the chapter, in order."""
        return [entry for _title, entries in self.groups for entry in entries]


def chapters_of(library: Library, volume: str) -> list[Chapter]:
    """Return the chapters of a volume (or of the entries of a game that belong to none of its volumes)."""
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
        # A single heading belongs to the book as a whole.
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
    """Return the part of a chapter that an entry belongs to, by the path `rest` below the chapter; empty if it belongs
    to none.

    An overview belongs to the part with its name: "Boon Cards (Weapon, Spell ...)" opens the part "Boon Cards".
    """
    if len(rest) > 1:
        return rest[0]
    names = {rest[0], rest[0].split(" (")[0]} if rest else set()
    return next((name for name in names if (chapter, name) in parts), "")


def headings_of(library: Library, entries: list[EntryView]) -> list[HeadingView]:
    """Return the first heading that each entry covers, in the order of the entries, without entries that cover none."""
    return [
        library.headings[entry.covers[0]] for entry in entries if entry.covers and entry.covers[0] in library.headings
    ]


def root_sections(library: Library, sources: set[str]) -> set[str]:
    """Return names at the top of section paths that are not headings and contain most of the book ("Rulebook",
    "Rules"), so that they need no level.
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
    """Return the sections above the first heading that an entry covers; none without one."""
    heading = library.headings.get(entry.covers[0]) if entry.covers else None
    return [*heading.section.split(" > "), heading.title] if heading else []


def section_path(library: Library, entry: EntryView, roots: set[str]) -> list[str]:
    """Return the path of sections down to an entry's first heading, without a root that needs no level."""
    own = entry
    if not entry.covers and entry.kind not in OTHER:  # it belongs in the chapter of the first entry that it names
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
    """Return `listed` with the entries of one heading, or of none, in the order in which an overview among them names them under `see`.

    The overview is the one of them that names most of the others, and comes first. Without one they stay as they are.
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
    """Group entries by subsections with at least two entries, or by letter in a long list with few such subsections."""
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
    """Return the folder below a volume that contains four fifths of a chapter's entries; None if there is none."""
    folders = Counter(entry.id.rsplit("/", 1)[0] for entry in chapter.entries)
    folder, number = folders.most_common(1)[0]
    return folder if number >= 0.8 * len(chapter.entries) and folder != chapter.volume else None


def sort_key(title: str) -> str:
    """Return a key that sorts titles as a dictionary does, ignoring capitals, accents and punctuation."""
    folded = unicodedata.normalize("NFKD", title).casefold()
    return re.sub(r"[^a-z0-9 ]", "", folded)


def initial(title: str) -> str:
    """Return the capital letter under which an index lists a title; `#` if it begins with another character."""
    key = sort_key(title).strip()
    return key[0].upper() if key and key[0].isalpha() else "#"
