"""What the parts of the search are made of, document by document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kb.retrieval import likeness
from kb.retrieval.analysis import index_words
from kb.retrieval.document import Document
from kb.retrieval.record import called
from kb.site.addresses import Addresses

KINDS = ("title", "alias", "part", "asked", "related", "body", "older")
"""The places of a document's texts, in the order in which texts are numbered; those before `related` have their sizes in the shape."""
as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""JSON in few letters."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """What of a document goes into the parts: its `shape` (JSON; see `shape_and_words`), its `names`, the `row` that shows it (JSON), its
    `vector` (kb.retrieval.likeness), and for each index word the texts that it `stands` in, as JSON with a comma behind it."""

    id: str
    row: str
    standing: str
    shape: str
    names: list[str]
    scopes: list[str]
    spoiler: str
    topic: str
    edition: str
    counterparts: list[str]
    vector: str
    stands: dict[str, str]


def analyses(stored: Iterable[tuple[str, str]], addresses: Addresses) -> Iterator[Analysed]:
    """The documents, `stored` as id and JSON, analysed."""
    for document_id, text in stored:
        yield analysed(Document.from_json(text), addresses.card(document_id) or "", addresses.entry(document_id))


def analysed(document: Document, card: str, entry: str) -> Analysed:
    """A document, analysed; it is shown at the address `card` or, when it is none, at `entry`."""
    shape, stands = shape_and_words(document)
    return Analysed(
        document.id,
        as_json(row(document, card if document.kind == "card" else entry)),
        document.standing,
        shape,
        called(document),
        [scope for scope in document.scopes if not f"{document.id}/".startswith(f"{scope}/")],
        document.spoiler or "",
        document.topic or "",
        document.edition or "",
        list(document.counterparts),
        likeness.vector_of(document),
        stands,
    )


def shape_and_words(document: Document) -> tuple[str, dict[str, str]]:
    """The shape of a document - for each of KINDS how many texts, the number of all index words, and how many different ones each text
    before those of `related` has - and the texts that each index word stands in, as often as it does."""
    placed = [
        (document.title,), document.aliases, document.parts, document.asked, document.related, document.sentences, document.older,
    ]  # fmt: skip
    texts = [index_words(text) for listed in placed for text in listed]
    counts = [len(listed) for listed in placed]
    stands: dict[str, list[str]] = {}
    for number, text in enumerate(texts):
        for word in text:
            stands.setdefault(word, []).append(str(number))
    sized = [len(set(text)) for text in texts[: sum(counts[: KINDS.index("related")])]]
    joined = {word: f"{at[0]}," if len(at) == 1 else f"[{','.join(at)}]," for word, at in stands.items()}
    return as_json([counts, sum(map(len, texts)), sized]), joined


def row(document: Document, address: str) -> list[Any]:
    """What shows a document. A card: last part of the id, address (see `short_address`), title, source, types. An entry: last part of the
    id, address, title, source, sentences, kind, spoiler, what differs in its twins, the number of the sentence that answers each of its
    questions; empty ones at the end are left out."""
    if document.kind == "card":
        told: list[Any] = [document.title, document.source, " ".join(document.sentences)]
    else:
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
