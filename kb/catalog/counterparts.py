"""Editions of a game's rules: of which one each entry is, and which entries of the others state its rule or took its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.registry.about import Edition
from kb.registry.editions import editions_of
from kb.sources.entries import EarlierFields, LoadedEntry
from kb.sources.references import Content


@dataclass(slots=True)
class Placed:
    """An entry among the editions. `counterparts` are entries of other editions, those of its topic first, each with the sentence that says
    how the two differ (None: nothing is noted); `stands` says what the edition `by` does with it: kept, changed or dropped, and `differs`
    what it says instead."""

    edition: Edition | None = None
    counterparts: dict[str, str | None] = field(default_factory=dict)
    by: Edition | None = None
    stands: str | None = None
    differs: str | None = None

    def data(self, found: dict[str, Placed]) -> dict[str, Any]:
        """What the tables hold of it, but for what is not there; `found` are all entries."""
        told = {
            "edition": self.edition and self.edition.title,
            "counterparts": [
                {"id": other, "edition": edition.title, "differs": differs}
                for other, differs in self.counterparts.items()
                if (edition := found[other].edition)
            ],
            "stands": self.stands and self.by and {"edition": self.by.title, "is": self.stands, "says": self.differs},
        }
        return {key: value for key, value in told.items() if value}


def placed(content: Content) -> dict[str, Placed]:
    """Every entry of a game with editions that is of one of them, by id."""
    sets, found = sets_of(content), dict[str, Placed]()
    for game in content.games:
        editions = editions_of(game)
        entries = {entry.id: entry for entry in content.entries if editions and entry.game == game}
        of_document = {document: edition for edition in editions for document in edition.documents}
        for entry in entries.values():
            if entry.fields.source.doc in of_document:
                found[entry.id] = Placed(of_document[entry.fields.source.doc])
        by_topic(found, entries.values(), sets)
        covering = defaultdict[str, list[str]](list)
        for entry in entries.values():
            for heading in entry.fields.covers if entry.id in found else ():
                covering[heading].append(entry.id)
        for edition in reversed(editions):  # what the newest says of an entry is said last
            by_heading(found, edition, content.earlier.get(edition.within, ()), covering)
        for entry in entries.values():  # a note alone tells of a difference too
            own = found.get(entry.id)
            if own and own.stands is None and entry.fields.topic_note and own.edition != editions[0]:
                own.by, own.stands, own.differs = editions[0], "changed", entry.fields.topic_note
    return found


def by_topic(found: dict[str, Placed], entries: Iterable[LoadedEntry], sets: set[str]) -> None:
    """Entries of one topic are counterparts; an earlier one stands as it was, unless a note tells of a difference."""
    topics = defaultdict[str, list[LoadedEntry]](list)
    for entry in entries:
        if entry.id in found and (about := topic(entry, sets)):
            topics[about].append(entry)
    for alike in topics.values():
        for entry in alike:
            own = found[entry.id]
            others = [other for other in alike if found[other.id].edition != own.edition]
            noted = {other.id: entry.fields.topic_note or other.fields.topic_note for other in others}
            own.counterparts |= noted
            later = [other for other in others if is_later(found[other.id], own, entry.game)]
            if later:
                own.differs = noted[later[0].id]
                own.by, own.stands = found[later[0].id].edition, "changed" if noted[later[0].id] else "kept"


def is_later(one: Placed, other: Placed, game: str) -> bool:
    """Whether an entry is of a later edition than another one."""
    editions = editions_of(game)
    return (
        one.edition is not None
        and other.edition is not None
        and editions.index(one.edition) < editions.index(other.edition)
    )


def by_heading(
    found: dict[str, Placed], edition: Edition, rows: Sequence[EarlierFields], covering: dict[str, list[str]]
) -> None:
    """What `earlier.yaml` of an edition says of the entries under some headings; what a topic and its notes say counts before it."""
    told = defaultdict[str, list[EarlierFields]](list)
    for row in rows:
        here = [entry for heading in row.by for entry in covering[heading] if found[entry].edition == edition]
        for entry in covering[row.heading]:
            if found[entry].stands is None:
                told[entry].append(row)
                for other in here:
                    found[entry].counterparts.setdefault(other, row.says)
                    found[other].counterparts.setdefault(entry, row.says)
    for entry, listed in told.items():
        own, ways = found[entry], {row.stands for row in listed}
        own.by, own.stands = edition, ways.pop() if len(ways) == 1 else "changed"
        own.differs = next((row.says for row in listed if row.says), None)


def topic(entry: LoadedEntry, sets: Collection[str]) -> str | None:
    """What an entry and its twins of other sets or editions are about: what `topic:` says, else the id without its set.

    sets: as `sets_of` gives them. An entry of a game of one set has no topic of its own accord.
    """
    if entry.fields.topic:
        return entry.fields.topic
    game, _, rest = entry.id.partition("/")
    folder, _, within = rest.partition("/")
    if within and f"{game}/{folder}" in sets:
        return within
    return rest if game in sets else None


def sets_of(content: Content) -> set[str]:
    """The id prefixes of sets and editions: folders with an outline of their own, of games that have one below the game's.

    The game itself is one of them when its own folder holds an outline too (a FAQ beside the document that replaces it).
    """
    folders = {
        f"{game}/{source.outline}".rpartition("/")[0] for (game, _), source in content.sources.items() if source.outline
    }
    several = {folder.partition("/")[0] for folder in folders if "/" in folder}
    return {folder for folder in folders if folder.partition("/")[0] in several}
