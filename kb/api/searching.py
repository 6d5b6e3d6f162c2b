"""Where a search looks, searches and answers, and both as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from kb.api.showing import Shown
from kb.errors import KbError
from kb.frozen import frozen
from kb.json_objects import json_of
from kb.registry.editions import chosen_edition, edition_named
from kb.retrieval.engine import ALL, Rules

if TYPE_CHECKING:
    from kb.retrieval.engine import Results, SearchIndex


EVERYWHERE = {"all", "everywhere", "*"}


class NoSuchPlace(KbError, LookupError):
    """A name that no game, set, folder or kind of entry has, or that several folders have."""


@frozen
class Place:
    """`within`: the id prefix asked for. `chosen`: the game that is played, where none was asked for. `anywhere`: all was asked for.
    `rules` are the editions that are played."""

    within: str | None = None
    chosen: str | None = None
    anywhere: bool = False
    rules: Rules = ALL


def place_of(index: SearchIndex, asked: str | None, chosen: str | None, rules: str | None = None) -> Place:
    """Where to look, by the edition `rules` (None: by the chosen ones). Raises NoSuchPlace when `asked` names nothing or several folders,
    and NoSuchEdition."""
    played = played_rules(index, rules)
    if asked and asked.strip().casefold() in EVERYWHERE:
        return Place(anywhere=True, rules=played)
    if asked:
        return Place(within=scope_called(index, asked), rules=played)
    return Place(chosen=chosen if chosen and index.has_scope(chosen) else None, rules=played)


def played_rules(index: SearchIndex, named: str | None) -> Rules:
    """The editions that are played: of each game with several the one that is `named`, else the chosen one. Raises NoSuchEdition."""
    known = index.editions
    option = edition_named(named, None, known) if named else None
    chosen, later = set[str](), set[str]()
    for game, editions in known.items():
        by = named if option is None or option[0] == game else None
        edition = chosen_edition(game, by, known=known)
        assert edition is not None
        chosen.add(edition.within)
        later |= {each.within for each in editions[: editions.index(edition)]}
    return Rules(frozenset(chosen), frozenset(later))


def scope_called(index: SearchIndex, asked: str) -> str:
    """The id prefix that people call so. Raises NoSuchPlace when there is none, or more than one."""
    if (edition := edition_named(asked, None, index.editions)) and index.has_scope(edition[1].within):
        return edition[1].within
    found = index.resolve_scope(asked)
    if len(found) == 1:
        return found[0]
    if found:
        raise NoSuchPlace(f"{asked!r} can be {', '.join(found[:-1])} or {found[-1]}: say which.")
    from kb.decks.names import did_you_mean

    called = index.called()
    names = [name for place in (*called, *index.folders()) for name in (place, place.rpartition("/")[2])]
    hint = did_you_mean(asked, [*names, *(name for others in called.values() for name in others)])
    games = "; ".join(f"{scope} ({', '.join(names)})" if names else scope for scope, names in called.items())
    raise NoSuchPlace(
        f"Nothing lies below {asked!r}.{hint} Games and sets, with other names: {games}. Folders of a game work too."
    )


class TwinJson(TypedDict):
    """The same rule in another set or edition of the game."""

    id: str
    """Id of the entry."""
    title: str
    """Its title."""
    source: str
    """Document and page."""
    differs: str | None
    """What is different there, in a sentence; null when nothing is."""
    edition: str | None
    """The edition of the rules that it is of, where the game has several."""


class HitJson(TypedDict):
    """One result of a search."""

    id: str
    """Id of the entry or card: its address on the site, and what `kb show` takes."""
    title: str
    """Its title."""
    game: str
    """Id of the game."""
    kind: str
    """Kind of entry (rule, term, ruling, faq …), or card."""
    source: str
    """Document and page."""
    score: float
    """Points; comparable within one search only."""
    snippet: str
    """The sentence that answers."""
    covers: list[str]
    """Headings of the source that it restates."""
    spoiler: str | None
    """The campaign that it gives away; null for none."""
    edition: str | None
    """The edition of the rules that it is of, where the game has several."""
    twins: list[TwinJson]
    """The same rule in other sets and editions."""


class ResultsJson(TypedDict):
    """What `kb search` found, best first."""

    query: str
    """The question as it was asked."""
    corrected: str | None
    """The question as it was understood, where a word was misspelled."""
    scope: str | None
    """Id prefix that was searched; null: everywhere."""
    named: bool
    """Whether the question itself names that game or set."""
    sure: float
    """How likely (0 to 1) the first hit answers."""
    total: int
    """How many entries and cards match in all."""
    hits: list[HitJson]
    """The best of them."""


class AnswerJson(ResultsJson):
    """What `kb ask` says."""

    answer: Shown | None
    """The entry or card that answers, whole; null when none does for certain."""


NEAREST = 3
"""How many results an answer comes with."""


@frozen
class Answer:
    """The answer to a question: `entry` whole when one answers for certain, else None; `results` are the nearest three."""

    results: Results
    entry: Shown | None

    @property
    def certain(self) -> bool:
        """Whether an entry answers."""
        return self.entry is not None


def find(index: SearchIndex, text: str, place: Place, kind: str | None, limit: int, spoilers: bool) -> Results:
    """The entries and cards that answer. Raises NoSuchPlace when there is no such kind."""
    if kind and kind not in index.kinds():
        raise NoSuchPlace(f"There is no kind {kind!r}. Kinds are {', '.join(index.kinds())}.")
    return index.search(
        text, place.within, kind, limit, spoilers,
        chosen=place.chosen, anywhere=place.anywhere, rules=place.rules,
    )  # fmt: skip


def results_json(results: Results) -> ResultsJson:
    """Results as the JSON that scripts rely on."""
    from kb.retrieval.answer import unmarked

    hits = [
        json_of(
            HitJson,
            hit,
            snippet=unmarked(hit.snippet),
            covers=list(hit.covers),
            twins=[json_of(TwinJson, twin) for twin in hit.twins],
        )
        for hit in results.hits
    ]
    return json_of(ResultsJson, results, sure=round(results.sure, 3), hits=hits)


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as the JSON that scripts rely on (AnswerJson)."""
    return {**results_json(answer.results), "answer": answer.entry}
