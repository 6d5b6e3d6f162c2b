"""The types of the exported files, from which their JSON Schema is made."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from kb.api.showing import Entry
from kb.catalog.reader import DocumentView, PassageView
from kb.frozen import frozen
from kb.jsonable import FLAT, OPTIONAL, Jsonable, called


@frozen
class Licence(Jsonable):
    """The terms on which a file may be used."""

    texts: str
    """SPDX name of the licence of the texts and of the arrangement of the facts."""
    attribution: str
    """The name to give as the source."""
    notice: str
    """Further terms: the games belong to their publishers."""


LICENCE = Licence(
    "CC-BY-4.0",
    "kb, rules reference for adventure card games, and its contributors",
    "Unofficial. Rules are restated in our own words, card data is facts only; games and their names belong to their publishers.",
)


@frozen
class DocumentPlace(Jsonable):
    """The location of a rule in a document."""

    document: str
    """Id of the document."""
    page: int | None
    """Its page."""
    pages: list[int]
    """Its pages, if there are several."""
    section: str | None
    """Its section, if the document has no pages."""
    version: str | None
    """The version of the document that is restated."""
    url: str | None
    """Its address."""


@frozen
class ExportedEntry(Jsonable):
    """An entry as `kb show --json` prints it, with its location in the source and its topic."""

    whole: Entry = field(metadata=FLAT)
    place: DocumentPlace
    """Its location in the source."""
    topic: str | None
    """Entries of a game with the same topic state the same rule in several sets."""


@frozen
class EntryFile(Jsonable):
    """The file of one entry."""

    entry: ExportedEntry
    """The entry."""
    licence: Licence = LICENCE
    """The terms on which the file may be used."""


@frozen
class ExportedCheck(Jsonable):
    """A check of decks."""

    id: str
    """Its id, as findings show it."""
    ruleset: str
    """The set or game whose ruleset contains it."""
    family: str
    """The kind of rule that it checks."""
    summary: str
    """The rule that it checks, in a sentence."""
    entries: tuple[str, ...] = field(metadata=called("cites"))
    """Ids of the entries that state the rule."""


@frozen
class Own(Jsonable):
    """The data that the user has imported and chosen to export."""

    notice: str
    """The notice that the licence of the file does not cover this data."""
    cards: list[dict[str, Any]]
    """Their own cards: id, game, set, number, and all keys of the card's record."""
    copies: dict[str, int]
    """Number of copies they own, by the id of the card."""
    passages: list[PassageView]
    """The sections of their rulebooks."""


@frozen
class GameFile(Jsonable):
    """All data of one game."""

    id: str
    """Id of the game."""
    title: str
    """Its title."""
    documents: list[DocumentView]
    """The documents that its entries restate."""
    entries: list[ExportedEntry]
    """Its entries in reading order; rulings have authority, date and `superseded_by`."""
    topics: dict[str, list[str]]
    """Ids of the entries that state the same rule in several sets, by topic."""
    checks: list[ExportedCheck]
    """The checks of its decks."""
    cards: list[dict[str, Any]]
    """Facts of its cards: id, game, set, number, and all keys of the card's record."""
    own: Own | None = field(default=None, metadata=OPTIONAL)
    """The data that the user has imported, if the export was made with it."""
    licence: Licence = LICENCE
    """The terms on which the file may be used."""


@frozen
class Counts(Jsonable):
    """The numbers of entries, cards and checks of a game."""

    entries: int
    """Entries."""
    cards: int
    """Cards."""
    checks: int
    """Checks of decks."""


@frozen
class IndexFile(Jsonable):
    """The contents of an export."""

    format: int
    """Number of this layout; it increases when a key is removed or changes its meaning."""
    version: str
    """Version of kb that wrote it."""
    games: dict[str, Counts]
    """The numbers of entries, cards and checks of each game, by its id."""
    files: dict[str, str]
    """SHA-256 of every other file, by its path."""
    licence: Licence = LICENCE
    """The terms on which the file may be used."""


@frozen
class Changed(Jsonable):
    """A changed entry or card."""

    id: str
    """Its id."""
    title: str
    """Its title or name."""
    keys: list[str]
    """The keys whose values changed."""


@frozen
class ChangesFile(Jsonable):
    """The changes between two exports."""

    before: str
    """Version of kb that wrote the older export."""
    after: str
    """Version of kb that wrote the newer one."""
    entries_added: list[Changed]
    """New entries."""
    entries_removed: list[Changed]
    """Removed entries."""
    entries_changed: list[Changed]
    """Entries with other contents."""
    cards_added: list[Changed]
    """New cards."""
    cards_removed: list[Changed]
    """Removed cards."""
    cards_changed: list[Changed]
    """Cards with other facts."""
    licence: Licence = LICENCE
    """The terms on which the file may be used."""


SHAPES = {"entry": EntryFile, "game": GameFile, "index": IndexFile, "changes": ChangesFile}
OWN_NOTICE = "From the user's own imports: the licence of this file does not cover it. Publish only what you may."
