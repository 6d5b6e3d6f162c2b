"""Documents that are ranked in full for a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.retrieval.certainty import First
from kb.retrieval.ranking import Fit, Query
from kb.retrieval.record import Record


@dataclass(slots=True)
class Candidate:
    """A document that is ranked in full: its points, its stored record, how it fits, the share of the query that it holds (`met`) and how
    alike the two are in what they mean; `twins` are those merged into it."""

    points: float
    number: int
    record: Record
    fit: Fit
    met: float
    alike: float
    twins: list[Candidate]


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, those of the same game and topic as one: ten hits are ten answers."""
    kept: list[Candidate] = []
    first: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        topic = candidate.record.topic
        twin = first.setdefault((candidate.record.game, topic), candidate) if topic else candidate
        if twin is candidate:
            kept.append(candidate)
        else:
            twin.twins.append(candidate)
    return kept


def first_of(ranked: Sequence[Candidate], query: Query) -> First | None:
    """What is known of the first of the candidates."""
    if not ranked:
        return None
    best, title = ranked[0], set(ranked[0].record.title)
    said = sum(word in query.weights for word in title) / max(1, len(title))
    return First(best.points, ranked[1].points if len(ranked) > 1 else 0.0, best.fit, best.met, said, best.alike)
