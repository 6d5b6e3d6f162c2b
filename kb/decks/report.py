"""Reports: all findings on one deck, and the severity counts that every window shows."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from kb.decks.problems import SEVERITIES, Finding
from kb.frozen import frozen
from kb.jsonable import FLAT, OPTIONAL, Jsonable, key
from kb.plural import counted


@frozen
class Located(Jsonable):
    """A finding on a table."""

    finding: Finding = field(metadata=FLAT)
    line: int = 0
    """Its line in the table file; 0: none."""


@frozen
class Report(Jsonable):
    """All findings on one deck. A deck is legal when no finding is an error."""

    file: str
    """The deck's file; with a number where it holds several."""
    game: str
    """Id of the game."""
    character: str
    """Whose deck it is."""
    findings: tuple[Finding, ...] = ()
    """What was found."""
    details: dict[str, Any] = field(default_factory=dict, metadata=OPTIONAL)
    """What the game tells besides, such as the size of the deck."""

    @key
    def legal(self) -> bool:
        """Whether no finding is an error (warnings and notes do not make a deck illegal)."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def counted(self) -> str:
        """`2 errors, 1 note`; empty without findings."""
        numbers = ((sum(finding.severity == level for finding in self.findings), level) for level in SEVERITIES)
        return ", ".join(counted(number, level) for number, level in numbers if number)
