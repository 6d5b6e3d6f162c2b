"""Takes in entries that were changed without reading the rest of the sources again.

When files of entries changed, and nothing that others know of them, those files alone
are read, checked and indexed. In every other case, and whenever something is wrong, the answer is None: then all is read, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.catalog.documents import entry_document, sets_of
from kb.catalog.fingerprint import FileState
from kb.catalog.kept import Face, Kept
from kb.load.cards import CardFacts, CardNames, LoadedCards
from kb.load.content import read_markdown, read_table
from kb.load.entries import LoadedEntry, LoadedTable, OutlineHeading, SourceFields
from kb.load.problems import Problems
from kb.load.references import Content, Draft, Finisher
from kb.markup import anchors
from kb.search.document import Document

# With more changed files than these a whole build is as quick.
MOST = 100


def kept_of(
    version: str,
    hashed: str,
    seen: int,
    files: Mapping[str, FileState],
    content: Content,
    facts: LoadedCards,
    root: Path,
) -> Kept:
    """What is to be kept of loaded sources."""
    faces: dict[str, dict[str, Face]] = {}
    for entry in content.entries:
        held = faces.setdefault(str(root / entry.path), {})
        held[entry.id] = [entry.fields.title, sorted(content.anchors.get(entry.id, ())), entry.fields.formerly]
    return Kept(
        version, hashed, seen, {path: list(state) for path, state in files.items()}, faces,
        {key: [game, heading.position] for key, (game, heading) in content.headings.items()},
        [[game, source.model_dump(exclude_defaults=True)] for (game, _id), source in content.sources.items()],
        [[card.id, card.game, card.set, card.code, card.name] for card in facts.cards],
        {table.id: table.title for table in content.tables},
    )  # fmt: skip


def changed_files(kept: Kept, files: Mapping[str, FileState], touched: Iterable[str]) -> list[str] | None:
    """The files of entries that differ from those of the whole build, or did so already at the last one (`touched`).

    None when any other file differs, appeared or has gone, or when they are too many.
    """
    if files.keys() != kept.files.keys():
        return None
    changed = {path for path, state in files.items() if state.hash != kept.files[path][-1]} | set(touched)
    return sorted(changed) if changed <= kept.faces.keys() and len(changed) <= MOST else None


@dataclass(frozen=True, slots=True)
class Changed:
    """What is in changed files: entries and lists of them, the documents of the entries by id, the id prefixes of sets."""

    entries: list[LoadedEntry]
    tables: list[LoadedTable]
    documents: dict[str, Document]
    sets: set[str]


def read_changed(kept: Kept, changed: Iterable[str], root: Path, tops: Iterable[Path]) -> Changed | None:
    """What is in changed files; None when that cannot be told from these files alone.

    `root` is the folder of the sources, `tops` are all folders that hold games with entries.
    """
    problems = Problems(root)
    content = Content(
        headings={
            key: (game, OutlineHeading.model_construct(position=position))
            for key, (game, position) in kept.headings.items()
        },
        sources={(game, fields["id"]): SourceFields.model_construct(**fields) for game, fields in kept.sources},
    )
    drafts: list[Draft] = []
    for path in map(Path, changed):
        top = next((top for top in tops if path.is_relative_to(top)), None)
        if top is None:
            return None
        read = read_markdown(top, path, problems) if path.suffix == ".md" else read_table(top, path, content, problems)
        if {draft.id: face(draft) for draft in read} != kept.faces[str(path)]:
            return None
        drafts += read
    if any(kept.tables.get(table.id) != table.title for table in content.tables) or problems.found:
        return None
    titles = dict(kept.tables)
    named: dict[str, set[str]] = {}
    for faces in kept.faces.values():
        for key, (title, parts, _old) in faces.items():
            titles[key], named[key] = title, set(parts)
    cards = [
        CardFacts(card, game, in_set, code, name, None, None, None, ()) for card, game, in_set, code, name in kept.cards
    ]
    names, card_names, sets = CardNames(cards), {card.id: card.name for card in cards}, sets_of(content)
    finisher = Finisher(root / "content", content, titles, named, names, problems)
    entries = [finisher.entry(draft) for draft in drafts]
    found = {entry.id: entry_document(entry, card_names, sets) for entry in entries}
    return None if problems.found else Changed(entries, content.tables, found, sets)


def face(draft: Draft) -> Face:
    """What other entries can know of an entry."""
    return [draft.fields.title, sorted(set(anchors(draft.body))), draft.fields.formerly]
