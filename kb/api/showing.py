"""An entry, a card or a list of entries whole, and rules compared, as the JSON that scripts rely on and every window draws from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from kb.errors import KbError
from kb.json_objects import json_of

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

    id: str
    """Id of the entry."""
    title: str
    """Its title."""


class SourcedJson(NamedJson):
    """An entry by its title, with its source."""

    source: str
    """Document and page."""


class NamingJson(SourcedJson):
    """An entry that names a card."""

    kind: str
    """Kind of entry."""
    about: str | None
    """The level, printing or version of the card that it is about, where that is another one."""


class CounterpartJson(SourcedJson):
    """The entry of another edition of the rules that states the same rule or took its place."""

    edition: str
    """That edition."""
    differs: str | None
    """How the two differ, in a sentence; null when nothing is noted."""


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

    game: str
    """Id of the game."""
    id: str
    """Id of the check, as findings name it."""
    summary: str
    """What it asks of a deck."""


class FormerlyJson(TypedDict):
    """What a rule said before."""

    until: str
    """The edition or date until which it held."""
    text: str
    """What it said."""
    since: NotRequired[str | None]
    """The edition or date that brought the new text, where it is known."""


class EntryJson(TypedDict):
    """An entry, and everything around it."""

    id: str
    """Id of the entry."""
    title: str
    """Its title."""
    game: str
    """Id of the game."""
    kind: str
    """Kind of entry."""
    source: str
    """Document and page."""
    body: str
    """The text in Markdown, with wiki links that are resolved to ids."""
    text: str
    """The same as plain text."""
    covers: list[str]
    """Headings of the source that it restates."""
    aliases: list[str]
    """Other names of the thing."""
    asked: list[str]
    """How players put the question."""
    spoiler: str | None
    """The campaign that it gives away."""
    authority: str | None
    """For a ruling: who says so."""
    date: str | None
    """For a ruling: when."""
    signed: bool | None
    """For a ruling: false when it is quoted without the name of who gave it."""
    confidence: str | None
    """For a ruling: how sure it is."""
    superseded_by: list[NamedJson]
    """Later official texts that hold instead."""
    topic_note: str | None
    """What is different in the other set."""
    edition: str | None
    """The edition of the rules that it is of, where the game has several."""
    counterparts: list[CounterpartJson]
    """Entries of other editions on the same rule."""
    stands: StandsJson | None
    """What a later edition does with it; null where that is not known."""
    history: list[FormerlyJson]
    """What the rule said in earlier editions."""
    see: list[NamedJson]
    """Entries to see also."""
    rulings: list[SourcedJson]
    """Rulings on it, by authority."""
    bears_on: list[NamedJson]
    """For a ruling: the entries that it bears on."""
    same_card: list[SourcedJson]
    """Other rulings, questions, errata and taboos on its cards."""
    rulebooks: list[SourcedJson]
    """Passages of your own rulebooks under the same heading."""
    linked_from: list[NamedJson]
    """Entries that link to it."""
    checks: list[CitingCheckJson]
    """Checks of decks that cite it."""


class CardJson(TypedDict):
    """A card's facts, and the entries that name it."""

    id: str
    """Id of the card."""
    facts: dict[str, Any]
    """Its facts: id, game, set, number, and all keys of its record (see `cards/` of each game)."""
    entries: list[NamingJson]
    """Entries that name it, or another card of its name."""


class ListJson(TypedDict):
    """A list of entries: errata, taboos."""

    id: str
    """Id of the list."""
    title: str
    """Its title."""
    intro: str | None
    """What stands before it."""
    entries: list[NamedJson]
    """Its entries."""


class PassageJson(TypedDict):
    """A section of a rulebook that the user has imported."""

    id: str
    """Id of the passage."""
    title: str
    """Its heading."""
    game: str
    """Id of the game."""
    kind: str
    """Always rulebook."""
    book: str
    """Name of the imported rulebook."""
    source: str
    """Rulebook and page."""
    text: str
    """Its text: paragraphs with blank lines between them."""
    restated_by: list[SourcedJson]
    """Entries that restate the same heading."""


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
    from kb.catalog.queries import borne_on, passages_on, rulings_on, sharing
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
    from kb.catalog.queries import ruled_on

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
    from kb.catalog.queries import restating

    passage = catalog.passage(passage_id)
    if passage is None:
        return None
    restated_by = sourced(restating(catalog, passage.id))
    return json_of(PassageJson, passage, kind="rulebook", restated_by=restated_by)


class StatementJson(SourcedJson):
    """What one edition or set says of a rule."""

    of: str
    """The edition, or the id prefix of the set."""
    differs: str | None
    """How the others differ from it, in a sentence; null when nothing is noted."""
    text: str
    """Its text in Markdown."""


class ComparisonJson(TypedDict):
    """A rule in all editions or sets that state it."""

    title: str
    """Title of the rule."""
    entries: list[StatementJson]
    """What each says, the one that was asked for first."""


def comparison(catalog: Catalog, entry_id: str) -> ComparisonJson:
    """The entry, and those of other editions and sets on its rule. Raises NotFound when there is none but the entry."""
    from kb.catalog.queries import of_topic

    entry = catalog.entry(entry_id)
    if entry is None:
        raise NotFound(f"{entry_id} is no entry: only rules can be compared.")
    ids = [*(other["id"] for other in entry.listed("counterparts")), *of_topic(catalog, entry)]
    found = [entry, *filter(None, (catalog.entry(other) for other in dict.fromkeys(ids) if other != entry.id))]
    if len(found) == 1:
        raise NotFound(f"No other edition or set of {entry.game} has an entry on {entry.title} ({entry.id}).")
    return {"title": entry.title, "entries": [statement(each) for each in found]}


def statement(entry: EntryView) -> StatementJson:
    """What an entry says, with the edition or set that it is of."""
    return {
        "id": entry.id, "title": entry.title, "source": entry.citation,
        "of": entry.data.get("edition") or "/".join(entry.id.split("/")[:2]),
        "differs": entry.data.get("topic_note") or (entry.data.get("stands") or {}).get("says"), "text": entry.body,
    }  # fmt: skip
