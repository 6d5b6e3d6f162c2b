"""Short ways to read a sheet and to see which checks find something."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.report import Finding, Report
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.model import Sheet
from kb.games.tainted_grail.decks.sheet import read_sheet

START = "starting_attributes: {aggression: 2, courage: 1}\n"
DECKS = "combat: 1-15\ndiplomacy: 1-15\n"
PLAIN = f"game: tainted-grail\ncharacter: Beor\n{START}{DECKS}"

Found = Callable[..., list[Finding]]


def sheet(text: str) -> Sheet:
    return read_sheet(parse_deck(dedent(text), "sheet.yaml"))


def report(text: str) -> Report:
    return check_sheet(sheet(text), "sheet.yaml")


@pytest.fixture
def found() -> Found:
    """What one check finds on a plain sheet with further lines; `without` leaves keys of the plain sheet out."""

    def run(check: str, more: str = "", without: str = "") -> list[Finding]:
        lines = [line for line in PLAIN.splitlines() if not (without and line.split(":")[0] in without.split())]
        return [
            finding for finding in report("\n".join(lines) + "\n" + dedent(more)).findings if finding.check == check
        ]

    return run
