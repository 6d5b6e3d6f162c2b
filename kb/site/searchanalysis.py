"""What the parts of the search are made of, document by document: analysed once, and kept for the next build.

A document's analysis is kept under a digest of all that it is made from, in one file for each game that holds those of its last build.
What was kept by another analyser, or was damaged since, is not there: the documents are analysed again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kb.files import packed
from kb.files.packed import Texts
from kb.files.remembered import recalled, remember
from kb.retrieval import analysis, likeness, record
from kb.retrieval import document as documents
from kb.retrieval.analysis import index_words
from kb.retrieval.document import OWN, Document
from kb.retrieval.record import called
from kb.site.addresses import Addresses

KINDS = ("title", "alias", "part", "asked", "related", "body", "older")
"""The places of a document's texts, in the order in which texts are numbered; those before `related` have their sizes in the head."""
DIGEST, COUNT = 16, 8
"""Bytes of a digest, and of the number of digests."""
KEPT = "search"
"""The folder of kb's cache with what is kept."""
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
    vector: str
    stands: dict[str, str]


def analyses(game: str, stored: Iterable[tuple[str, str]], addresses: Addresses) -> Iterator[Analysed]:
    """The documents of a game, `stored` as id and JSON, analysed. What is the user's own is not kept for the next time."""
    recipe = f"{analyser()}\0{game}".encode()
    before, kept = kept_before(recipe)
    lines, keys = Texts(), bytearray()
    same = True
    for document_id, text in stored:
        places = (addresses.card(document_id) or "", addresses.entry(document_id))
        key = hashlib.blake2b("\0".join((text, *places)).encode("utf-8"), digest_size=DIGEST).digest()
        number = before.pop(key, None)
        if number is not None:
            line = kept[number]
            found = read(document_id, line)
        else:
            found = analysed(Document.from_json(text), *places)
            line = told(found)
        if found.standing not in OWN:
            lines.add(line)
            keys += key
            same = same and number is not None
        yield found
    if not same or before:
        lines.close()
        remember(KEPT, recipe, len(lines).to_bytes(COUNT, "big") + keys + lines.told())


def kept_before(recipe: bytes) -> tuple[dict[bytes, int], Texts]:
    """What was kept of a recipe: the numbers of the analyses by their digests, and the analyses."""
    found = recalled(KEPT, recipe)
    if found is None:
        return {}, Texts()
    size = DIGEST * int.from_bytes(found[:COUNT], "big")
    keys, lines = found[COUNT : COUNT + size], Texts.of(found[COUNT + size :])
    return {keys[at : at + DIGEST]: at // DIGEST for at in range(0, size, DIGEST)}, lines


def analyser() -> str:
    """A name for how documents are analysed, which changes with it."""
    found = hashlib.blake2b(f"{sys.version}\0{version('whoosh-reloaded')}".encode(), digest_size=16)
    for file in (
        __file__,
        packed.__file__,
        analysis.__file__,
        documents.__file__,
        likeness.__file__,
        likeness.FILE,
        record.__file__,
    ):
        found.update(Path(file).read_bytes())
    return found.hexdigest()


def told(found: Analysed) -> str:
    """An analysis as a line: the row, then the rest. No JSON holds a tab or the end of a line."""
    rest = [
        found.standing,
        found.shape,
        found.names,
        found.scopes,
        found.spoiler,
        found.topic,
        found.vector,
        found.stands,
    ]
    return f"{found.row}\t{as_json(rest)}"


def read(document_id: str, line: str) -> Analysed:
    """The analysis of which `line` was told."""
    row, _, rest = line.partition("\t")
    return Analysed(document_id, row, *json.loads(rest))


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
