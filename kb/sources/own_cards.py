"""What a game offers whose players may bring cards of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

from kb.errors import KbError
from kb.frozen import frozen

MOST_ROWS = 20_000
MOST_COPIES = 999

Record = dict[str, Any]
Known = Mapping[str, Sequence[Record]]


class OwnCardError(KbError, ValueError):
    """What is wrong with a row, as sentences without their final stop."""

    def __init__(self, *wrong: str) -> None:
        super().__init__("; ".join(wrong))
        self.wrong = wrong


@frozen
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

    def foreign(self, document: Any) -> Iterable[Record] | None:
        """The rows of a JSON document that another program wrote; None when it is none that the game knows."""

    def index(self, known: Known) -> Any:
        """What `records` looks cards up in, made of the records that the game ships."""

    def records(self, row: Mapping[str, Any], index: Any, strict: bool) -> list[tuple[str, Record]]:
        """The records that a row makes, by kind (kb.own_records): a CARD or CHARACTER; or COPIES (`card`:
        its id, `copies`) and FACTS of a card that is known.

        `strict`: what contradicts the facts that kb knows raises OwnCardError as well; else the known facts count.
        """

    def named(self, record: Record) -> str:
        """What a CARD or CHARACTER is called by that no two of one's own may share."""
