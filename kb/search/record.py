"""What lies in the index of a document: what ranks it, what picks its sentence, and the document itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from kb.search.analysis import index_words, words
from kb.search.document import Document

Places = Mapping[str, Sequence[int]]
"""For each index word, the numbers of the texts that it stands in."""


@dataclass(frozen=True, slots=True)
class Record:
    """What ranks a document: its names (the first `names` texts), its questions (the next `asked`) and the cards it is about, as the
    number of different words of each text (`sizes`) and the texts of each word (`places`). `called` are its title and other names as
    they are compared with a whole query, `title` the index words of its title."""

    id: str
    game: str
    standing: str
    spoiler: bool
    topic: str | None
    called: list[str]
    title: list[str]
    names: int
    asked: int
    sizes: list[int]
    places: dict[str, list[int]]


def record_of(document: Document) -> Record:
    """What ranks the document, analysed."""
    names = [document.title, *document.aliases, *document.parts]
    analysed = [index_words(text) for text in (*names, *document.asked, *document.related)]
    return Record(
        document.id, document.game, document.standing, bool(document.spoiler), document.topic, called(document), analysed[0],
        len(names), len(document.asked), [len(set(text)) for text in analysed], places_of(analysed),
    )  # fmt: skip


def places_of(texts: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Where each word stands."""
    found: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        for word in dict.fromkeys(text):
            found.setdefault(word, []).append(number)
    return found


def called(document: Document) -> list[str]:
    """Title and other names of a document as they are compared with a whole query: folded, no word left out."""
    return list(dict.fromkeys(" ".join(words(name)) for name in (document.title, *document.aliases)))


def stored(document: Document) -> str:
    """Three lines of JSON: what ranks the document, where the words of its sentences stand, and the document; the latter two are read
    only when it is shown."""
    sentences = places_of([index_words(sentence) for sentence in document.sentences])
    return f"{as_json(asdict(record_of(document)))}\n{as_json(sentences)}\n{document.as_json}"


def record_in(data: bytes) -> Record:
    """What ranks the document of which `data` was stored."""
    return Record(**json.loads(data.partition(b"\n")[0]))


def sentences_in(data: bytes) -> Places:
    """Where the words of its sentences stand."""
    found: dict[str, list[int]] = json.loads(data.split(b"\n", 2)[1])
    return found


def document_in(data: bytes) -> Document:
    """The document itself."""
    return Document.from_json(data.split(b"\n", 2)[2])


def as_json(value: object, sort: bool = False) -> str:
    """JSON in few letters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort)
