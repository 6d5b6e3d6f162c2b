"""Functions that read a character sheet and list the checks that report something."""

from textwrap import dedent

import pytest

from kb.decks.deckfile import parse_deck
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.sheet import read_sheet

PLAIN = """\
game: tainted-grail
character: Beor
starting_attributes: {aggression: 2, courage: 1}
combat: 1-15
diplomacy: 1-15
"""


def sheet(text):
    return read_sheet(parse_deck(dedent(text), "sheet.yaml"))


def report(text):
    return check_sheet(sheet(text), "sheet.yaml")


@pytest.fixture
def found():
    """Return a function that adds the lines `more` to a plain sheet, removes the keys in `without`, and returns the
    findings of one check.
    """

    def run(check, more="", without=""):
        lines = [line for line in PLAIN.splitlines() if not (without and line.split(":")[0] in without.split())]
        return [
            finding for finding in report("\n".join(lines) + "\n" + dedent(more)).findings if finding.check.id == check
        ]

    return run
