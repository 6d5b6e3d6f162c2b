"""Finds twins that have drifted apart: two entries answer one question, and one of them leaves out the end of the other's sentence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from kb.frozen import frozen
from kb.sources.entries import LoadedEntry

LEAST = 5
"""Words that the shorter sentence has at least: two and three words begin many sentences alike."""


@frozen
class Drift:
    """A question that two entries of a game answer alike up to a point: `shorter` stops where `longer` goes on with `rest`."""

    question: str
    shorter: str
    longer: str
    rest: str

    def __str__(self) -> str:
        return (
            f"{self.shorter} and {self.longer} both answer {self.question!r}, but only the second adds {self.rest!r}. "
            "Add it to the first if it applies there too."
        )


def drifted(entries: Iterable[LoadedEntry]) -> Iterator[Drift]:
    """Yield each pair of entries of which one answers a question with the beginning of the other's sentence, once for each pair."""
    answers: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for entry in entries:
        for question, number in entry.answers:
            if number is not None:
                answers[entry.game, question.casefold()].append((entry.id, entry.sentences[number]))
    seen: set[tuple[str, str]] = set()
    for (_game, question), given in answers.items():
        for one, other in combinations(given, 2):
            (shorter, begins), (longer, whole) = sorted((one, other), key=lambda answer: len(answer[1]))
            rest = after(words(begins), words(whole))
            if rest and (shorter, longer) not in seen:
                seen.add((shorter, longer))
                yield Drift(question, shorter, longer, rest)


def words(sentence: str) -> list[str]:
    """The words of a sentence without signs and capitals."""
    return re.findall(r"[\w'+-]+", sentence.casefold())


def after(begins: list[str], whole: list[str]) -> str:
    """The words of `whole` behind those of `begins`; empty when it does not begin with them, or they are too few to tell."""
    return " ".join(whole[len(begins) :]) if len(begins) >= LEAST and whole[: len(begins)] == begins else ""
