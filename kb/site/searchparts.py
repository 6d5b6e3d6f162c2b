"""What the search of the site reads: figures on every document, which come with the first question, and parts that questions need.

There are three kinds of parts: `words` (for each index word the documents and the texts that it stands in, and its vector), `names` (what
documents are called) and `texts` (what a result shows). A part is named by what is in it. Documents are numbered in the order of their ids.
"""

from __future__ import annotations

import json
from array import array
from binascii import b2a_base64
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import sub
from typing import Any

from kb.retrieval.likeness import MOST as MOST_FIGURE
from kb.retrieval.likeness import ZERO, all_told
from kb.site.searchanalysis import Analysed, as_json

# How many letters a part has before the next one begins: a question reads a part for each of its words and for each result.
MOST, MOST_OF_TEXTS = 5_000, 2_000
Put = Callable[[str], str]
"""Takes a part (JSON) and gives its name."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What was written: for each game how many documents it has, what is told of each document, in how many each index word stands, and
    the names of documents that hold the name of a game or set."""

    games: list[tuple[str, int]]
    told: dict[str, Any]
    often: dict[str, int]
    longer: list[str]


def write_parts(documents: Iterable[Analysed], places: Collection[str], put: Put, vectors: bool = True) -> Parts:
    """Write the parts of `documents`, which come in the order of their ids. `places` is what games and sets are called; `vectors` are those
    of kb.retrieval.likeness."""
    words = Words()
    names: dict[str, list[int]] = {}
    games: dict[str, int] = {}
    shapes: dict[str, int] = {}
    folders, standings, shaped = Runs(), Runs(), Runs()
    scopes: dict[int, list[str]] = {}
    spoilers: dict[int, str] = {}
    topics: dict[int, int] = {}
    numbered: dict[tuple[str, str], int] = {}
    editions = Editions()
    texts = Cut(put, MOST_OF_TEXTS, "[]")
    alike: dict[int, str] = {}
    for number, document in enumerate(documents):
        game = document.id.partition("/")[0]
        games[game] = games.get(game, 0) + 1
        folders.add(document.id.rpartition("/")[0])
        standings.add(document.standing)
        shaped.add(shapes.setdefault(document.shape, len(shapes)))
        words.add(number, document)
        for place, name in enumerate(document.names):
            names.setdefault(name, []).append(number if place == 0 else -1 - number)
        if document.scopes:
            scopes[number] = document.scopes
        if document.spoiler:
            spoilers[number] = document.spoiler
        if document.topic:
            topics[number] = numbered.setdefault((game, document.topic), len(numbered))
        editions.add(number, document)
        if document.vector and vectors:
            alike[number] = document.vector
        texts.add(number, document.row)
    of_words = all_told() if vectors else {}
    told = {
        "folders": folders.listed, "standing": standings.listed, "scopes": scopes, "spoiler": spoilers, "topic": topics,
        "edition": editions.named, "counterparts": editions.counterparts(),
        "shapes": [json.loads(shape) for shape in shapes], "shape": shaped.listed, "likeness": joined(alike),
        "parts": {
            "words": in_parts(put, words.held, lambda word: words.told(word, of_words)),
            "names": in_parts(put, names, lambda name: as_json(names[name])),
            "texts": texts.done(),
        },
    }  # fmt: skip
    within = [(place, f" {place} ") for place in places]
    longer = [name for name in sorted(names) if is_longer(name, within)]
    return Parts([*games.items()], told, {word: len(numbers) for word, (numbers, _) in words.held.items()}, longer)


def is_longer(name: str, places: Iterable[tuple[str, str]]) -> bool:
    """Whether one of the `places`, each told plainly and between blanks, stands within a name."""
    spaced = f" {name} "
    return any(between in spaced and place != name for place, between in places)


class Words:
    """In which documents, and in which of their texts, each index word stands (`held`).

    Words stand in hundreds of thousands of places: a text for each would take megabytes.
    """

    def __init__(self) -> None:
        self.held: dict[str, tuple[array[int], bytearray]] = {}

    def add(self, number: int, document: Analysed) -> None:
        """Add the words of a document."""
        for word, at in document.stands.items():
            if (held := self.held.get(word)) is None:
                held = self.held[word] = (array("I"), bytearray())
            held[0].append(number)
            held[1].extend(at.encode("ascii"))

    def told(self, word: str, vectors: Mapping[bytes, bytes]) -> str:
        """What a part says of a word (JSON): steps between numbers, texts, and its vector if it has one."""
        numbers, at = self.held[word]
        vector = vectors.get(word.encode("utf-8", "surrogatepass"))
        more = f",{as_json(vector.decode('ascii'))}" if vector else ""
        return f"[{as_json(steps(numbers))},[{at[:-1].decode('ascii')}]{more}]"


class Editions:
    """Of which edition of the rules a game's documents are (`named`, by number), and which of other editions state their rules."""

    def __init__(self) -> None:
        self.named: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._others: dict[int, list[str]] = {}

    def add(self, number: int, document: Analysed) -> None:
        """Add a document, if it is of an edition."""
        if document.edition:
            self.named[number], self._numbers[document.id] = document.edition, number
            self._others[number] = document.counterparts

    def counterparts(self) -> dict[int, list[int]]:
        """By number those that state the same rule, where there are any."""
        told = {
            number: [self._numbers[each] for each in ids if each in self._numbers]
            for number, ids in self._others.items()
        }
        return {number: others for number, others in told.items() if others}


class Runs:
    """Equal values that follow each other, as [value, how many, value, how many, ...]."""

    def __init__(self) -> None:
        self.listed: list[Any] = []

    def add(self, value: object) -> None:
        """Add a value."""
        if self.listed and self.listed[-2] == value:
            self.listed[-1] += 1
        else:
            self.listed += [value, 1]


class Cut:
    """Cuts what is added into parts. A part is told by the key of the first thing in it."""

    def __init__(self, put: Put, most: int, around: str) -> None:
        self._put, self._most, self._around = put, most, around
        self._told: list[Any] = []
        self._held: list[str] = []
        self._letters = 0

    def add(self, key: object, text: str) -> None:
        """Add a thing, whose keys come in order."""
        if not self._held:
            self._told.append(key)
        self._held.append(text)
        self._letters += len(text)
        if self._letters >= self._most:
            self._end()

    def _end(self) -> None:
        if self._held:
            self._told.append(self._put(self._around[0] + ",".join(self._held) + self._around[1]))
            self._held, self._letters = [], 0

    def done(self) -> list[Any]:
        """The first key and the name of each part."""
        self._end()
        return self._told


def in_parts(put: Put, keys: Iterable[str], text: Callable[[str], str]) -> list[Any]:
    """Write what is told of each key as parts, in the order in which a page compares words."""
    parts = Cut(put, MOST, "{}")
    for key in sorted(keys, key=lambda key: key.encode("utf-16-be", "surrogatepass")):
        parts.add(key, f"{as_json(key)}:{text(key)}")
    return parts.done()


def joined(vectors: Mapping[int, str]) -> list[list[Any]]:
    """The vectors of documents, by growing numbers: those that follow each other as one text, with the first number.

    Two letters are one byte, and the bytes are in base64: as letters they would be half as long again.
    """
    found: list[list[Any]] = []
    following = None
    for number, vector in vectors.items():
        if number != following:
            found.append([number, ""])
        found[-1][1] += vector
        following = number + 1
    least = ZERO - MOST_FIGURE
    for run in found:
        figures = [letter - least for letter in run[1].encode("ascii")]
        packed = bytes(16 * one + other for one, other in zip(figures[::2], figures[1::2], strict=True))
        run[1] = b2a_base64(packed, newline=False).decode("ascii")
    return found


def steps(numbers: Sequence[int]) -> list[int]:
    """Growing numbers as the steps between them."""
    return [*numbers[:1], *map(sub, numbers[1:], numbers)]
