"""What the search index takes in: one document for each entry or card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any

from kb.registry.about import Edition

# Kind (and standing) of a passage of a rulebook that the user has imported.
RULEBOOK = "rulebook"
# Standing of a card of the user's own.
OWN_CARD = "own card"
# Standings of what leaves this machine only when asked for.
OWN = frozenset({RULEBOOK, OWN_CARD})


@dataclass(frozen=True)
class Document:
    """An entry or card as the index sees it.

    `scopes` are the id prefixes under which it is found (a game, a set of it); `sentences` is the body as plain
    sentences; `parts` are headings within the body; `related` are names of cards it is about; `older` are superseded
    wordings; `source` is its citation in words; `standing` ranks it among equals (see kb.retrieval.ranking).
    `answered_by` holds, for each question of `asked`, the number of the sentence that answers it, where it is known.
    `covers` are the outline ids that it restates or, for a ruling, decides. `codes` are printed numbers and the like by which
    it is called (`01020`). Documents of a game with the same `topic` state the same rule in several sets; `differs` says in a
    sentence what is different here. `edition` is the place of the edition of the rules that it is of (None: it holds in all), and
    `counterparts` are the ids of entries of other editions that state its rule or took its place, each with a sentence on
    how the two differ.
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
        """The id of the printing that has `name` as its code, else the document's own."""
        code = name.strip().casefold()
        return f"{self.id.rpartition('/')[0]}/{name.strip()}" if code in map(str.casefold, self.codes) else self.id

    @property
    def own(self) -> bool:
        """Whether it comes from the user's own rulebook or cards: it leaves this machine neither in a site nor in an export."""
        return self.standing in OWN

    @cached_property
    def as_json(self) -> bytes:
        """Everything the document says, as a JSON list in the order of the fields."""
        return json_bytes(VALUES(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Document:
        """The document that `as_json` wrote."""
        values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(text)]
        return cls(*values)


VALUES = attrgetter(*(part.name for part in fields(Document)))


def json_bytes(value: object) -> bytes:
    """A value as JSON in few letters, in UTF-8. Raises ValueError for half characters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


@dataclass(frozen=True)
class Vocabulary:
    """What players call things: groups of equivalent phrases by game, the names of a game or set by id prefix, and the editions of each
    game's rules, the newest first."""

    synonyms: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    called: Mapping[str, Sequence[str]] = field(default_factory=dict)
    editions: Mapping[str, Sequence[Edition]] = field(default_factory=dict)
