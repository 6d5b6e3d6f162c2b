"""Searches and answers, and both as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from kb.api.places import NoSuchPlace, Place
from kb.api.schema import json_of
from kb.api.showing import Shown

if TYPE_CHECKING:
    from kb.retrieval.engine import Results, SearchIndex


class TwinJson(TypedDict):
    """The same rule in another set or edition of the game."""

    id: Annotated[str, "Id of the entry."]
    title: Annotated[str, "Its title."]
    source: Annotated[str, "Document and page."]
    differs: Annotated[str | None, "What is different there, in a sentence; null when nothing is."]
    edition: Annotated[str | None, "The edition of the rules that it is of, where the game has several."]


class HitJson(TypedDict):
    """One result of a search."""

    id: Annotated[str, "Id of the entry or card: its address on the site, and what `kb show` takes."]
    title: Annotated[str, "Its title."]
    game: Annotated[str, "Id of the game."]
    kind: Annotated[str, "Kind of entry (rule, term, ruling, faq …), or card."]
    source: Annotated[str, "Document and page."]
    score: Annotated[float, "Points; comparable within one search only."]
    snippet: Annotated[str, "The sentence that answers."]
    covers: Annotated[list[str], "Headings of the source that it restates."]
    spoiler: Annotated[str | None, "The campaign that it gives away; null for none."]
    edition: Annotated[str | None, "The edition of the rules that it is of, where the game has several."]
    twins: Annotated[list[TwinJson], "The same rule in other sets and editions."]


class ResultsJson(TypedDict):
    """What `kb search` found, best first."""

    query: Annotated[str, "The question as it was asked."]
    corrected: Annotated[str | None, "The question as it was understood, where a word was misspelled."]
    scope: Annotated[str | None, "Id prefix that was searched; null: everywhere."]
    named: Annotated[bool, "Whether the question itself names that game or set."]
    sure: Annotated[float, "How likely (0 to 1) the first hit answers."]
    total: Annotated[int, "How many entries and cards match in all."]
    hits: Annotated[list[HitJson], "The best of them."]


class AnswerJson(ResultsJson):
    """What `kb ask` says."""

    answer: Annotated[Shown | None, "The entry or card that answers, whole; null when none does for certain."]


NEAREST = 3
"""How many results an answer comes with."""


@dataclass(frozen=True, slots=True)
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
