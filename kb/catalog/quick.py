"""Takes in files of entries that changed, appeared or went without reading the rest of the sources again.

These files are read, checked and indexed, and those of the entries for which a link may now lead elsewhere, or say another title. When any
other file has changed, and whenever something is wrong, the answer is None: then all is read, and said.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.catalog.documents import entry_document, sets_of
from kb.catalog.fingerprint import FileState
from kb.catalog.kept import Face, Kept
from kb.files.inside import is_plain_path
from kb.load.cards import CardFacts, CardNames
from kb.load.changes import read_changes
from kb.load.content import ENTRY_SUFFIXES, is_of_entries, read_markdown, read_table
from kb.load.entries import LoadedEntry, LoadedTable, OutlineHeading, SourceFields
from kb.load.problems import Problems
from kb.load.references import Content, Draft, Finisher
from kb.markup import anchors
from kb.search.document import Document

# With more changed files than these a whole build is as quick.
MOST = 100


def changed_files(
    kept: Kept, files: Mapping[str, FileState], touched: Iterable[str], tops: Sequence[Path]
) -> list[str] | None:
    """The files of entries that differ from those of the whole build, are new or gone since, or were read again at the last one (`touched`).

    None when any other file differs, or when they are too many. `tops` are the folders that hold games with entries.
    """
    known, now = kept.files, files
    changed = {path for path in now.keys() & known.keys() if now[path].hash != known[path][-1]}
    changed |= (now.keys() ^ known.keys()) | set(touched)
    lying = all(any(Path(path).is_relative_to(top) for top in tops) for path in changed)
    if len(changed) > MOST or not lying or not all(path in kept.faces or is_new(kept, path, tops) for path in changed):
        return None
    return sorted(changed)


def is_new(kept: Kept, path: str, tops: Sequence[Path]) -> bool:
    """Whether a file that was not there is one of entries, in the folder of a game that had some."""
    top = next((top for top in tops if Path(path).is_relative_to(top)), None)
    if top is None or path in kept.files or not is_of_entries(top, Path(path)):
        return False
    game = top / Path(path).relative_to(top).parts[0]
    folders = (folder for folder in Path(path).parents if folder.is_relative_to(game))
    # The whole build does not look into the first, and says of the second that they are no files.
    odd = any(folder.is_symlink() or folder.suffix in ENTRY_SUFFIXES for folder in folders)
    return not odd and any(other.startswith(os.path.join(game, "")) for other in kept.faces)  # noqa: PTH118


@dataclass(frozen=True, slots=True)
class Changed:
    """What is in files that were read again: their paths, entries and lists of them, and the documents of the entries by id; the id
    prefixes of sets. `others` are the ids of the entries of all other files, `lists` those of all lists."""

    files: list[str]
    entries: list[LoadedEntry]
    tables: list[LoadedTable]
    documents: dict[str, Document]
    sets: set[str]
    others: set[str]
    lists: set[str]


def read_changed(
    kept: Kept, changed: Iterable[str], files: Collection[str], root: Path, tops: Sequence[Path]
) -> Changed | None:
    """What is in changed files, and in those whose entries link to what changed; None when that cannot be told from these files alone.

    `files` are those that there are, `root` is the folder of the sources, `tops` are all folders that hold games with entries.
    """
    problems = Problems(root)
    content = Content(
        headings={
            key: (game, OutlineHeading(key, "", "", "", "", None, position))
            for key, (game, position) in kept.headings.items()
        },
        sources={(game, fields["id"]): SourceFields(**fields) for game, fields in kept.sources},
    )
    reader = Reader(content, tops, problems)
    read = set(changed)
    drafts = reader.drafts(read.intersection(files))
    before = {key: found for path in read for key, found in kept.faces.get(path, {}).items()}
    listed = {table: kept.tables[table] for table in map(reader.id_of, read) if table in kept.tables}
    seen = differing(before, {draft.id: face(draft) for draft in drafts})
    seen |= {table for table, title in table_titles(content).items() ^ listed.items()}
    drafts += reader.drafts(more := linking(kept, seen, drafts) - read)
    read |= more
    names_read = {os.path.splitext(path)[0] for path in read}  # noqa: PTH122 - there are thousands of paths
    if len(read) > MOST or problems.found or any(is_beside(path, names_read) for path in kept.faces.keys() - read):
        return None
    faces = {key: found for path, held in kept.faces.items() if path not in read for key, found in held.items()}
    others = set(faces)
    gone = {reader.id_of(path) for path in read}
    tables = {table: title for table, title in kept.tables.items() if table not in gone} | table_titles(content)
    if not are_names(faces, drafts, tables):
        return None
    faces |= {draft.id: face(draft) for draft in drafts}
    ids = {*faces, *tables}
    for game in {key.split("/")[0] for key in before.keys() - ids} | {key.split("/")[0] for key in listed.keys() - ids}:
        for top in tops:
            read_changes(top / game, ids, problems)
    names = CardNames(
        CardFacts(card, game, in_set, code, name, None, None, None, ())
        for card, game, in_set, code, name, own in kept.cards
        if not own
    )
    card_names, sets = {card[0]: card[4] for card in kept.cards if not card[5]}, sets_of(content)
    titles = {**tables, **{key: title for key, (title, _parts, _old) in faces.items()}}
    parts = {key: set(found) for key, (_title, found, _old) in faces.items()}
    finisher = Finisher(root / "content", content, titles, parts, names, problems)
    entries = [finisher.entry(draft) for draft in drafts]
    documents = {entry.id: entry_document(entry, card_names, sets) for entry in entries}
    return (
        None if problems.found else Changed(sorted(read), entries, content.tables, documents, sets, others, set(tables))
    )


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files of entries into `content`; `tops` are the folders that hold games with entries."""

    content: Content
    tops: Sequence[Path]
    problems: Problems

    def drafts(self, files: Iterable[str]) -> list[Draft]:
        """The entries of some files."""
        found: list[Draft] = []
        for path in map(Path, sorted(files)):
            top = self.top_of(path)
            is_page = path.suffix == ".md"
            found += (
                read_markdown(top, path, self.problems)
                if is_page
                else read_table(top, path, self.content, self.problems)
            )
        return found

    def id_of(self, path: str) -> str:
        """The id that a file's place makes."""
        return Path(path).relative_to(self.top_of(Path(path))).with_suffix("").as_posix()

    def top_of(self, path: Path) -> Path:
        """The folder of games that a file lies in."""
        return next(top for top in self.tops if path.is_relative_to(top))


def is_beside(path: str, names: Collection[str]) -> bool:
    """Whether a file has one of these paths but for its suffix: two lists can have one id."""
    return os.path.splitext(path)[0] in names  # noqa: PTH122


def differing(before: Mapping[str, Face], after: Mapping[str, Face]) -> set[str]:
    """The entries of which a link can tell that they changed: those that are new or gone (then their list as well), and those that have
    another title or other named parts."""
    come = before.keys() ^ after.keys()
    changed = {key for key in before.keys() & after.keys() if before[key][:2] != after[key][:2]}
    return changed | come | {key.rpartition("/")[0] for key in come}


def linking(kept: Kept, seen: Collection[str], drafts: Iterable[Draft]) -> set[str]:
    """The files whose entries name one of the entries `seen`, or may: a link is looked for in the folders above, from the nearest on, so
    a new entry takes the links to one further away whose id ends as its own does."""
    known = {key for held in kept.faces.values() for key in held}
    ends = {key.rpartition("/")[2] for key in {*seen, *(draft.id for draft in drafts)} - known - kept.tables.keys()}

    def concerns(entry: str) -> bool:
        named = kept.links.get(entry, [])
        return any(key in seen or key.rpartition("/")[2] in ends for key in (entry, *named))

    return {path for path, held in kept.faces.items() if any(map(concerns, held))} if seen or ends else set()


def are_names(faces: Mapping[str, Face], drafts: Sequence[Draft], tables: Mapping[str, str]) -> bool:
    """Whether all ids differ, and old ones from those of today: the whole build says which do not."""
    ids = [*faces, *(draft.id for draft in drafts), *tables]
    held = [*faces.values(), *map(face, drafts)]
    old = [name for _title, _parts, listed in held for name in set(listed)]
    return (
        len({key.casefold() for key in ids}) == len(ids)
        and len(set(old) - set(ids)) == len(old)
        and all(is_plain_path(name) and "/" in name for name in old)
    )


def table_titles(content: Content) -> dict[str, str]:
    """The titles of lists by their ids."""
    return {table.id: table.title for table in content.tables}


def face(draft: Draft) -> Face:
    """What other entries can know of an entry."""
    return [draft.fields.title, sorted(set(anchors(draft.body))), draft.fields.formerly]
