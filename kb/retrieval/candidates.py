"""Documents that are ranked in full for a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.retrieval.ranking import EARLIER, Fit
from kb.retrieval.record import Record


@dataclass(frozen=True, slots=True)
class Rules:
    """By which editions games are played, by the places of these: `chosen`, and those that came `later`, whose rules do not hold yet.
    All others are earlier ones."""

    chosen: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()

    def within(self, place: str | None) -> Rules:
        """The same, but that whoever looks in a place of a later edition plays by that one."""
        for later in self.later:
            if place and f"{place}/".startswith(f"{later}/"):
                return Rules(frozenset({later}))
        return self


ALL = Rules()
"""No edition is chosen: all are looked through alike."""


@dataclass(slots=True)
class Candidate:
    """A document that is ranked in full: its points, its stored record, how it fits and how alike it and the query are in what they mean;
    `twins` are those merged into it."""

    points: float
    number: int
    record: Record
    fit: Fit
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


def played_by(candidates: Sequence[Candidate], rules: Rules) -> list[Candidate]:
    """The candidates, best first, as who plays by some editions needs them: without later rules, and an earlier one under its counterpart.

    That gets its place, where it is the better one; an earlier rule without a counterpart loses a little.
    """
    there = {item.record.id: item for item in candidates if item.record.edition in rules.chosen}
    kept = []
    for item in candidates:
        if item.record.edition is None or item.record.edition in rules.chosen:
            kept.append(item)
        elif item.record.edition not in rules.later:
            others = [there[other] for other in item.record.counterparts if other in there]
            if others:
                counterpart = max(others, key=lambda other: other.points)
                counterpart.points = max(counterpart.points, item.points)
                counterpart.twins.append(item)
            else:
                item.points *= EARLIER
                kept.append(item)
    return sorted(kept, key=lambda item: (-item.points, item.record.id))
