"""Tables as texts, rebuilt with the real card facts; and small worlds of a few cards for exhaustive search."""

from __future__ import annotations

from kb.decks.deckfile import parse_deck
from kb.decks.report import Located
from kb.games.pathfinder.party.checks import judge
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table import Rebuilt, Table, TableFile, read_table

from ..decks.conftest import FACTS


def read(text: str) -> TableFile:
    """The table that a text describes."""
    return read_table(parse_deck(text, "table"), FACTS)


def rebuilt(text: str, fill: bool = False) -> tuple[Table, Rebuilt]:
    """A table and its rebuilt decks."""
    table = read(text).table
    return table, rebuild_party(table, FACTS, fill)


def findings(text: str) -> list[Located]:
    """What is said of a table."""
    file = read(text)
    done = None if file.strangers else rebuild_party(file.table, FACTS, fill=True)
    return list(judge(file, done, FACTS))
