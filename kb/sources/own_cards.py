"""The protocol for games that support the user's own cards."""

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
    """The problems in a row of the user's own cards. Each is a sentence without its final full stop."""

    def __init__(self, *wrong: str) -> None:
        super().__init__("; ".join(wrong))
        self.wrong = wrong


@frozen
class Column:
    """A column in a table of the user's own cards. `meaning` describes its content, and `also` lists other names for
    the column.
    """

    name: str
    meaning: str
    kind: Literal["text", "number", "yes or no", "list"] = "text"
    also: tuple[str, ...] = ()


class OwnCards(Protocol):
    """Protocol for games that support the user's own cards. It is the `own` attribute of the game's `cards` part."""

    columns: Sequence[Column]
    samples: Sequence[Mapping[str, str]]
    """Example rows for the template of a table. Keys are names of columns."""
    further: frozenset[str]
    """Keys that a row in JSON can have in addition to the columns."""

    def foreign(self, document: Any) -> Iterable[Record] | None:
        """Return the rows of a JSON document that another program wrote. None if the game does not recognize the
        document.
        """

    def index(self, known: Known) -> Any:
        """Return a lookup table for `records`, made from the records that kb ships."""

    def records(self, row: Mapping[str, Any], index: Any, strict: bool) -> list[tuple[str, Record]]:
        """Convert a row to records, each with its kind (see kb.own_records).

        A row becomes either a CARD or CHARACTER, or the COPIES and FACTS of a known card. In COPIES, `card` is the id
        of that card and `copies` the number of copies. If `strict` is True, a row that contradicts known facts raises
        OwnCardError. Otherwise, the known facts are used.
        """

    def named(self, record: Record) -> str:
        """Return the key of a CARD or CHARACTER. No two of the user's own cards can have the same key."""
