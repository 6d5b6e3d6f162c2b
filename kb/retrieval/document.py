"""The input of the search index: a document for each entry and card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any

from kb.registry.about import Edition

# Kind (and standing) of a passage from a rulebook that the user imported.
RULEBOOK = "rulebook"
# Standing of one of the user's own cards.
OWN_CARD = "own card"
# Standings of documents that leave this machine only on request.
OWN = frozenset({RULEBOOK, OWN_CARD})


@dataclass(frozen=True)
class Document:
    """An entry or card for the search index.

    `scopes` contains the id prefixes that the document is found under, such as its game and its set. `aliases` are
    other names. `asked` are questions that it answers; for each of them, `answered_by` has the number of the sentence
    that answers it, or None. `parts` are headings within the body. `sentences` is the body as plain sentences.
    `related` contains the names of the cards that the document is about. `older` are superseded wordings.

    `source` is its citation in words. `covers` are the ids of the headings that it restates or, for a ruling, decides.
    `standing` ranks it among equally good results (see kb.retrieval.ranking). `codes` are printed numbers and similar
    names (`01020`). Documents of a game with the same `topic` state the same rule in several sets; `differs` is a
    sentence about the difference in this set.

    `edition` is the id prefix of its edition of the rules, or None if it is valid in all editions. `counterparts` maps
    the ids of entries in other editions that state the same rule, or replaced it, to a sentence about the difference.
    """

    id: str
    game: str
    kind: str
    title: str
    scopes: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    answered_by: tuple[int | None, ...] = ()
    parts: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    source: str = ""
    covers: tuple[str, ...] = field(default=())
    spoiler: str | None = None
    standing: str = "rule"
    codes: tuple[str, ...] = ()
    topic: str | None = None
    differs: str | None = None
    edition: str | None = None
    counterparts: Mapping[str, str | None] = field(default_factory=dict)

    def by_code(self, name: str) -> str:
        """Return the id of the printing whose code is `name`. If there is none, return the document's own id."""
        code = name.strip().casefold()
        return f"{self.id.rpartition('/')[0]}/{name.strip()}" if code in map(str.casefold, self.codes) else self.id

    @property
    def own(self) -> bool:
        """True if it comes from the user's own rulebook or cards. No site and no export may contain these."""
        return self.standing in OWN

    @cached_property
    def as_json(self) -> bytes:
        """The document as a JSON list of values, in the order of the fields."""
        return json_bytes(VALUES(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Document:
        """Return the document whose `as_json` is `text`."""
        values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(text)]
        return cls(*values)


VALUES = attrgetter(*(part.name for part in fields(Document)))


def json_bytes(value: object) -> bytes:
    """Return a value as compact JSON in UTF-8. Raises ValueError for unpaired surrogates."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


@dataclass(frozen=True)
class Vocabulary:
    """Names that players use.

    `synonyms` are groups of equivalent phrases, by game. `called` are names of a game or set, by id prefix. `editions`
    are the editions of each game, newest first.
    """

    synonyms: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    called: Mapping[str, Sequence[str]] = field(default_factory=dict)
    editions: Mapping[str, Sequence[Edition]] = field(default_factory=dict)
