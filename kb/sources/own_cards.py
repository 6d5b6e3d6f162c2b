"""Protocol for games that support the user's own cards."""

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
    """The problems of a row, as sentences without their final stop."""

    def __init__(self, *wrong: str) -> None:
        super().__init__("; ".join(wrong))
        self.wrong = wrong


@frozen
class Column:
    """A column of a table of the user's own cards: its content, and other names for it."""

    name: str
    meaning: str
    kind: Literal["text", "number", "yes or no", "list"] = "text"
    also: tuple[str, ...] = ()


class OwnCards(Protocol):
    """Protocol for games that support the user's own cards: `own` of their part `cards`."""

    columns: Sequence[Column]
    samples: Sequence[Mapping[str, str]]
    """Rows of the template, by column."""
    further: frozenset[str]
    """Keys that a row in JSON may have in addition to the columns."""

    def foreign(self, document: Any) -> Iterable[Record] | None:
        """Return the rows of a JSON document that another program wrote; None if the game does not recognize it."""

    def index(self, known: Known) -> Any:
        """Build the lookup for `records` from the records that the game ships."""

    def records(self, row: Mapping[str, Any], index: Any, strict: bool) -> list[tuple[str, Record]]:
        """Return the records that a row makes, by kind (kb.own_records): a CARD or CHARACTER; or COPIES (`card`: its
        id, `copies`) and FACTS of a known card.

        If `strict`, contradictions to known facts also raise OwnCardError; otherwise the known facts count.
        """

    def named(self, record: Record) -> str:
        """Return the key of a CARD or CHARACTER that no two of the user's own cards may share."""
