"""How alike a question and an entry are in what they mean, whatever words they share: by vectors of words learned from our own content.

Players who ask for the same thing in other words taught them: `likeness.txt` has a vector of SIZE signed bytes for each index word, such
that the words of a question, added up, point where the words of the entry that it asks for do (tests/benchmarks/learn_likeness.py learns
them; a word counts more, the rarer it is, by the length of its vector). The page's search computes by the same figures and bytes.
"""

from __future__ import annotations

from array import array
from binascii import a2b_base64
from collections import defaultdict
from collections.abc import Iterable
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

Vector = tuple[int, ...]


@cache
def learned() -> bytes:
    """The file of vectors: sorted lines of an index word, a space and its vector in base64, after an empty line."""
    return FILE.read_bytes()


def told_of_word(word: str) -> str:
    """The vector of an index word in base64, empty when it has none."""
    told, key = learned(), f"\n{word} ".encode("utf-8", "surrogatepass")
    if (found := told.find(key)) < 0:
        return ""
    start = found + len(key)
    return told[start : told.index(b"\n", start)].decode("ascii")


@lru_cache(maxsize=20_000)
def vector_of_word(word: str) -> Vector | None:
    """The vector of an index word, None when it has none."""
    told = told_of_word(word)
    return tuple(array("b", a2b_base64(told))) if told else None


@cache
def all_told() -> dict[bytes, bytes]:
    """The vectors of all words in base64: who asks for those of whole documents does not look through the file for each word."""
    return dict(line.split(b" ", 1) for line in learned().splitlines() if line)


@lru_cache(maxsize=20_000)
def lanes_of_word(word: str) -> int | None:
    """The vector of an index word as one number of SIZE lanes of 32 bits, in each the figure plus 128: all lanes are added up at once."""
    told = all_told().get(word.encode("utf-8", "surrogatepass"))
    if told is None:
        return None
    return int.from_bytes(array("I", (figure + 128 for figure in array("b", a2b_base64(told)))).tobytes(), "little")


def vector_of(document: Document) -> str:
    """The vector of a document in letters; empty for cards and for what has no word that has one."""
    if document.kind == "card":
        return ""
    often: dict[str, float] = {}
    before = often.get
    for share, texts in (
        (PLACES["title"], (document.title, *document.aliases, *document.parts)),
        (PLACES["asked"], document.asked),
        (PLACES["body"], document.sentences),
    ):
        for text in texts:
            for word in index_words(text):
                often[word] = before(word, 0.0) + share
    alike: dict[float, list[int]] = defaultdict(list)  # there are few different numbers, so few products are made
    for word, points in often.items():
        if (lanes := lanes_of_word(word)) is not None:
            alike[points].append(lanes)
    total = counted = 0
    for points, held in alike.items():
        weight = round(STEPS * log1p(points))
        total += weight * sum(held)
        counted += weight * len(held)
    added = array("I", total.to_bytes(4 * SIZE, "little"))
    figures = [figure - 128 * counted for figure in added]
    length = sqrt(sum(map(mul, figures, figures)))
    if not length:
        return ""
    steps = [round(LENGTH * figure / length) for figure in figures]
    if max(steps) > MOST or min(steps) < -MOST:
        steps = [max(-MOST, min(MOST, step)) for step in steps]
    return bytes([ZERO + step for step in steps]).decode("ascii")


def vector_of_query(stems: Iterable[str]) -> list[float] | None:
    """The vector of a query of these index words, of such a length that its product with a document's is their likeness; None without one."""
    vectors = [vector for stem in stems if (vector := vector_of_word(stem))]
    added = [sum(figures) for figures in zip(*vectors, strict=True)]
    length = sqrt(sum(map(mul, added, added)))
    return [figure / (length * LENGTH) for figure in added] if length else None


def alike(query: list[float] | None, vector: str) -> float:
    """How alike a query and a document with this `vector` are (a cosine); USUAL when one has no vector."""
    if query is None or not vector:
        return USUAL
    return float(sum(map(mul, query, vector.encode("ascii"))) - ZERO * sum(query))


def gain(likeness: float) -> float:
    """What the points of a document are multiplied by that is so much like the query."""
    return exp(LIKE * (likeness - USUAL))


def tables() -> dict[str, float]:
    """The figures of this module, as the page's search reads them."""
    return {"like": LIKE, "usual": USUAL, "size": SIZE, "length": LENGTH, "zero": ZERO}
