"""Picks the sentences of an entry that answer a query, and marks the matched words in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from kb.retrieval.analysis import WORD, text_word
from kb.retrieval.ranking import Query
from kb.retrieval.record import Record

PIECES = re.compile(f"({WORD.pattern})")
MARK = ("\x02", "\x03")
LENGTH = 400
# What the fit of a question adds to the sentence that is named as its answer.
TOLD = 1.6
# A sentence that begins so says nothing without the one before it.
DANGLING = re.compile(
    r"(?:It|Its|They|Their|Them|That|This|These|Those|He|She|His|Her|Such|Both|Then|Otherwise|But|And|Or|So|Also|If so|If not"
    r"|In that case|Instead|Neither|Either)\b"
)
# A sentence about what the document leaves open, or an example, answers only where nothing else does: its share of its points.
ASIDE = re.compile(
    r"\b(?:[Tt]he|[Ii]ts?) (?:source|summary|book|rulebook|sheet|document|FAQ|rules?|Grimoire|Rules Reference)\b[^.]{0,40}"
    r"\b(?:does not|do not|gives? no|is silent|says? no|names? no|nowhere|never)\b|^(?:Examples?\b|For example)"
)
ASIDE_SHARE = 0.5
# A sentence that leads by so many points is the one that answers; one that has this share of the best one's points is shown beside it.
CLEAR, AS_GOOD = 0.5, 0.96


def answer(sentences: Sequence[str], record: Record, query: Query, points: Sequence[float]) -> str:
    """What an entry says on the query: the sentence that answers and what it needs to be read alone, matched words between MARK signs.

    `points` are those of its sentences (`points_of`).
    """
    return mark(joined(sentences, around(sentences, points)), query) if sentences else ""


def points_of(
    sentences: Sequence[str],
    record: Record,
    query: Query,
    questions: Mapping[int, float],
    answered_by: Sequence[int | None],
) -> list[float]:
    """How well each sentence answers: by the words it shares with the query and by the fit of the questions that it answers.

    `questions` tells how well asked questions fit (0 to 1), and `answered_by` has the number of the sentence that answers each.
    """
    by_questions = [0.0] * len(sentences)
    for question, value in questions.items():
        number = answered_by[question] if question < len(answered_by) else None
        if number is not None and number < len(by_questions):
            by_questions[number] = max(by_questions[number], value)
    shared, body = query.overlap(record.places), record.body
    return [
        (shared.get(body + number, 0.0) / query.total + TOLD * by_questions[number]) * (ASIDE_SHARE if ASIDE.search(sentence) else 1)
        for number, sentence in enumerate(sentences)
    ]  # fmt: skip


def clearness(sentences: Sequence[str], points: Sequence[float]) -> float:
    """By how many points the sentence that answers leads the best one that is not shown with it, at most CLEAR; 0 where that may do as well."""
    if not sentences:
        return CLEAR
    shown = around(sentences, points)
    return min(
        CLEAR, max(points) - max((each for number, each in enumerate(points) if number not in shown), default=0.0)
    )


def around(sentences: Sequence[str], points: Sequence[float]) -> list[int]:
    """The numbers of the sentences to show: the one with the most `points`, the one before it when it begins in the air, the next best when
    it is as good, and as long as there is room what follows, what stands before, and the rest."""
    best, *others = sorted(range(len(points)), key=lambda number: -points[number])
    shown = [best]
    size = len(sentences[best])

    def add(number: int) -> bool:
        nonlocal size
        if number in shown or not 0 <= number < len(sentences) or size + len(sentences[number]) + 3 > LENGTH:
            return False
        shown.append(number)
        size += len(sentences[number]) + 3
        return True

    first = best
    while first > 0 and (DANGLING.match(sentences[first]) or sentences[first][0].islower()) and add(first - 1):
        first -= 1
    if others and points[others[0]] >= AS_GOOD * points[best]:
        add(others[0])
    after = best + 1
    while add(after):
        after += 1
    while add(first - 1):
        first -= 1
    for number in range(best):
        add(number)
    return sorted(shown)


def joined(sentences: Sequence[str], shown: Sequence[int]) -> str:
    """The sentences with these numbers as one text, at most LENGTH letters, with an ellipsis where some are left out."""
    text = sentences[shown[0]]
    for before, number in pairwise(shown):
        text += (" " if number == before + 1 else " … ") + sentences[number]
    return shorten(text)


def shorten(text: str) -> str:
    """Cut a text at a word, to LENGTH letters at most."""
    return text if len(text) <= LENGTH else text[:LENGTH].rsplit(" ", 1)[0] + " …"


def mark(text: str, query: Query) -> str:
    """Put MARK signs around the words of `text` that the query or a synonym of its words matches."""
    pieces, matching = PIECES.split(text), {*query.weights, *query.alternatives}
    for at, word in enumerate(map(text_word, pieces[1::2])):
        if word in matching:
            pieces[2 * at + 1] = f"{MARK[0]}{pieces[2 * at + 1]}{MARK[1]}"
    return "".join(pieces)


def unmarked(text: str) -> str:
    """A snippet with `**` around the matched words instead of the MARK signs."""
    return text.replace(MARK[0], "**").replace(MARK[1], "**")


def plain(snippet: str) -> str:
    """Remove the MARK signs from a snippet."""
    return snippet.replace(MARK[0], "").replace(MARK[1], "")


def tables() -> Mapping[str, float | str]:
    """The figures of this module, as the page's search reads them."""
    return {
        "length": LENGTH, "told": TOLD, "dangling": DANGLING.pattern,
        "aside": ASIDE.pattern, "aside_share": ASIDE_SHARE, "as_good": AS_GOOD,
    }  # fmt: skip
