"""Choose the sentences of an entry that answer a query, and mark the matched words in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from kb.frozen import frozen
from kb.retrieval.analysis import WORD, text_word
from kb.retrieval.document import Document
from kb.retrieval.manner import SAME, manners, shared
from kb.retrieval.ranking import AnalysedQuery
from kb.retrieval.record import IndexRecord

PIECES = re.compile(f"({WORD.pattern})")
MARK = ("\x02", "\x03")
LENGTH = 400
# A sentence gets this many points times the similarity of the question that it answers.
TOLD = 2.0
# The beginning of a sentence that depends on the one before it.
DANGLING = re.compile(
    r"(?:It|Its|They|Their|Them|That|This|These|Those|He|She|His|Her|Such|Both|Then|Otherwise|But|And|Or|So|Also|If so|If not"
    r"|In that case|Instead|Neither|Either)\b"
)
# A sentence keeps only a share of its points if it is an example, or says what the document leaves open. Other answers then come first.
ASIDE = re.compile(
    r"\b(?:[Tt]he|[Ii]ts?) (?:source|summary|book|rulebook|sheet|document|FAQ|rules?|Grimoire|Rules Reference)\b[^.]{0,40}"
    r"\b(?:does not|do not|gives? no|is silent|says? no|names? no|nowhere|never)\b|^(?:Examples?\b|For example)"
)
ASIDE_SHARE = 0.5
# The second best sentence is shown too if it has at least this share of the points of the best one.
AS_GOOD = 0.8
# An entry's question is shown as the one that is answered if its similarity to the query is at least this.
NEAR_LINE = 0.2


@frozen
class EntryAnswer:
    """The answer of an entry to a query.

    `points` rate how well each sentence answers. `shown` contains the numbers of the sentences to show, in the order
    shown. `asked` is the number of the entry's question that is most similar to the query, or None if no question is
    similar. `fit` rates the similarity of that question.
    """

    points: Sequence[float]
    shown: Sequence[int]
    asked: int | None
    fit: float

    @property
    def leads(self) -> int | None:
        """The number of the sentence that answers best. None if the entry has no sentences."""
        return max(range(len(self.points)), key=lambda number: self.points[number], default=None)


def said(document: Document, record: IndexRecord, query: AnalysedQuery, questions: Mapping[int, float]) -> EntryAnswer:
    """Choose the sentences of a document that answer a query.

    `questions` maps the numbers of the document's questions to their similarity to the query (0 to 1).
    """
    sentences = document.sentences
    answered_by = (*document.answered_by, *[None] * (len(document.asked) - len(document.answered_by)))
    if not sentences:
        return EntryAnswer((), (), None, 0.0)
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
    return EntryAnswer(points, shown, -asked if fit >= NEAR_LINE else None, fit)


def answer(sentences: Sequence[str], shown: Sequence[int], query: AnalysedQuery) -> str:
    """Return the sentences with the numbers `shown` as one text, with MARK signs around the matched words."""
    return mark(joined(sentences, shown), query) if shown else ""


def points_of(
    sentences: Sequence[str],
    record: IndexRecord,
    query: AnalysedQuery,
    questions: Mapping[int, float],
    answered_by: Sequence[int | None],
) -> list[float]:
    """Return points for each sentence. They come from the words that it shares with the query, and from the questions
    that it answers.

    `questions` maps the entry's questions to their similarity to the query (0 to 1). `answered_by` has the number of
    the sentence that answers each question.
    """
    by_questions = [0.0] * len(sentences)
    for question, value in questions.items():
        number = answered_by[question]
        if number is not None and number < len(by_questions):
            by_questions[number] = max(by_questions[number], value)
    shared_words, body = query.overlap(record.places), record.body
    return [
        (shared_words.get(body + number, 0.0) / query.total + TOLD * by_questions[number])
        * (ASIDE_SHARE if ASIDE.search(sentence) else 1)
        for number, sentence in enumerate(sentences)
    ]


def around(sentences: Sequence[str], points: Sequence[float]) -> tuple[int, list[int]]:
    """Return the number of the sentence with the most `points`, and the numbers of all sentences to show, in order.

    The best sentence leads, after any sentences that it depends on. More sentences follow while there is room. They are
    chosen in this order: the second best if it is nearly as good, those directly after the best one, others with
    points, and the nearest ones. The sentences are shown in the order of the entry.
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
    """Return the sentences with the numbers `shown` as one text of at most LENGTH characters. An ellipsis replaces
    omitted sentences.
    """
    text = sentences[shown[0]]
    for before, number in pairwise(shown):
        text += (" " if number == before + 1 else " … ") + sentences[number]
    return shorten(text)


def shorten(text: str) -> str:
    """Cut a text between words to at most LENGTH characters."""
    return text if len(text) <= LENGTH else text[:LENGTH].rsplit(" ", 1)[0] + " …"


def mark(text: str, query: AnalysedQuery) -> str:
    """Put MARK signs around the words of `text` that match the query or a synonym of one of its words."""
    pieces, matching = PIECES.split(text), {*query.weights, *query.alternatives}
    for at, word in enumerate(map(text_word, pieces[1::2])):
        if word in matching:
            pieces[2 * at + 1] = f"{MARK[0]}{pieces[2 * at + 1]}{MARK[1]}"
    return "".join(pieces)


def unmarked(text: str) -> str:
    """Replace the MARK signs in a snippet with `**`."""
    return text.replace(MARK[0], "**").replace(MARK[1], "**")


def plain(snippet: str) -> str:
    """Remove the MARK signs from a snippet."""
    return snippet.replace(MARK[0], "").replace(MARK[1], "")


def tables() -> Mapping[str, float | str]:
    """Return the constants of this module for the search on the site."""
    return {
        "length": LENGTH,
        "told": TOLD,
        "dangling": DANGLING.pattern,
        "aside": ASIDE.pattern,
        "aside_share": ASIDE_SHARE,
        "as_good": AS_GOOD,
        "near_line": NEAR_LINE,
    }
