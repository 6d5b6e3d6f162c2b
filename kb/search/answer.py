"""Picks the sentence of an entry that answers a query, and marks the matched words in it."""

from __future__ import annotations

from collections.abc import Sequence

from kb.search.analysis import WORD, folded, index_words, stemmed
from kb.search.ranking import Query

MARK = ("\x02", "\x03")
LENGTH = 280


def answer(sentences: Sequence[str], query: Query, names: Sequence[str] = ()) -> str:
    """The sentence of an entry that answers the query, shortened, its matched words between MARK signs.

    It is the one with most of the query's weight, the words of the entry's own `names` (index words) counting a quarter:
    they say what the entry is about, not what was asked of it. On a tie the first sentence wins.
    """
    if not sentences:
        return ""
    known = {word for name in names for word in name.split()}
    asked = Query(
        {word: weight * (0.25 if word in known else 1) for word, weight in query.weights.items()}, query.alternatives
    )
    scores = [asked.overlap(index_words(sentence)) for sentence in sentences]
    best = max(range(len(sentences)), key=lambda at: (scores[at] * (1.15 if at == 0 else 1.0), -at))
    text = sentences[best]
    if len(text) < 90 and best + 1 < len(sentences):
        text = f"{text} {sentences[best + 1]}"
    return mark(shorten(text), query)


def shorten(text: str) -> str:
    """At most LENGTH letters, cut at a word."""
    return text if len(text) <= LENGTH else text[:LENGTH].rsplit(" ", 1)[0] + " …"


def mark(text: str, query: Query) -> str:
    """Put MARK signs around the words of `text` that the query or a synonym of its words matches."""
    pieces, at = [], 0
    for found in WORD.finditer(text):
        word = stemmed(folded(found[0]))
        if word in query.weights or word in query.alternatives:
            pieces += [text[at : found.start()], MARK[0], found[0], MARK[1]]
            at = found.end()
    return "".join([*pieces, text[at:]])


def unmarked(text: str) -> str:
    """A snippet with `**` around the matched words instead of the MARK signs."""
    return text.replace(MARK[0], "**").replace(MARK[1], "**")
