"""Complete entries, cards and lists of entries, and comparisons of rules, as JSON for scripts and user interfaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from kb.catalog.reader import PassageView
from kb.citation import Citation
from kb.errors import KbError
from kb.frozen import frozen
from kb.retrieval.engine import Results
from kb.shapes import Jsonable, PrintedAs, computed, key
from kb.sources.cards import FactTable, tables_of

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog, EntryView
    from kb.decks.problems import Check


class NotFound(KbError, LookupError):
    """Nothing has the name; the message suggests similar names."""


class Ambiguous(NotFound):
    """Several entries or cards have the name; `candidates` are their ids and titles."""

    def __init__(self, name: str, candidates: list[tuple[str, str]]) -> None:
        listed = [f"{number:>2}  {title}  {exact_id}" for number, (exact_id, title) in enumerate(candidates, 1)]
        super().__init__(
            "\n".join([f"Several entries or cards are called {name!r}:", *listed, "Use one of these ids."])
        )
        self.name = name
        self.candidates = candidates

    def __reduce__(self) -> tuple[type[Ambiguous], tuple[str, list[tuple[str, str]]]]:
        """Let pickle build the error again in another process."""
        return Ambiguous, (self.name, self.candidates)


@frozen
class Named(Jsonable):
    """An entry with its title."""

    id: str
    """Id of the entry."""
    title: str
    """Title of the entry."""


@frozen
class Naming(Jsonable):
    """An entry that names a card."""

    entry: Citation = key("flat")
    kind: str
    """Kind of entry."""
    about: str = key("or null")
    """The level, printing, version or side that the entry is about, if it differs from the card's."""


@frozen
class Counterpart(Jsonable):
    """The entry from another edition of the rules that states the same rule or replaced this entry."""

    entry: Citation = key("flat")
    edition: str
    """Name of the other edition."""
    differs: str | None
    """The difference between the two entries, in a sentence; null if kb has no note on it."""


@frozen
class Stands(Jsonable):
    """The effect of a later edition on a ruling, an FAQ answer or a rule."""

    edition: str
    """The later edition of the rules."""
    does: Literal["kept", "changed", "dropped"] = key(name="is")
    """Effect of that edition on the rule: it kept, changed or dropped the rule."""
    says: str | None
    """The new rule, in a sentence; null if kb has no note on it."""


@frozen
class CitingCheck(Jsonable):
    """A check of decks that cites an entry."""

    game: str
    """Id of the game."""
    id: str
    """Id of the check, as in findings."""
    summary: str
    """The rule that the check enforces."""


@frozen
class Formerly(Jsonable):
    """An earlier wording of a rule."""

    until: str
    """The last edition or date that the rule was valid for."""
    text: str
    """The wording."""
    since: str | None = key("optional")
    """The edition or date of the new text, if known."""


@frozen
class Entry(Jsonable):
    """An entry with all related data."""

    id: str
    """Id of the entry."""
    title: str
    """Title of the entry."""
    game: str
    """Id of the game."""
    kind: str
    """Kind of entry."""
    source: str
    """Document and page."""
    body: str
    """The text in Markdown, with wiki links resolved to ids."""
    text: str
    """The text as plain text, without markup."""
    covers: list[str]
    """Headings of the source that the entry restates."""
    aliases: list[str]
    """Other names of the entry's subject."""
    asked: list[str]
    """Players' questions that the entry answers."""
    spoiler: str | None
    """The campaign that the entry spoils."""
    authority: str | None
    """For a ruling: its author's role."""
    date: str | None
    """For a ruling: the date."""
    signed: bool | None
    """For a ruling: false if it is quoted without its author's name."""
    confidence: str | None
    """For a ruling: how certain the answer is."""
    superseded_by: list[Named]
    """Later official texts that replace it."""
    topic_note: str | None
    """The difference from the same rule in another set."""
    edition: str | None
    """The edition of the rules that the entry belongs to, if the game has several."""
    counterparts: list[Counterpart]
    """Entries from other editions on the same rule."""
    stands: Annotated[Any, PrintedAs(Stands | None)]
    """The effect of a later edition on the entry; null if unknown."""
    history: Annotated[list[Any], PrintedAs(list[Formerly])]
    """Earlier wordings of the rule."""
    see: list[Named]
    """Related entries."""
    rulings: list[Citation]
    """Rulings on the entry, the strongest authority first."""
    bears_on: list[Named]
    """For a ruling: the entries that it is about."""
    same_card: list[Citation]
    """Other rulings, FAQ answers, errata and taboos on the cards of the entry."""
    rulebooks: list[Citation]
    """Passages of your own rulebooks under the same heading."""
    linked_from: list[Named]
    """Entries that link to this one."""
    checks: list[CitingCheck]
    """Deck checks that cite the entry."""


@frozen
class Card(Jsonable):
    """A card's facts, and the entries that name it."""

    id: str
    """Id of the card."""
    facts: dict[str, Any]
    """The facts: id, game, set (the set or product), number, and all keys of the card's record (see `cards/` of each game)."""
    entries: list[Naming]
    """Entries that name the card, or another card with the same name."""
    tables: list[FactTable] = key("optional", default_factory=list)
    """Tables of further facts, if the game has any, such as the set-up of a scenario."""


@frozen
class Listing(Jsonable):
    """A list of entries, such as errata or taboos."""

    id: str
    """Id of the list."""
    title: str
    """Title of the list."""
    intro: str | None
    """Introduction to the list."""
    entries: list[Named]
    """Entries in the list."""


@frozen
class Passage(Jsonable):
    """A section of a rulebook that the user imported."""

    passage: PassageView = key("flat")
    restated_by: list[Citation]
    """Entries that restate the same heading."""
    kind: str = "rulebook"
    """Always rulebook."""


Shown = Annotated[dict[str, Any], PrintedAs(Entry | Card | Listing | Passage)]
"""An entry, card, list or passage as printed."""


NEAREST = 3
"""The number of results that come with an answer."""


@frozen
class Answer(Jsonable):
    """The answer to a question: its certainty, the entry if the answer is certain, and the three nearest results."""

    results: Results = key("flat")
    entry: Shown | None = key(name="answer")
    """The complete entry or card that answers the question; null if the answer is not certain."""

    @computed
    def degree(self) -> str:
        """Certainty of the answer: `certain` (the first result answers the question), `probable` (it probably does)
        or `none` (the results are only similar).
        """
        from kb.retrieval.certainty import PROBABLE

        return (
            "certain" if self.certain else "probable" if self.results.hits and self.results.sure >= PROBABLE else "none"
        )

    @property
    def certain(self) -> bool:
        """Return True if an entry is certain to answer the question."""
        return self.entry is not None


def shown(catalog: Catalog, exact_id: str) -> Shown | None:
    """Return the entry, card, list or rulebook passage with the id `exact_id`, with all related data; None if there is
    none. Lists are errata and taboos; passages are from rulebooks that the user imported.
    """
    from kb.catalog.queries import restating, ruled_on
    from kb.decks.games import checks_citing

    view: Entry | Card | Listing | Passage
    if entry := catalog.entry(exact_id):
        view = whole_entry(catalog, entry, checks_citing(entry.id))
    elif card := catalog.card(exact_id):
        tables = tables_of(card, lambda kind: catalog.records(str(card["game"]), kind))
        view = Card(exact_id, card, [Naming(*each) for each in ruled_on(catalog, card)], tables)
    elif listing := catalog.listing(exact_id):
        title, intro, rows = listing
        view = Listing(exact_id, title, intro, named(rows))
    elif passage := catalog.passage(exact_id):
        view = Passage(passage, restating(catalog, passage.id))
    else:
        return None
    return view.as_json({})


def whole_entry(catalog: Catalog, entry: EntryView, citing: Iterable[tuple[str, Check[Any]]]) -> Entry:
    """Return an entry with all related data. `citing` are the checks that cite it, as pairs of game id and check."""
    from kb.catalog.queries import borne_on, passages_on, rulings_on, sharing
    from kb.markup import plain

    cited = catalog.citations(other["id"] for other in entry.listed("counterparts"))
    copied = {key: entry.data.get(key) for key in ("date", "signed", "confidence", "topic_note", "edition", "stands")}
    return Entry(
        **copied,
        id=entry.id,
        title=entry.title,
        game=entry.game,
        kind=entry.kind,
        source=entry.citation,
        body=entry.body,
        text=plain(entry.body),
        covers=sorted(entry.covers),
        aliases=entry.listed("aliases"),
        asked=entry.listed("asked"),
        spoiler=entry.spoiler,
        authority=entry.authority,
        superseded_by=named(catalog.citations(entry.listed("superseded_by")).values()),
        history=entry.listed("history"),
        counterparts=[
            Counterpart(cited[other["id"]], other["edition"], other["differs"])
            for other in entry.listed("counterparts")
        ],
        see=named(catalog.citations(entry.listed("see")).values()),
        rulings=rulings_on(catalog, entry),
        bears_on=named(borne_on(catalog, entry)),
        same_card=sharing(catalog, entry),
        rulebooks=passages_on(catalog, entry.covers),
        linked_from=named(catalog.linking(entry.id)),
        checks=[CitingCheck(game, check.id, check.summary) for game, check in citing],
    )


def named(cited: Iterable[Citation]) -> list[Named]:
    """Convert citations to objects that contain only id and title."""
    return [Named(each.id, each.title) for each in cited]


@frozen
class Statement(Jsonable):
    """The text of a rule in one edition or set."""

    id: str
    """Id of the entry."""
    title: str
    """Title of the entry."""
    source: str
    """Document and page."""
    of: str
    """The edition, or the id prefix of the set."""
    differs: str | None
    """The difference in the other editions or sets, in a sentence; null if kb has no note on it."""
    text: str
    """Text of the entry in Markdown."""


@frozen
class Comparison(Jsonable):
    """A rule in all editions or sets that state it."""

    title: str
    """Title of the rule."""
    entries: list[Statement]
    """The entries that state the rule, the requested one first."""


def comparison(catalog: Catalog, entry_id: str) -> dict[str, Any]:
    """Return an entry, and the entries on the same rule in other editions and sets, as JSON. Raises NotFound if there
    is no such entry or no other one states its rule.
    """
    from kb.catalog.queries import of_topic

    entry = catalog.entry(entry_id)
    if entry is None:
        raise NotFound(f"{entry_id} is not an entry. Only rules can be compared.")
    ids = [*(other["id"] for other in entry.listed("counterparts")), *of_topic(catalog, entry)]
    entries = [entry, *filter(None, (catalog.entry(other) for other in dict.fromkeys(ids) if other != entry.id))]
    if len(entries) == 1:
        raise NotFound(f"No other edition or set of {entry.game} has an entry on {entry.title} ({entry.id}).")
    return Comparison(entry.title, [statement(each) for each in entries]).as_json({})


def differences(catalog: Catalog, game: str) -> dict[str, Any]:
    """Return every rule of a game that its editions or sets state differently, as JSON. Each rule is given as the
    entry from the newest edition, with the differences in the others.

    Raises NotFound if the game has no such rule.
    """
    found: dict[str, Statement] = {}
    for entry in sorted((each for each in catalog.entries() if each.game == game), key=lambda each: each.title):
        notes = [entry.data.get("topic_note"), *(other.get("differs") for other in entry.listed("counterparts"))]
        if differs := next(filter(None, notes), None):
            same = {entry.id, *(other["id"] for other in entry.listed("counterparts"))}
            if entry.data.get("stands") or entry.topic in found or same & {each.id for each in found.values()}:
                continue  # covered by the newest edition's entry
            found[entry.topic or entry.id] = replace(statement(entry), differs=str(differs))
    if not found:
        raise NotFound(f"The rules of {game} have only one edition and set, so there is nothing to compare.")
    return Comparison(catalog.games()[game], list(found.values())).as_json({})


def statement(entry: EntryView) -> Statement:
    """Return the text of an entry with its edition or set, as a Statement."""
    of = entry.data.get("edition") or "/".join(entry.id.split("/")[:2])
    differs = entry.data.get("topic_note") or (entry.data.get("stands") or {}).get("says")
    return Statement(entry.id, entry.title, entry.citation, of, differs, entry.body)
