"""What the exported files hold, in words: their JSON Schema is made from these types."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from kb.api.showing import EntryJson


class LicenceJson(TypedDict):
    """On what terms a file may be used."""

    texts: str
    """SPDX name of the licence of the texts and of the arrangement of the facts."""
    attribution: str
    """Whom to name."""
    notice: str
    """What else to know: the games belong to their publishers."""


class PlaceJson(TypedDict):
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


class ExportedEntryJson(EntryJson):
    """An entry as `kb show --json` gives it, with its place in the source and what it is a topic of."""

    place: PlaceJson
    """Where in the source it stands."""
    topic: str | None
    """Entries of a game with the same topic state the same rule in several sets."""


class EntryFileJson(TypedDict):
    """The file of one entry."""

    licence: LicenceJson
    """On what terms it may be used."""
    entry: ExportedEntryJson
    """The entry."""


class DocumentJson(TypedDict):
    """A published document that entries restate."""

    id: str
    """Its id."""
    title: str
    """Its title."""
    edition: str | None
    """Its edition."""
    version: str | None
    """Its version."""
    date: str | None
    """Its date."""
    publisher: str | None
    """Its publisher."""
    url: str | None
    """Its address."""


class CheckJson(TypedDict):
    """A check of decks."""

    id: str
    """Its id, as findings name it."""
    ruleset: str
    """The set or game whose ruleset has it."""
    family: str
    """What kind of rule it holds."""
    summary: str
    """What it asks of a deck."""
    cites: list[str]
    """Ids of the entries that state the rule."""


class OwnPassageJson(TypedDict):
    """A section of a rulebook that the user has imported."""

    id: str
    """Id of the passage."""
    book: str
    """Name of the imported rulebook."""
    title: str
    """Its heading."""
    source: str
    """Rulebook and page."""
    text: str
    """Its text: paragraphs with blank lines between them."""


class OwnJson(TypedDict):
    """What the user has imported and asked to be exported."""

    notice: str
    """That the licence of the file does not cover it."""
    cards: list[dict[str, Any]]
    """Their own cards: id, game, set, number, and all keys of the card's record."""
    copies: dict[str, int]
    """How many copies they own, by the id of the card."""
    passages: list[OwnPassageJson]
    """The sections of their rulebooks."""


class GameFileJson(TypedDict):
    """Everything of one game."""

    licence: LicenceJson
    """On what terms it may be used."""
    id: str
    """Id of the game."""
    title: str
    """Its title."""
    documents: list[DocumentJson]
    """The documents that its entries restate."""
    entries: list[ExportedEntryJson]
    """Its entries in reading order; rulings have authority, date and `superseded_by`."""
    topics: dict[str, list[str]]
    """Ids of the entries that state the same rule in several sets, by topic."""
    checks: list[CheckJson]
    """The checks of its decks."""
    cards: list[dict[str, Any]]
    """Facts of its cards: id, game, set, number, and all keys of the card's record."""
    own: NotRequired[OwnJson]
    """What the user has imported, where the export was asked for it."""


class CountsJson(TypedDict):
    """How much of a game there is."""

    entries: int
    """Entries."""
    cards: int
    """Cards."""
    checks: int
    """Checks of decks."""


class IndexFileJson(TypedDict):
    """The contents of an export."""

    licence: LicenceJson
    """On what terms it may be used."""
    format: int
    """Number of this layout; it grows when a key goes or changes its meaning."""
    version: str
    """Version of kb that wrote it."""
    games: dict[str, CountsJson]
    """How much there is of each game, by id."""
    files: dict[str, str]
    """SHA-256 of every other file, by its path."""


class ChangedJson(TypedDict):
    """What changed in an entry or card."""

    id: str
    """Its id."""
    title: str
    """Its title or name."""
    keys: list[str]
    """The keys whose values changed."""


class ChangesFileJson(TypedDict):
    """What changed between two exports."""

    licence: LicenceJson
    """On what terms it may be used."""
    before: str
    """Version of kb that wrote the older export."""
    after: str
    """Version of kb that wrote the newer one."""
    entries_added: list[ChangedJson]
    """Entries that are new."""
    entries_removed: list[ChangedJson]
    """Entries that are gone."""
    entries_changed: list[ChangedJson]
    """Entries that say something else."""
    cards_added: list[ChangedJson]
    """Cards that are new."""
    cards_removed: list[ChangedJson]
    """Cards that are gone."""
    cards_changed: list[ChangedJson]
    """Cards with other facts."""


SHAPES = {"entry": EntryFileJson, "game": GameFileJson, "index": IndexFileJson, "changes": ChangesFileJson}
OWN_NOTICE = "From the user's own imports: the licence of this file does not cover it. Publish only what you may."
LICENCE: LicenceJson = {
    "texts": "CC-BY-4.0",
    "attribution": "kb, rules reference for adventure card games, and its contributors",
    "notice": "Unofficial. Rules are restated in our own words, card data is facts only; games and their names belong to their publishers.",
}
