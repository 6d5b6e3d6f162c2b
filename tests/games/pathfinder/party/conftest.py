"""Tables as texts, rebuilt with the real card facts; and small worlds of a few cards for exhaustive search."""

from kb.decks.deckfile import parse_deck
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table_check import judge
from kb.games.pathfinder.party.table_file import read_table

from ..decks.conftest import FACTS


def read(text):
    """The table that a text describes."""
    return read_table(parse_deck(text, "table"), FACTS)


def rebuilt(text, fill=False):
    """A table and its rebuilt decks."""
    table = read(text).table
    return table, rebuild_party(table, FACTS, fill)


def findings(text):
    """What is said of a table."""
    file = read(text)
    done = None if file.strangers else rebuild_party(file.table, FACTS, fill=True)
    return list(judge(file, done, FACTS))
