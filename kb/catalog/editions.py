"""What the versions of a document brought: the newest one known, and for each version what is new in it and what it changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from kb.catalog.reader import Catalog, EntryView


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document that entries restate. `called` is its name in citations; `version` and `date` are those that were read."""

    game: str
    id: str
    title: str
    called: str
    version: str | None
    edition: str | None
    date: str | None


@dataclass(slots=True)
class Version:
    """One version of a document: the entries that came with it, and those that it changed, each with the wording before."""

    version: str
    new: list[EntryView] = field(default_factory=list)
    changed: list[tuple[EntryView, str]] = field(default_factory=list)


@dataclass(slots=True)
class Changes:
    """What is known of a document's versions, newest first. `undated` are changes of a version that is not known."""

    document: DocumentView
    versions: list[Version] = field(default_factory=list)
    undated: list[tuple[EntryView, str]] = field(default_factory=list)

    def in_version(self, version: str | None) -> Version:
        """What a version brought: nothing, where no entry names it."""
        return next((told for told in self.versions if told.version == version), Version(version or ""))


def documents(catalog: Catalog) -> dict[tuple[str, str], DocumentView]:
    """The documents of all games, by game and id."""
    columns = "game, id, title, short, version, edition, date"
    found = [DocumentView(*row) for row in catalog.rows(f"SELECT {columns} FROM source ORDER BY game, id")]
    return {(document.game, document.id): document for document in found}


def changes(documents: Iterable[DocumentView], entries: Iterable[EntryView]) -> dict[str, Changes]:
    """By game: what the versions of its versioned document (a FAQ) brought. Games whose entries tell of none are left out.

    An entry is new in the version that `source.since` names; `history` holds what was said before, with the version (`since`)
    that changed it where that is known.
    """
    versioned = {document.game: document for document in documents if document.version}
    found: dict[str, dict[str, Version]] = defaultdict(dict)
    undated: dict[str, list[tuple[EntryView, str]]] = defaultdict(list)

    def version_of(game: str, version: str) -> Version:
        return found[game].setdefault(version, Version(version))

    for entry in entries:
        if entry.game not in versioned:
            continue
        if since := entry.data.get("source", {}).get("since"):
            version_of(entry.game, since).new.append(entry)
        for item in entry.listed("history"):
            if item.get("since"):
                version_of(entry.game, item["since"]).changed.append((entry, item["text"]))
            else:
                undated[entry.game].append((entry, item["text"]))
    return {
        game: Changes(versioned[game], sorted(told.values(), key=_newest_first), undated[game])
        for game, told in found.items()
    }


def _newest_first(version: Version) -> tuple[float, str]:
    """1.41 stands between 1.4 and 1.5, as the documents number themselves."""
    whole, _, part = version.version.partition(".")
    known = whole.isdecimal() and (not part or part.isdecimal())
    return (-float(version.version) if known else 0.0, version.version)
