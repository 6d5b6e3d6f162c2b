"""The similarity in meaning between a question and an entry, even if they have no words in common.

The similarity uses word vectors that were learned from kb's own content: from different wordings of the same questions.
`likeness.txt` has a vector of SIZE whole numbers for each index word. The sum of vectors for a question points in the
same direction as the sum for its entry. tests/benchmarks/learn_likeness.py learns the vectors; rarer words have longer
vectors and count more. The search on the site uses the same numbers.

A vector is stored as letters, one for each number: ZERO is the letter for 0, and the next letter is the one for 1.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from math import exp, log1p, sqrt
from operator import mul
from pathlib import Path

from kb.retrieval.analysis import index_words
from kb.retrieval.document import Document

FILE = Path(__file__).with_name("likeness.txt")
SIZE = 64
# The points of a result are multiplied by exp(LIKE * (similarity - USUAL)). USUAL is the usual similarity (a cosine) of entries that answer.
# The points of cards, which have no vector, stay unchanged.
LIKE, USUAL = 2.0, 0.7
# The weight of a word by the field that contains it, before the logarithm that dampens frequent words.
PLACES = {"title": 1.5, "asked": 0.7, "body": 1.0}
# Steps of that logarithm: whole numbers give the same bytes on every machine.
STEPS = 16
# The numbers of a word range from -MOST_OF_WORD to MOST_OF_WORD, those of a document from -MOST to MOST; its length is LENGTH.
LENGTH, MOST, MOST_OF_WORD, ZERO = 16, 7, 15, ord("H")


@cache
def learned() -> dict[bytes, bytes]:
    """Return the vectors of all index words, as letters, by the word."""
    return dict(line.split(b" ", 1) for line in FILE.read_bytes().splitlines() if line)


@lru_cache(maxsize=20_000)
def vector_of_word(word: str) -> int | None:
    """Return the vector of an index word as a single integer. None if the word has no vector.

    The integer has SIZE lanes of 32 bits. Each lane has a component of the vector plus ZERO (its letter), so that all
    components are added at once.
    """
    vector = learned().get(word.encode("utf-8", "surrogatepass"))
    if vector is None:
        return None
    return int.from_bytes(array("I", [*vector]).tobytes(), "little")


def added(weights: Mapping[str, int]) -> tuple[list[int], float]:
    """Return the weighted sum of the vectors of the words in `weights`, and the length of this sum."""
    total = counted = 0
    for word, weight in weights.items():
        if (vector := vector_of_word(word)) is not None:
            total += weight * vector
            counted += weight
    figures = [figure - ZERO * counted for figure in array("I", total.to_bytes(4 * SIZE, "little"))]
    return figures, sqrt(sum(map(mul, figures, figures)))


def vector_of(document: Document) -> str:
    """Return the vector of a document as letters. Empty for cards, and for documents where no word has a vector."""
    if document.kind == "card":
        return ""
    often = defaultdict[str, float](float)
    names = (document.title, *document.aliases, *document.parts)
    for place, texts in (("title", names), ("asked", document.asked), ("body", document.sentences)):
        for text in texts:
            for word in index_words(text):
                often[word] += PLACES[place]
    figures, length = added({word: round(STEPS * log1p(points)) for word, points in often.items()})
    steps = [round(LENGTH * figure / length) for figure in figures] if length else []
    return bytes([ZERO + max(-MOST, min(MOST, step)) for step in steps]).decode("ascii")


def vector_of_query(stems: Iterable[str]) -> list[float] | None:
    """Return the vector of a query, given its index words. None if no word has a vector.

    It is scaled so that its product with a document's vector is their similarity.
    """
    figures, length = added(Counter([*stems]))  # counting repetitions
    return [figure / (length * LENGTH) for figure in figures] if length else None


def alike(query: list[float] | None, vector: str) -> float:
    """Return the similarity (a cosine) of a query and a document, given their vectors. USUAL if one of them has no
    vector.
    """
    if query is None or not vector:
        return USUAL
    return float(sum(map(mul, query, vector.encode("ascii"))) - ZERO * sum(query))


def gain(likeness: float) -> float:
    """Return the factor for a document's points, given its similarity to the query."""
    return exp(LIKE * (likeness - USUAL))


def tables() -> dict[str, float]:
    """Return the constants of this module for the search on the site."""
    return {"like": LIKE, "usual": USUAL, "size": SIZE, "length": LENGTH, "zero": ZERO}
