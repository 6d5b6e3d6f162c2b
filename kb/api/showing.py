"""An entry, a card or a list of entries whole, as the JSON that scripts rely on and every window draws from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from kb.api.schema import json_of
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog, EntryView
    from kb.citation import Citation
    from kb.decks.ruleset import Check


class NotFound(KbError, LookupError):
    """Nothing is called so; the message names what is near."""


class Ambiguous(NotFound):
    """Several are called so; `candidates` are their ids and titles."""

    def __init__(self, name: str, candidates: list[tuple[str, str]]) -> None:
        listed = [f"{number:>2}  {title}  {found}" for number, (found, title) in enumerate(candidates, 1)]
        super().__init__("\n".join([f"Several are called {name!r}:", *listed, "Say which by its id."]))
        self.name = name
        self.candidates = candidates

    def __reduce__(self) -> tuple[type[Ambiguous], tuple[str, list[tuple[str, str]]]]:
        """What another process makes it of again."""
        return Ambiguous, (self.name, self.candidates)


class NamedJson(TypedDict):
    """An entry by its title."""

    id: Annotated[str, "Id of the entry."]
    title: Annotated[str, "Its title."]


class SourcedJson(NamedJson):
    """An entry by its title, with its source."""

    source: Annotated[str, "Document and page."]


class NamingJson(SourcedJson):
    """An entry that names a card."""

    kind: Annotated[str, "Kind of entry."]
    about: Annotated[
        str | None, "The level, printing or version of the card that it is about, where that is another one."
    ]


class CounterpartJson(SourcedJson):
    """The entry of another edition of the rules that states the same rule or took its place."""

    edition: Annotated[str, "That edition."]
    differs: Annotated[str | None, "How the two differ, in a sentence; null when nothing is noted."]


StandsJson = TypedDict(
    "StandsJson",
    {
        "edition": Annotated[str, "A later edition of the rules."],
        "is": Annotated[Literal["kept", "changed", "dropped"], "What it does with this."],
        "says": Annotated[str | None, "What it says instead, in a sentence; null where nothing is noted."],
    },
)
StandsJson.__doc__ = "What became of a ruling, an answer or a rule in a later edition."


class CitingCheckJson(TypedDict):
    """A check of decks that cites an entry."""

    game: Annotated[str, "Id of the game."]
    id: Annotated[str, "Id of the check, as findings name it."]
    summary: Annotated[str, "What it asks of a deck."]


class FormerlyJson(TypedDict):
    """What a rule said before."""

    until: Annotated[str, "The edition or date until which it held."]
    text: Annotated[str, "What it said."]
    since: NotRequired[Annotated[str | None, "The edition or date that brought the new text, where it is known."]]


class EntryJson(TypedDict):
    """An entry, and everything around it."""

    id: Annotated[str, "Id of the entry."]
    title: Annotated[str, "Its title."]
    game: Annotated[str, "Id of the game."]
    kind: Annotated[str, "Kind of entry."]
    source: Annotated[str, "Document and page."]
    body: Annotated[str, "The text in Markdown, with wiki links that are resolved to ids."]
    text: Annotated[str, "The same as plain text."]
    covers: Annotated[list[str], "Headings of the source that it restates."]
    aliases: Annotated[list[str], "Other names of the thing."]
    asked: Annotated[list[str], "How players put the question."]
    spoiler: Annotated[str | None, "The campaign that it gives away."]
    authority: Annotated[str | None, "For a ruling: who says so."]
    date: Annotated[str | None, "For a ruling: when."]
    signed: Annotated[bool | None, "For a ruling: false when it is quoted without the name of who gave it."]
    confidence: Annotated[str | None, "For a ruling: how sure it is."]
    superseded_by: Annotated[list[NamedJson], "Later official texts that hold instead."]
    topic_note: Annotated[str | None, "What is different in the other set."]
    edition: Annotated[str | None, "The edition of the rules that it is of, where the game has several."]
    counterparts: Annotated[list[CounterpartJson], "Entries of other editions on the same rule."]
    stands: Annotated[StandsJson | None, "What a later edition does with it; null where that is not known."]
    history: Annotated[list[FormerlyJson], "What the rule said in earlier editions."]
    see: Annotated[list[NamedJson], "Entries to see also."]
    rulings: Annotated[list[SourcedJson], "Rulings on it, by authority."]
    bears_on: Annotated[list[NamedJson], "For a ruling: the entries that it bears on."]
    same_card: Annotated[list[SourcedJson], "Other rulings, questions, errata and taboos on its cards."]
    rulebooks: Annotated[list[SourcedJson], "Passages of your own rulebooks under the same heading."]
    linked_from: Annotated[list[NamedJson], "Entries that link to it."]
    checks: Annotated[list[CitingCheckJson], "Checks of decks that cite it."]


class CardJson(TypedDict):
    """A card's facts, and the entries that name it."""

    id: Annotated[str, "Id of the card."]
    facts: Annotated[
        dict[str, Any], "Its facts: id, game, set, number, and all keys of its record (see `cards/` of each game)."
    ]
    entries: Annotated[list[NamingJson], "Entries that name it, or another card of its name."]


class ListJson(TypedDict):
    """A list of entries: errata, taboos."""

    id: Annotated[str, "Id of the list."]
    title: Annotated[str, "Its title."]
    intro: Annotated[str | None, "What stands before it."]
    entries: Annotated[list[NamedJson], "Its entries."]


class PassageJson(TypedDict):
    """A section of a rulebook that the user has imported."""

    id: Annotated[str, "Id of the passage."]
    title: Annotated[str, "Its heading."]
    game: Annotated[str, "Id of the game."]
    kind: Annotated[str, "Always rulebook."]
    book: Annotated[str, "Name of the imported rulebook."]
    source: Annotated[str, "Rulebook and page."]
    text: Annotated[str, "Its text: paragraphs with blank lines between them."]
    restated_by: Annotated[list[SourcedJson], "Entries that restate the same heading."]


Shown = EntryJson | CardJson | ListJson | PassageJson


def shown(catalog: Catalog, exact_id: str) -> Shown | None:
    """The entry, card, list or passage of the user's own rulebooks with this id."""
    return (
        entry_json(catalog, exact_id)
        or card_json(catalog, exact_id)
        or list_json(catalog, exact_id)
        or passage_json(catalog, exact_id)
    )


def entry_json(catalog: Catalog, entry_id: str) -> EntryJson | None:
    """An entry: its text and everything around it."""
    from kb.decks.games import checks_citing

    entry = catalog.entry(entry_id)
    return None if entry is None else whole_entry(catalog, entry, checks_citing(entry.id))


def whole_entry(catalog: Catalog, entry: EntryView, citing: Iterable[tuple[str, Check[Any]]]) -> EntryJson:
    """An entry with everything around it; `citing` are the checks that cite it, with their game."""
    from kb.catalog.relations import borne_on, passages_on, rulings_on, sharing
    from kb.markup import plain

    cited = catalog.citations(other["id"] for other in entry.listed("counterparts"))
    see = catalog.citations(entry.listed("see"))
    superseded = catalog.citations(entry.listed("superseded_by"))
    return {
        "id": entry.id, "title": entry.title, "game": entry.game, "kind": entry.kind, "source": entry.citation,
        "body": entry.body, "text": plain(entry.body), "covers": sorted(entry.covers), "aliases": entry.listed("aliases"),
        "asked": entry.listed("asked"), "spoiler": entry.spoiler, "authority": entry.authority,
        "date": entry.data.get("date"), "signed": entry.data.get("signed"), "confidence": entry.data.get("confidence"),
        "superseded_by": named(superseded.values()),
        "topic_note": entry.data.get("topic_note"), "history": entry.listed("history"),
        "edition": entry.data.get("edition"), "stands": entry.data.get("stands"),
        "counterparts": [
            json_of(CounterpartJson, cited[other["id"]], edition=other["edition"], differs=other["differs"])
            for other in entry.listed("counterparts")
        ],
        "see": named(see.values()), "rulings": sourced(rulings_on(catalog, entry)), "bears_on": named(borne_on(catalog, entry)),
        "same_card": sourced(sharing(catalog, entry)), "rulebooks": sourced(passages_on(catalog, entry.covers)),
        "linked_from": named(catalog.linking(entry.id)),
        "checks": [json_of(CitingCheckJson, check, game=game) for game, check in citing],
    }  # fmt: skip


def named(cited: Iterable[Citation]) -> list[NamedJson]:
    """Entries by their titles."""
    return [json_of(NamedJson, each) for each in cited]


def sourced(cited: Iterable[Citation]) -> list[SourcedJson]:
    """Entries by their titles, with their sources."""
    return [json_of(SourcedJson, each) for each in cited]


def card_json(catalog: Catalog, card_id: str) -> CardJson | None:
    """A card: its facts and the entries that name it or another level, printing or version of it."""
    from kb.catalog.relations import ruled_on

    card = catalog.card(card_id)
    if card is None:
        return None
    entries = [
        json_of(NamingJson, item, kind=kind, about=about or None) for item, kind, about in ruled_on(catalog, card)
    ]
    return {"id": card_id, "facts": card, "entries": entries}


def list_json(catalog: Catalog, list_id: str) -> ListJson | None:
    """A list of entries (errata, taboos): its title and rows."""
    found = catalog.listing(list_id)
    if found is None:
        return None
    title, intro, rows = found
    return {"id": list_id, "title": title, "intro": intro, "entries": named(rows)}


def passage_json(catalog: Catalog, passage_id: str) -> PassageJson | None:
    """A passage of the user's own rulebook, with the entries that restate the same heading."""
    from kb.catalog.relations import restating

    passage = catalog.passage(passage_id)
    if passage is None:
        return None
    restated_by = sourced(restating(catalog, passage.id))
    return json_of(PassageJson, passage, kind="rulebook", restated_by=restated_by)
