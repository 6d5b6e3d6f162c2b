"""What lies in the index of a document: what ranks it and picks its sentence, and the document itself."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from operator import attrgetter

from kb.search.analysis import index_words, words
from kb.search.document import IN_ORDER, Document, json_bytes
from kb.search.likeness import vector_of

FIRST = json.JSONDecoder()
SORTED = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
# Stands between words and numbers where the places lie in the index, and in no index word: what letters of other scripts are folded to may
# have spaces, commas and brackets.
BETWEEN = "|"
Places = Mapping[str, Sequence[int]]
"""For each index word, the numbers of the texts that it stands in."""


@dataclass(frozen=True, slots=True)
class Record:
    """What ranks a document: its texts - names (the first `names`), questions (the next `asked`), cards it is about (the next
    `related`), the sentences of its body - as the number of different words of each text but the sentences (`sizes`) and the texts of
    each word (`places`). `called` are its title and other names as they are compared with a whole query, `title` the index words of its
    title, `vector` is kb.search.likeness.vector_of it."""

    id: str
    game: str
    standing: str
    spoiler: bool
    topic: str | None
    called: list[str]
    title: list[str]
    names: int
    asked: int
    related: int
    sizes: list[int]
    places: Places
    vector: str

    @property
    def body(self) -> int:
        """The number of the first sentence among the texts."""
        return self.names + self.asked + self.related


KEYS = tuple(part.name for part in fields(Record))
KEPT = attrgetter(*KEYS)


def record_of(document: Document) -> Record:
    """What ranks the document, analysed."""
    names = [document.title, *document.aliases, *document.parts]
    short = [index_words(text) for text in (*names, *document.asked, *document.related)]
    body = [index_words(sentence) for sentence in document.sentences]
    return Record(
        document.id, document.game, document.standing, bool(document.spoiler), document.topic, called(document), list(short[0]),
        len(names), len(document.asked), len(document.related), [len(set(text)) for text in short], places_of([*short, *body]),
        vector_of(document),
    )  # fmt: skip


def places_of(texts: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Where each word stands."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for word in dict.fromkeys(text):
            found[word].append(number)
    return found


def called(document: Document) -> list[str]:
    """Title and other names of a document as they are compared with a whole query: folded, no word left out."""
    return list(dict.fromkeys(" ".join(words(name)) for name in (document.title, *document.aliases)))


def stored(record: Record, document: Document) -> bytes:
    """Two lines of JSON: what ranks the document, and the document, which is read only when it is shown."""
    told = {**dict(zip(KEYS, KEPT(record), strict=True)), "places": told_places(record.places)}
    return json_bytes(told) + b"\n" + document.as_json


def record_in(data: bytes) -> Record:
    """What ranks the document of which `data` was stored."""
    told = json.loads(data.partition(b"\n")[0])
    return Record(**{**told, "places": places_in(told["places"])})


def told_places(places: Places) -> str:
    """Where each word stands as one text: a list for each word would take most of the time of reading a record."""
    return BETWEEN.join(f"{word}{BETWEEN}{','.join(map(str, numbers))}" for word, numbers in places.items())


def places_in(told: str) -> Places:
    """Where each word stands, as it was told."""
    found = iter(told.split(BETWEEN))
    return {word: numbers_in(numbers) for word, numbers in zip(found, found, strict=False)}


@lru_cache(maxsize=20_000)
def numbers_in(told: str) -> Sequence[int]:
    """The numbers of texts; most records share them."""
    return tuple(map(int, told.split(",")))


def document_in(data: bytes) -> Document:
    """The document itself."""
    return Document.from_json(data.partition(b"\n")[2])


def json_in(data: bytes) -> tuple[str, str]:
    """The document's id and its JSON, a list that begins with the id."""
    text = data.partition(b"\n")[2].decode("utf-8")
    return str(FIRST.raw_decode(text, 1)[0]), text


def as_json(value: object, sort: bool = False) -> str:
    """JSON in few letters."""
    return (SORTED if sort else IN_ORDER).encode(value)
