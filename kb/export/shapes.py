"""What the exported files hold, in words: their JSON Schema is made from these types."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from kb.api.showing import EntryJson


class LicenceJson(TypedDict):
    """On what terms a file may be used."""

    texts: Annotated[str, "SPDX name of the licence of the texts and of the arrangement of the facts."]
    attribution: Annotated[str, "Whom to name."]
    notice: Annotated[str, "What else to know: the games belong to their publishers."]


class PlaceJson(TypedDict):
    """Where in a document a rule stands."""

    document: Annotated[str, "Id of the document."]
    page: Annotated[int | None, "Its page."]
    pages: Annotated[list[int], "Its pages, where it stands on several."]
    section: Annotated[str | None, "Its section, where the document has no pages."]
    version: Annotated[str | None, "The version of the document that is restated."]
    url: Annotated[str | None, "Its address."]


class ExportedEntryJson(EntryJson):
    """An entry as `kb show --json` gives it, with its place in the source and what it is a topic of."""

    place: Annotated[PlaceJson, "Where in the source it stands."]
    topic: Annotated[str | None, "Entries of a game with the same topic state the same rule in several sets."]


class EntryFileJson(TypedDict):
    """The file of one entry."""

    licence: Annotated[LicenceJson, "On what terms it may be used."]
    entry: Annotated[ExportedEntryJson, "The entry."]


class DocumentJson(TypedDict):
    """A published document that entries restate."""

    id: Annotated[str, "Its id."]
    title: Annotated[str, "Its title."]
    edition: Annotated[str | None, "Its edition."]
    version: Annotated[str | None, "Its version."]
    date: Annotated[str | None, "Its date."]
    publisher: Annotated[str | None, "Its publisher."]
    url: Annotated[str | None, "Its address."]


class CheckJson(TypedDict):
    """A check of decks."""

    id: Annotated[str, "Its id, as findings name it."]
    ruleset: Annotated[str, "The set or game whose ruleset has it."]
    family: Annotated[str, "What kind of rule it holds."]
    summary: Annotated[str, "What it asks of a deck."]
    cites: Annotated[list[str], "Ids of the entries that state the rule."]


class OwnPassageJson(TypedDict):
    """A section of a rulebook that the user has imported."""

    id: Annotated[str, "Id of the passage."]
    book: Annotated[str, "Name of the imported rulebook."]
    title: Annotated[str, "Its heading."]
    source: Annotated[str, "Rulebook and page."]
    text: Annotated[str, "Its text: paragraphs with blank lines between them."]


class OwnJson(TypedDict):
    """What the user has imported and asked to be exported."""

    notice: Annotated[str, "That the licence of the file does not cover it."]
    cards: Annotated[list[dict[str, Any]], "Their own cards: id, game, set, number, and all keys of the card's record."]
    copies: Annotated[dict[str, int], "How many copies they own, by the id of the card."]
    passages: Annotated[list[OwnPassageJson], "The sections of their rulebooks."]


class GameFileJson(TypedDict):
    """Everything of one game."""

    licence: Annotated[LicenceJson, "On what terms it may be used."]
    id: Annotated[str, "Id of the game."]
    title: Annotated[str, "Its title."]
    documents: Annotated[list[DocumentJson], "The documents that its entries restate."]
    entries: Annotated[
        list[ExportedEntryJson], "Its entries in reading order; rulings have authority, date and `superseded_by`."
    ]
    topics: Annotated[dict[str, list[str]], "Ids of the entries that state the same rule in several sets, by topic."]
    checks: Annotated[list[CheckJson], "The checks of its decks."]
    cards: Annotated[
        list[dict[str, Any]], "Facts of its cards: id, game, set, number, and all keys of the card's record."
    ]
    own: NotRequired[Annotated[OwnJson, "What the user has imported, where the export was asked for it."]]


class CountsJson(TypedDict):
    """How much of a game there is."""

    entries: Annotated[int, "Entries."]
    cards: Annotated[int, "Cards."]
    checks: Annotated[int, "Checks of decks."]


class IndexFileJson(TypedDict):
    """The contents of an export."""

    licence: Annotated[LicenceJson, "On what terms it may be used."]
    format: Annotated[int, "Number of this layout; it grows when a key goes or changes its meaning."]
    version: Annotated[str, "Version of kb that wrote it."]
    games: Annotated[dict[str, CountsJson], "How much there is of each game, by id."]
    files: Annotated[dict[str, str], "SHA-256 of every other file, by its path."]


class ChangedJson(TypedDict):
    """What changed in an entry or card."""

    id: Annotated[str, "Its id."]
    title: Annotated[str, "Its title or name."]
    keys: Annotated[list[str], "The keys whose values changed."]


class ChangesFileJson(TypedDict):
    """What changed between two exports."""

    licence: Annotated[LicenceJson, "On what terms it may be used."]
    before: Annotated[str, "Version of kb that wrote the older export."]
    after: Annotated[str, "Version of kb that wrote the newer one."]
    entries_added: Annotated[list[ChangedJson], "Entries that are new."]
    entries_removed: Annotated[list[ChangedJson], "Entries that are gone."]
    entries_changed: Annotated[list[ChangedJson], "Entries that say something else."]
    cards_added: Annotated[list[ChangedJson], "Cards that are new."]
    cards_removed: Annotated[list[ChangedJson], "Cards that are gone."]
    cards_changed: Annotated[list[ChangedJson], "Cards with other facts."]


SHAPES = {"entry": EntryFileJson, "game": GameFileJson, "index": IndexFileJson, "changes": ChangesFileJson}
OWN_NOTICE = "From the user's own imports: the licence of this file does not cover it. Publish only what you may."
LICENCE: LicenceJson = {
    "texts": "CC-BY-4.0",
    "attribution": "kb, rules reference for adventure card games, and its contributors",
    "notice": "Unofficial. Rules are restated in our own words, card data is facts only; games and their names belong to their publishers.",
}
