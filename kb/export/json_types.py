"""What the exported files hold, in words: their JSON Schema is made from these types."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from kb.api.showing import Entry
from kb.catalog.reader import DocumentView, PassageView
from kb.frozen import frozen
from kb.jsonable import FLAT, OPTIONAL, Jsonable, called


@frozen
class Licence(Jsonable):
    """On what terms a file may be used."""

    texts: str
    """SPDX name of the licence of the texts and of the arrangement of the facts."""
    attribution: str
    """Whom to name."""
    notice: str
    """What else to know: the games belong to their publishers."""


LICENCE = Licence(
    "CC-BY-4.0",
    "kb, rules reference for adventure card games, and its contributors",
    "Unofficial. Rules are restated in our own words, card data is facts only; games and their names belong to their publishers.",
)


@frozen
class Place(Jsonable):
    """Where in a document a rule stands."""

    document: str
    """Id of the document."""
    page: int | None
    """Its page."""
    pages: list[int]
    """Its pages, where it stands on several."""
    section: str | None
    """Its section, where the document has no pages."""
    version: str | None
    """The version of the document that is restated."""
    url: str | None
    """Its address."""


@frozen
class ExportedEntry(Jsonable):
    """An entry as `kb show --json` gives it, with its place in the source and what it is a topic of."""

    whole: Entry = field(metadata=FLAT)
    place: Place
    """Where in the source it stands."""
    topic: str | None
    """Entries of a game with the same topic state the same rule in several sets."""


@frozen
class EntryFile(Jsonable):
    """The file of one entry."""

    entry: ExportedEntry
    """The entry."""
    licence: Licence = LICENCE
    """On what terms it may be used."""


@frozen
class ExportedCheck(Jsonable):
    """A check of decks."""

    id: str
    """Its id, as findings name it."""
    ruleset: str
    """The set or game whose ruleset has it."""
    family: str
    """What kind of rule it holds."""
    summary: str
    """What it asks of a deck."""
    entries: tuple[str, ...] = field(metadata=called("cites"))
    """Ids of the entries that state the rule."""


@frozen
class Own(Jsonable):
    """What the user has imported and asked to be exported."""

    notice: str
    """That the licence of the file does not cover it."""
    cards: list[dict[str, Any]]
    """Their own cards: id, game, set, number, and all keys of the card's record."""
    copies: dict[str, int]
    """How many copies they own, by the id of the card."""
    passages: list[PassageView]
    """The sections of their rulebooks."""


@frozen
class GameFile(Jsonable):
    """Everything of one game."""

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
    """What the user has imported, where the export was asked for it."""
    licence: Licence = LICENCE
    """On what terms it may be used."""


@frozen
class Counts(Jsonable):
    """How much of a game there is."""

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
    """Number of this layout; it grows when a key goes or changes its meaning."""
    version: str
    """Version of kb that wrote it."""
    games: dict[str, Counts]
    """How much there is of each game, by id."""
    files: dict[str, str]
    """SHA-256 of every other file, by its path."""
    licence: Licence = LICENCE
    """On what terms it may be used."""


@frozen
class Changed(Jsonable):
    """What changed in an entry or card."""

    id: str
    """Its id."""
    title: str
    """Its title or name."""
    keys: list[str]
    """The keys whose values changed."""


@frozen
class ChangesFile(Jsonable):
    """What changed between two exports."""

    before: str
    """Version of kb that wrote the older export."""
    after: str
    """Version of kb that wrote the newer one."""
    entries_added: list[Changed]
    """Entries that are new."""
    entries_removed: list[Changed]
    """Entries that are gone."""
    entries_changed: list[Changed]
    """Entries that say something else."""
    cards_added: list[Changed]
    """Cards that are new."""
    cards_removed: list[Changed]
    """Cards that are gone."""
    cards_changed: list[Changed]
    """Cards with other facts."""
    licence: Licence = LICENCE
    """On what terms it may be used."""


SHAPES = {"entry": EntryFile, "game": GameFile, "index": IndexFile, "changes": ChangesFile}
OWN_NOTICE = "From the user's own imports: the licence of this file does not cover it. Publish only what you may."
