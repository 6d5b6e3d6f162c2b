"""How alike a question and an entry are in what they mean, whatever words they share: by vectors of words learned from our own content.

Players who ask for the same thing in other words taught them: `likeness.txt` has a vector of SIZE signed bytes for each index word, such
that the words of a question, added up, point where the words of the entry that it asks for do (tests/benchmarks/learn_likeness.py learns
them; a word counts more, the rarer it is, by the length of its vector). The page's search computes by the same figures and bytes.
"""

from __future__ import annotations

from array import array
from binascii import a2b_base64
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
# A hit's points are multiplied by e to the power of LIKE for each 1 of likeness (a cosine) over USUAL, which is that of entries that answer:
# cards, which have no vector, gain and lose nothing.
LIKE, USUAL = 2.0, 0.7
# What a word counts by where it stands, before the logarithm that tames words that stand there often.
PLACES = {"title": 1.5, "asked": 0.7, "body": 1.0}
# Steps of that logarithm: whole numbers make the same bytes everywhere.
STEPS = 16
# A document's vector is told in letters, one for each figure: of a length of LENGTH, from -MOST to MOST, ZERO being 0.
LENGTH, MOST, ZERO = 16, 7, ord("H")


@cache
def learned() -> dict[bytes, bytes]:
    """The vectors of all index words in base64, as sorted lines of the file have them."""
    return dict(line.split(b" ", 1) for line in FILE.read_bytes().splitlines() if line)


@lru_cache(maxsize=20_000)
def vector_of_word(word: str) -> int | None:
    """The vector of an index word as one number of SIZE lanes of 32 bits, in each the figure plus 128: all lanes are added up at once.

    None when it has none.
    """
    vector = learned().get(word.encode("utf-8", "surrogatepass"))
    if vector is None:
        return None
    return int.from_bytes(array("I", (figure + 128 for figure in array("b", a2b_base64(vector)))).tobytes(), "little")


def added(weights: Mapping[str, int]) -> tuple[list[int], float]:
    """The sum of the vectors of some words, each times its weight, and its length."""
    total = counted = 0
    for word, weight in weights.items():
        if (vector := vector_of_word(word)) is not None:
            total += weight * vector
            counted += weight
    figures = [figure - 128 * counted for figure in array("I", total.to_bytes(4 * SIZE, "little"))]
    return figures, sqrt(sum(map(mul, figures, figures)))


def vector_of(document: Document) -> str:
    """The vector of a document in letters; empty for cards and for what has no word that has one."""
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
    """The vector of a query of these index words, of such a length that its product with a document's is their likeness; None without one."""
    figures, length = added(Counter([*stems]))  # each as often as it is there
    return [figure / (length * LENGTH) for figure in figures] if length else None


def alike(query: list[float] | None, vector: str) -> float:
    """How alike a query and a document with this `vector` are (a cosine); USUAL when one has no vector."""
    if query is None or not vector:
        return USUAL
    return float(sum(map(mul, query, vector.encode("ascii"))) - ZERO * sum(query))


def gain(likeness: float) -> float:
    """The factor for the points of a document by how much it is like the query."""
    return exp(LIKE * (likeness - USUAL))


def tables() -> dict[str, float]:
    """The figures of this module, as the page's search reads them."""
    return {"like": LIKE, "usual": USUAL, "size": SIZE, "length": LENGTH, "zero": ZERO}
