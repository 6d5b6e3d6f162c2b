"""Picks the sentences of an entry that answer a query, and marks the matched words in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from kb.frozen import frozen
from kb.retrieval.analysis import WORD, text_word
from kb.retrieval.document import Document
from kb.retrieval.manner import SAME, manners, shared
from kb.retrieval.ranking import Query
from kb.retrieval.record import Record

PIECES = re.compile(f"({WORD.pattern})")
MARK = ("\x02", "\x03")
LENGTH = 400
# What the fit of a question adds to the sentence that is named as its answer.
TOLD = 2.0
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
# A sentence that has this share of the best one's points is shown with it.
AS_GOOD = 0.8
# From such a fit on a question of the entry is shown as the one that is answered.
NEAR_LINE = 0.2


@frozen
class Said:
    """What an entry says on a query.

    `points` say how well each sentence answers, `shown` are the numbers of the sentences to show, the one that answers first, and `asked` is
    the number of the entry's question that it answers (None: no question of the entry is near). `fit` says how well that question fits.
    """

    points: Sequence[float]
    shown: Sequence[int]
    asked: int | None
    fit: float

    @property
    def leads(self) -> int | None:
        """The number of the sentence that answers; None if the entry has no sentences."""
        return max(range(len(self.points)), key=lambda number: self.points[number], default=None)


def said(document: Document, record: Record, query: Query, questions: Mapping[int, float]) -> Said:
    """Choose the sentences of a document that answer a query.

    `questions` says how well questions of the document fit (0 to 1), by their numbers.
    """
    sentences = document.sentences
    answered_by = (*document.answered_by, *[None] * (len(document.asked) - len(document.answered_by)))
    if not sentences:
        return Said((), (), None, 0.0)
    fits = {
        question: value * (1 + SAME * shared(query.manners, manners(document.asked[question])))
        for question, value in questions.items()
    }
    points = points_of(sentences, record, query, fits, answered_by)
    best, shown = around(sentences, points)
    fit, asked = max(
        ((value, -question) for question, value in fits.items() if answered_by[question] in (best, None)),
        default=(0.0, 0),
    )
    return Said(points, shown, -asked if fit >= NEAR_LINE else None, fit)


def answer(sentences: Sequence[str], shown: Sequence[int], query: Query) -> str:
    """The sentences with these numbers as one text, matched words between MARK signs."""
    return mark(joined(sentences, shown), query) if shown else ""


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
        number = answered_by[question]
        if number is not None and number < len(by_questions):
            by_questions[number] = max(by_questions[number], value)
    shared_words, body = query.overlap(record.places), record.body
    return [
        (shared_words.get(body + number, 0.0) / query.total + TOLD * by_questions[number]) * (ASIDE_SHARE if ASIDE.search(sentence) else 1)
        for number, sentence in enumerate(sentences)
    ]  # fmt: skip


def around(sentences: Sequence[str], points: Sequence[float]) -> tuple[int, list[int]]:
    """Return the number of the sentence with the most `points`, and the numbers of the sentences to show, in this order.

    That sentence is the first, after those that it needs to be understood. As far as there is room the next best follows if it is nearly as
    good, then what comes after the first one, then other sentences that have points, then the nearest: these in the order of the entry.
    """
    best, *others = sorted(range(len(points)), key=lambda number: -points[number])
    lead, more = [best], list[int]()
    size = len(sentences[best])

    def fits(number: int) -> bool:
        nonlocal size
        if number in (*lead, *more) or not 0 <= number < len(sentences) or size + len(sentences[number]) + 3 > LENGTH:
            return False
        size += len(sentences[number]) + 3
        return True

    while (DANGLING.match(sentences[lead[0]]) or sentences[lead[0]][0].islower()) and fits(lead[0] - 1):
        lead.insert(0, lead[0] - 1)
    if others and points[others[0]] >= AS_GOOD * points[best] and fits(others[0]):
        more.append(others[0])
    after = best + 1
    while fits(after):
        more.append(after)
        after += 1
    more += [number for number in others if points[number] > 0 and fits(number)]
    more += [number for number in (*range(lead[0] - 1, -1, -1), *range(after, len(sentences))) if fits(number)]
    return best, [*lead, *sorted(more)]


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
        "aside": ASIDE.pattern, "aside_share": ASIDE_SHARE, "as_good": AS_GOOD, "near_line": NEAR_LINE,
    }  # fmt: skip
