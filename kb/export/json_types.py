"""The types of the exported files. Their JSON Schema is made from these types."""

from __future__ import annotations

from typing import Any

from kb.api.showing import Entry
from kb.catalog.reader import PassageView
from kb.frozen import frozen
from kb.shapes import Jsonable, key


@frozen
class Licence(Jsonable):
    """The terms of use for a file."""

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
    """Page of the document."""
    pages: list[int]
    """Pages of the document, if there are several."""
    section: str | None
    """Section of the document, if it has no pages."""
    version: str | None
    """The version of the document that is restated."""
    url: str | None
    """Web address of the document."""


@frozen
class ExportedEntry(Jsonable):
    """An entry as `kb show --json` prints it, with its location in the source and its topic."""

    whole: Entry = key("flat")
    place: DocumentPlace
    """Location of the rule in the source."""
    topic: str | None
    """Topic of the entry. Entries of a game with the same topic state the same rule in several sets."""


@frozen
class EntryFile(Jsonable):
    """The file of one entry."""

    entry: ExportedEntry
    """The entry."""
    licence: Licence = LICENCE
    """The terms of use for the file."""


@frozen
class ExportedCheck(Jsonable):
    """A check of decks."""

    id: str
    """Id of the check, as in findings."""
    ruleset: str
    """The set or game whose ruleset contains it."""
    family: str
    """The kind of rule that the check enforces."""
    summary: str
    """The rule that the check enforces, in a sentence."""
    entries: tuple[str, ...] = key(name="cites")
    """Ids of the entries that state the rule."""


@frozen
class Own(Jsonable):
    """The data that the user has imported and chosen to export."""

    notice: str
    """A notice that the licence of the file does not cover this data."""
    cards: list[dict[str, Any]]
    """The user's own cards: id, game, set (the set or product), number, and all keys of the card's record."""
    copies: dict[str, int]
    """Number of copies that the user owns, by the id of the card."""
    passages: list[PassageView]
    """The sections of the user's rulebooks."""


@frozen
class DocumentView(Jsonable):
    """A published document that entries restate. `version` and `date` belong to the copy that kb's authors read."""

    id: str
    """Id of the document."""
    title: str
    """Title of the document."""
    version: str | None
    """Version of the document."""
    edition: str | None
    """Edition of the document."""
    date: str | None
    """Date of the document."""
    publisher: str | None
    """Publisher of the document."""
    url: str | None
    """Web address of the document."""


@frozen
class GameFile(Jsonable):
    """All data of one game."""

    id: str
    """Id of the game."""
    title: str
    """Title of the game."""
    documents: list[DocumentView]
    """The documents that the entries restate."""
    entries: list[ExportedEntry]
    """The entries in reading order; rulings have authority, date and `superseded_by`."""
    topics: dict[str, list[str]]
    """Ids of the entries that state the same rule in several sets, by topic."""
    checks: list[ExportedCheck]
    """The checks of the game's decks."""
    cards: list[dict[str, Any]]
    """Facts of the game's cards: id, game, set (the set or product), number, and all keys of the card's record."""
    own: Own | None = key("optional", default=None)
    """The data that the user has imported, if the export includes it."""
    licence: Licence = LICENCE
    """The terms of use for the file."""


@frozen
class Counts(Jsonable):
    """The numbers of entries, cards and checks of a game."""

    entries: int
    """Number of entries."""
    cards: int
    """Number of cards."""
    checks: int
    """Number of checks of decks."""


@frozen
class IndexFile(Jsonable):
    """The index of an export: its contents and versions."""

    format: int
    """Number of the file layout; it increases when a key is removed or changes its meaning."""
    version: str
    """The kb version that wrote the export."""
    games: dict[str, Counts]
    """The numbers of entries, cards and checks of each game, by the game's id."""
    files: dict[str, str]
    """SHA-256 of every other file, by the file's path."""
    licence: Licence = LICENCE
    """The terms of use for the file."""


@frozen
class Changed(Jsonable):
    """A changed entry or card."""

    id: str
    """Id of the entry or card."""
    title: str
    """Title of the entry or name of the card."""
    keys: list[str]
    """The keys whose values changed."""


@frozen
class ChangesFile(Jsonable):
    """The changes between two exports."""

    before: str
    """The kb version that wrote the older export."""
    after: str
    """The kb version that wrote the newer export."""
    entries_added: list[Changed]
    """New entries."""
    entries_removed: list[Changed]
    """Removed entries."""
    entries_changed: list[Changed]
    """Entries whose contents differ."""
    cards_added: list[Changed]
    """New cards."""
    cards_removed: list[Changed]
    """Removed cards."""
    cards_changed: list[Changed]
    """Cards whose facts differ."""
    licence: Licence = LICENCE
    """The terms of use for the file."""


SHAPES = {"entry": EntryFile, "game": GameFile, "index": IndexFile, "changes": ChangesFile}
OWN_NOTICE = (
    "From the user's own imports: the licence of this file does not cover it. Publish it only if you are allowed to."
)
