"""What a game offers whose players may bring cards of their own, and the kinds of records that these become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from kb.errors import KbError

PREFIX = "own:"
"""Kinds of records that begin so are the user's own: a catalog that is read for others has none of them."""
CARD, CHARACTER = f"{PREFIX}card", f"{PREFIX}character"
"""A card, or a character, that kb does not know."""
BROUGHT = (CARD, CHARACTER)
COPIES, FACTS = f"{PREFIX}copies", f"{PREFIX}facts"
"""How many copies of a card that it knows are owned; what kb does not know of such a card."""
MOST_ROWS = 20_000
MOST_COPIES = 999

Record = dict[str, Any]
Known = Mapping[str, Sequence[Record]]


class OwnCardError(KbError, ValueError):
    """What is wrong with a row, as sentences without their final stop."""

    def __init__(self, *wrong: str) -> None:
        super().__init__("; ".join(wrong))
        self.wrong = wrong


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of one's own cards: what it holds, and other names that people give it."""

    name: str
    meaning: str
    kind: Literal["text", "number", "yes or no", "list"] = "text"
    also: tuple[str, ...] = ()


class OwnCards(Protocol):
    """What a game offers whose players may bring cards of their own: `own` of its part `cards`."""

    columns: Sequence[Column]
    samples: Sequence[Mapping[str, str]]
    """Rows that a template shows, by column."""
    further: frozenset[str]
    """Keys that a row in JSON may have besides the columns."""

    def index(self, known: Known) -> Any:
        """What `records` looks cards up in, made of the records that the game ships."""

    def records(self, row: Mapping[str, Any], index: Any, strict: bool) -> list[tuple[str, Record]]:
        """The records that a row makes, by kind: a CARD or CHARACTER; or COPIES (`card`: its id, `copies`) and FACTS of a card that is known.

        `strict`: what contradicts the facts that kb knows raises OwnCardError as well; else the known facts count.
        """

    def named(self, record: Record) -> str:
        """What a CARD or CHARACTER is called by that no two of one's own may share."""
