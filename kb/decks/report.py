"""Reports: all findings on one deck, and the number of findings of each severity."""

from __future__ import annotations

from typing import Any

from kb.decks.problems import SEVERITIES, Finding
from kb.frozen import frozen
from kb.plural import counted
from kb.shapes import Jsonable, computed, key


@frozen
class Located(Jsonable):
    """A finding on a party, with its line in the party file."""

    finding: Finding = key("flat")
    line: int = 0
    """Line in the party file; 0 if the finding has none."""


@frozen
class Report(Jsonable):
    """All findings on one deck. A deck is legal when no finding is an error."""

    file: str
    """The deck's file, followed by a number if the file contains several decks."""
    game: str
    """Id of the game."""
    character: str
    """The deck's owner."""
    findings: tuple[Finding, ...] = ()
    """The findings."""
    details: dict[str, Any] = key("optional", default_factory=dict)
    """Further facts that the game reports, such as the size of the deck."""

    @computed
    def legal(self) -> bool:
        """True if no finding is an error. Warnings and notes do not make a deck illegal."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def counted(self) -> str:
        """Return the numbers of findings, such as `2 errors, 1 note`; empty if there are none."""
        numbers = ((sum(finding.severity == level for finding in self.findings), level) for level in SEVERITIES)
        return ", ".join(counted(number, level) for number, level in numbers if number)
