"""The data that the index uses to rank a document and choose its sentence. This data is stored separately from the
document itself.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields
from operator import attrgetter

from kb.frozen import frozen
from kb.retrieval.analysis import index_words, words
from kb.retrieval.document import Document, json_bytes
from kb.retrieval.likeness import vector_of

Places = Mapping[str, Sequence[int]]
"""For each index word, the numbers of the texts that contain it."""


@frozen
class IndexRecord:
    """The data used to rank a document.

    The texts of the document are numbered. The first `names` texts are names, the next `asked` texts are questions, the
    next `related` texts are names of cards that the document is about, and the others are the sentences of its body.
    `sizes` has the number of different words in each text before the sentences, and `places` has the texts that contain
    each word.

    `called` contains the title and other names of the document, normalized for comparison with a whole query.
    `title_cards` contains the numbers of those `related` texts that name a card mentioned in the title (outside
    brackets). `vector` is the result of kb.retrieval.likeness.vector_of. `edition` and `counterparts` are copied from
    the document.
    """

    id: str
    game: str
    standing: str
    spoiler: bool
    topic: str | None
    called: list[str]
    title_cards: list[int]
    names: int
    asked: int
    related: int
    sizes: list[int]
    places: Places
    vector: str
    edition: str | None
    counterparts: list[str]

    @property
    def body(self) -> int:
        """The number of the first sentence among the texts."""
        return self.names + self.asked + self.related

    @property
    def as_json(self) -> bytes:
        """The record as a JSON list of values, in the order of the fields."""
        return json_bytes(VALUES(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> IndexRecord:
        """Return the record whose `as_json` is `text`."""
        return cls(*json.loads(text))


# Cards in brackets are only examples of the title's subject.
EXAMPLES = re.compile(r"\([^()]*\)")
VALUES = attrgetter(*(part.name for part in fields(IndexRecord)))


def record_of(document: Document) -> IndexRecord:
    """Return the record used to rank a document."""
    names = [document.title, *document.aliases, *document.parts]
    short = [index_words(text) for text in (*names, *document.asked, *document.related)]
    body = [index_words(sentence) for sentence in document.sentences]
    return IndexRecord(
        document.id, document.game, document.standing, bool(document.spoiler), document.topic, called(document),
        title_cards(document),
        len(names), len(document.asked), len(document.related), [len(set(text)) for text in short], places_of([*short, *body]),
        vector_of(document), document.edition, list(document.counterparts),
    )  # fmt: skip


def title_cards(document: Document) -> list[int]:
    """Return the numbers of the texts with cards that the title of a document names outside brackets."""
    title = set(index_words(EXAMPLES.sub("", document.title)))
    first = 1 + len(document.aliases) + len(document.parts) + len(document.asked)
    return [
        first + at for at, card in enumerate(document.related) if (name := set(index_words(card))) and name <= title
    ]


def places_of(texts: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return the numbers of the texts that contain each word. `texts` are lists of words."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for word in dict.fromkeys(text):
            places[word].append(number)
    return places


def called(document: Document) -> list[str]:
    """Return the title and other names of a document, normalized for comparison with a whole query. Each name is
    folded and keeps all its words.
    """
    return list(dict.fromkeys(" ".join(words(name)) for name in (document.title, *document.aliases)))
