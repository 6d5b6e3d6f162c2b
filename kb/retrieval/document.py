"""The input of the search index: one document for each entry or card."""

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
    """An entry or card for the index.

    `scopes` are the id prefixes under which it is found (a game, a set of it); `sentences` is the body as plain
    sentences; `parts` are headings within the body; `related` are names of cards it is about; `older` are superseded
    wordings; `source` is its citation in words; `standing` ranks it among equals (see kb.retrieval.ranking).
    `answered_by` has, for each question in `asked`, the number of the sentence that answers it, if known. `covers` are
    the outline ids that it restates or, for a ruling, decides. `codes` are printed numbers and similar names (`01020`).
    Documents of a game with the same `topic` state the same rule in several sets; `differs` describes in a sentence the
    difference in this set. `edition` is the place of its edition of the rules (None: valid in all), and `counterparts`
    are the ids of entries of other editions that state the same rule or replaced it, each with a sentence on the
    difference.
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
        """Return the id of the printing that has `name` as its code, or else the document's own."""
        code = name.strip().casefold()
        return f"{self.id.rpartition('/')[0]}/{name.strip()}" if code in map(str.casefold, self.codes) else self.id

    @property
    def own(self) -> bool:
        """Return True if it comes from the user's own rulebook or cards, which no site and no export may contain."""
        return self.standing in OWN

    @cached_property
    def as_json(self) -> bytes:
        """The values of the document as a JSON list in the order of the fields."""
        return json_bytes(VALUES(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Document:
        """Return the document that `as_json` wrote."""
        values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(text)]
        return cls(*values)


VALUES = attrgetter(*(part.name for part in fields(Document)))


def json_bytes(value: object) -> bytes:
    """Return a value as compact JSON in UTF-8. Raises ValueError for half of a surrogate pair."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


@dataclass(frozen=True)
class Vocabulary:
    """Players' names for things: groups of equivalent phrases by game, the names of a game or set by id prefix, and
    the editions of each game's rules, the newest first.
    """

    synonyms: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    called: Mapping[str, Sequence[str]] = field(default_factory=dict)
    editions: Mapping[str, Sequence[Edition]] = field(default_factory=dict)
