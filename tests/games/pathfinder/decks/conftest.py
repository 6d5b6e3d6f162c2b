"""Pathfinder card facts, read from the repository, and functions that make a deck and list the checks that report
something.
"""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.names import name_key
from kb.games.pathfinder.cards import load as load_cards
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.sources.problems import Problems
from tests.conftest import ROOT

CARDS = ROOT / "cards"


def load():
    problems = Problems(CARDS)
    records = load_cards(CARDS, problems)
    assert problems.found == []
    return records


RECORDS = load()
FACTS = Facts.load(lambda kind: RECORDS.get(kind, []))


def suggested(character, set_id="rotr"):
    """Return a character's suggested deck, as a new deck for the base adventure."""
    found = FACTS.characters[set_id, name_key(character)]
    return PathfinderDeck(character=found, stage="new", adventure="B", cards=FACTS.suggested[set_id, found.name])


@pytest.fixture
def report():
    """Return a function that checks a deck given as text and returns the report."""
    return lambda text: check_deck(read_deck(parse_deck(text, "deck"), FACTS), FACTS, "deck")
