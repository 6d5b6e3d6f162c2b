"""What the versions of a game's documents brought: the newest one known, and for each version what is new in it and what it changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.catalog.reader import Catalog, EntryView
from kb.registry.editions import editions_of


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

    document: DocumentView
    version: str
    new: list[EntryView] = field(default_factory=list)
    changed: list[tuple[EntryView, str]] = field(default_factory=list)


@dataclass(slots=True)
class Changes:
    """What is known of the versions of a game's documents, newest first: where one took the place of another, its versions follow that
    one's. `document` is the newest; `undated` are changes of a version that is not known."""

    document: DocumentView
    versions: list[Version] = field(default_factory=list)
    undated: list[tuple[EntryView, str]] = field(default_factory=list)

    def newest(self) -> Version:
        """What the newest version brought: nothing, where no entry names it."""
        document = self.document
        there = (told for told in self.versions if (told.document, told.version) == (document, document.version))
        return next(there, Version(document, document.version or ""))


def documents(catalog: Catalog) -> dict[tuple[str, str], DocumentView]:
    """The documents of all games, by game and id."""
    columns = "game, id, title, short, version, edition, date"
    found = [DocumentView(*row) for row in catalog.rows(f"SELECT {columns} FROM source ORDER BY game, id")]
    return {(document.game, document.id): document for document in found}


def changes(documents: Iterable[DocumentView], entries: Iterable[EntryView]) -> dict[str, Changes]:
    """By game: what the versions of its documents (a FAQ, and what took its place) brought. Games whose entries tell of none are left out.

    An entry is new in the version that `source.since` names; `history` holds what was said before, with the version (`since`)
    that changed it where that is known. Both are versions of the entry's own document, or of that of its edition which has versions.
    """
    versioned: dict[str, dict[str, DocumentView]] = defaultdict(dict)
    for document in sorted(documents, key=lambda document: document.date or ""):
        if document.version:
            versioned[document.game][document.id] = document
    found: dict[str, dict[tuple[str, str], Version]] = defaultdict(dict)
    undated: dict[str, list[tuple[EntryView, str]]] = defaultdict(list)

    def version_of(entry: EntryView, version: str) -> Version:
        document = _document_of(entry, versioned[entry.game])
        return found[entry.game].setdefault((document.id, version), Version(document, version))

    for entry in entries:
        if entry.game not in versioned:
            continue
        if since := entry.data.get("source", {}).get("since"):
            version_of(entry, since).new.append(entry)
        for item in entry.listed("history"):
            if item.get("since"):
                version_of(entry, item["since"]).changed.append((entry, item["text"]))
            else:
                undated[entry.game].append((entry, item["text"]))
    return {
        game: Changes(
            list(versioned[game].values())[-1], sorted(told.values(), key=_newest_last, reverse=True), undated[game]
        )
        for game, told in found.items()
    }


def all_newer_facts(catalog: Catalog) -> list[str]:
    """What `newer_facts` says of each game."""
    known = documents(catalog).values()
    told = (newer_facts(game, known, catalog.records(game, "pack")) for game in sorted(catalog.games()))
    return [sentence for sentence in told if sentence]


def newer_facts(game: str, documents: Iterable[DocumentView], packs: Iterable[Mapping[str, Any]]) -> str | None:
    """A sentence that the card facts of a game are newer than the newest of its documents, with both dates; None when they are not.

    `packs` are its products, as its records tell of them (`name`, `released`).
    """
    dated = [each for each in documents if each.game == game and each.version and each.date]
    known = max(dated, key=lambda document: document.date or "", default=None)
    last = max(packs, key=lambda pack: str(pack.get("released") or ""), default=None)
    if known is None or known.date is None or last is None:
        return None
    released = str(last.get("released") or "")
    if released[: len(known.date)] <= known.date:
        return None
    return (
        f"The card facts of {game} are newer than the newest document that kb knows: {last['name']} came out on {released}, "
        f"{known.called} v{known.version} on {known.date}. What a later document says is not known here."
    )


def _document_of(entry: EntryView, versioned: dict[str, DocumentView]) -> DocumentView:
    """The document whose versions an entry names: its own, else the one of its edition, else the oldest."""
    own = entry.data.get("source", {}).get("doc")
    edition = next((each.documents for each in editions_of(entry.game) if own in each.documents), ())
    return next((versioned[each] for each in (own, *edition) if each in versioned), next(iter(versioned.values())))


def _newest_last(version: Version) -> tuple[str, float, str]:
    """The newest document last; 1.41 stands between 1.4 and 1.5, as the documents number themselves."""
    whole, _, part = version.version.partition(".")
    known = whole.isdecimal() and (not part or part.isdecimal())
    return (version.document.date or "", float(version.version) if known else 0.0, version.version)
