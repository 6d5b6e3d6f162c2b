"""Find pairs of entries that answer the same question, where one of the answers ends earlier than the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from kb.frozen import frozen
from kb.sources.entries import LoadedEntry

LEAST = 5
"""Minimum number of words in the shorter answer. Two answers could share a shorter beginning by chance."""


@frozen
class Drift:
    """Two entries of a game that answer `question` with the same beginning. Only the entry `longer` continues, with the
    words `rest`.
    """

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
    """Yield each pair of entries where one answers a question with only the beginning of the other's sentence. Each
    pair is yielded once.
    """
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
    """Return the words of a sentence in lower case, without punctuation."""
    return re.findall(r"[\w'+-]+", sentence.casefold())


def after(begins: list[str], whole: list[str]) -> str:
    """Return the words of `whole` that follow `begins`. Empty if `whole` does not begin with `begins`, or if
    `begins` has fewer than LEAST words.
    """
    return " ".join(whole[len(begins) :]) if len(begins) >= LEAST and whole[: len(begins)] == begins else ""
