"""Party files as texts, rebuilt with the real card facts; and small sets of cards for exhaustive search."""

from kb.decks.deckfile import parse_deck
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table_check import judge
from kb.games.pathfinder.party.table_file import read_table

from ..decks.conftest import FACTS


def read(text):
    """Read the party in a text."""
    return read_table(parse_deck(text, "table"), FACTS)


def rebuilt(text, fill=False):
    """Return a party and its rebuilt decks."""
    table = read(text).table
    return table, rebuild_party(table, FACTS, fill)


def findings(text):
    """Return the findings for a party."""
    file = read(text)
    done = None if file.strangers else rebuild_party(file.table, FACTS, fill=True)
    return list(judge(file, done, FACTS))
