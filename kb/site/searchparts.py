"""The search of the site in parts: what ranks and shows the documents of one game, so that a page loads what its query needs.

A game has a head, which tells how its documents lie and which part holds what, and three kinds of parts: `words` (for each index word the
documents and the texts that it stands in), `names` (what documents are called) and `texts` (what a result shows). A part is named by
what is in it.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

from kb.search.analysis import index_words
from kb.search.document import Document
from kb.search.record import called
from kb.site.addresses import Addresses

# How many letters a part has before the next one begins: of texts many parts are read for a few lines each.
MOST, MOST_OF_TEXTS = 4_000, 2_000
KINDS = ("title", "alias", "part", "asked", "related", "body", "older")
"""The places of a document's texts, in the order in which texts are numbered; those before `related` have their sizes in the head."""
Value = TypeVar("Value")
Put = Callable[[str], str]
"""Takes a part (JSON) and gives its name."""


@dataclass(frozen=True, slots=True)
class GameParts:
    """A game whose parts were written: how many documents it has, the name of its head, how many documents hold each index word, and
    the names of documents that hold the name of a game or set."""

    id: str
    size: int
    head: str
    often: Counter[str]
    longer: list[str]


def write_parts(
    documents: Iterable[Document], addresses: Addresses, places: Collection[str], put: Put
) -> Iterator[GameParts]:
    """Write the parts of each game of `documents`, which come in the order of their ids. `places` is what games and sets are called."""
    for game, listed in groupby(documents, key=lambda document: document.id.split("/")[0]):
        yield parts_of(game, listed, addresses, places, put)


def parts_of(
    game: str, documents: Iterable[Document], addresses: Addresses, places: Collection[str], put: Put
) -> GameParts:
    """Write the parts of a game."""
    words: dict[str, tuple[array[int], bytearray]] = {}
    names: dict[str, list[int]] = {}
    shapes: dict[str, int] = {}
    folders, standings, shaped = Runs(), Runs(), Runs()
    scopes: dict[int, list[str]] = {}
    spoilers: dict[int, str] = {}
    topics: dict[int, int] = {}
    numbered: dict[str, int] = {}
    texts = Cut(put, MOST_OF_TEXTS, "[]")
    size = 0
    for number, document in enumerate(documents):
        size += 1
        folders.add(document.id.rpartition("/")[0])
        standings.add(document.standing)
        shape, stands = analysed(document)
        shaped.add(shapes.setdefault(shape, len(shapes)))
        for word, at in stands.items():
            held = words.setdefault(word, (array("I"), bytearray()))
            held[0].append(number)
            held[1].extend(f"{as_json(at[0] if len(at) == 1 else at)},".encode())
        for place, name in enumerate(called(document)):
            names.setdefault(name, []).append(number if place == 0 else -1 - number)
        if further := [scope for scope in document.scopes if not f"{document.id}/".startswith(f"{scope}/")]:
            scopes[number] = further
        if document.spoiler:
            spoilers[number] = document.spoiler
        if document.topic:
            topics[number] = numbered.setdefault(document.topic, len(numbered))
        texts.add(number, as_json(row(addresses, document)))
    parts = {
        "words": in_parts(put, words, lambda held: f"[{as_json(steps(held[0]))},[{held[1][:-1].decode()}]]"),
        "names": in_parts(put, names, as_json),
        "texts": texts.done(),
    }
    head = {
        "folders": folders.listed, "standing": standings.listed, "scopes": scopes, "spoiler": spoilers, "topic": topics,
        "shapes": [json.loads(shape) for shape in shapes], "shape": shaped.listed, **parts,
    }  # fmt: skip
    longer = [name for name in sorted(names) if any(f" {place} " in f" {name} " and place != name for place in places)]
    return GameParts(
        game, size, put(as_json(head)), Counter({word: len(held[0]) for word, held in words.items()}), longer
    )


def analysed(document: Document) -> tuple[str, dict[str, list[int]]]:
    """The shape of a document - for each of KINDS how many texts, the number of all index words, and how many different ones each text
    before those of `related` has - and the texts that each index word stands in, as often as it does."""
    placed = [
        (document.title,), document.aliases, document.parts, document.asked, document.related, document.sentences, document.older,
    ]  # fmt: skip
    texts = [index_words(text) for listed in placed for text in listed]
    counts = [len(listed) for listed in placed]
    stands: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        for word in text:
            stands.setdefault(word, []).append(number)
    sized = [len(set(text)) for text in texts[: sum(counts[: KINDS.index("related")])]]
    return as_json([counts, sum(map(len, texts)), sized]), stands


def row(addresses: Addresses, document: Document) -> list[Any]:
    """What shows a document. A card: last part of the id, address (see `short_address`), title, source, types. An entry: last part of the
    id, address, title, source, sentences, kind, spoiler, what differs in its twins, the number of the sentence that answers each of its
    questions; empty ones at the end are left out."""
    if document.kind == "card":
        address = addresses.card(document.id) or ""
        told: list[Any] = [document.title, document.source, " ".join(document.sentences)]
    else:
        address = addresses.entry(document.id)
        told = [
            document.title, document.source, document.sentences, document.kind, document.spoiler or "", document.differs or "",
            document.answered_by,
        ]  # fmt: skip
        while not told[-1]:
            told.pop()
    return [document.id.rpartition("/")[2], short_address(document.id, address), *told]


def short_address(document: str, address: str) -> int | str:
    """An address, empty for what has no page; 1 stands for the id's own page, 2 for its place on the page of the list it is in."""
    folder, _, name = document.rpartition("/")
    return {f"{document}.html": 1, f"{folder}.html#{name}": 2}.get(address, address)


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


def in_parts(put: Put, found: dict[str, Value], text: Callable[[Value], str]) -> list[Any]:
    """Write what is `found` by word as parts, in the order in which a page compares words."""
    parts = Cut(put, MOST, "{}")
    for word in sorted(found, key=lambda word: word.encode("utf-16-be", "surrogatepass")):
        parts.add(word, f"{as_json(word)}:{text(found[word])}")
    return parts.done()


def steps(numbers: Iterable[int]) -> list[int]:
    """Growing numbers as the steps between them."""
    found, last = [], 0
    for number in numbers:
        found.append(number - last)
        last = number
    return found


def as_json(value: object) -> str:
    """JSON in few letters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
