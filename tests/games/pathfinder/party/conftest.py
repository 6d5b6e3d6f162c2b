"""Functions that read and rebuild a party given as text, with the repository's card facts."""

from kb.decks.deckfile import parse_deck
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table_check import judge
from kb.games.pathfinder.party.table_file import read_table

from ..decks.conftest import FACTS


def read(text):
    """Return the party in `text`."""
    return read_table(parse_deck(text, "table"), FACTS)


def rebuilt(text, fill=False):
    """Return the party in `text`, and the result of rebuilding its decks. If `fill` is True, kb fills gaps from the
    box.
    """
    table = read(text).table
    return table, rebuild_party(table, FACTS, fill)


def findings(text):
    """Return the findings for the party in `text`, including those of a rebuild."""
    file = read(text)
    done = None if file.strangers else rebuild_party(file.table, FACTS, fill=True)
    return list(judge(file, done, FACTS))
