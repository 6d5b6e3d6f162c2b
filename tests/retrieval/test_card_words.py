"""Cards described in a player's words."""

import pytest

from kb.retrieval.card_words import read_words
from kb.retrieval.cards import parse_query
from tests.tables import rows_of

CARDS = [
    {"game": "arkham", "name": "Lexicon", "type": "asset", "class": ["seeker"], "traits": ["Item", "Tome"], "level": 0, "uses": "charges"},
    {"game": "arkham", "name": "Beat Cop", "type": "asset", "class": ["guardian"], "slots": ["Ally"], "health": 2, "cost": 4},
    {"game": "arkham", "name": "Courage", "type": "skill", "class": ["neutral"], "skills": {"wild": 2}, "level": 0, "text": "A clue."},
    {"game": "arkham", "name": "Lucky!", "type": "event", "class": ["survivor"], "traits": ["Fortune"], "cost": 1, "fast": True},
    {"game": "pathfinder", "name": "Dagger", "type": "weapon", "traits": ["Knife", "Basic"], "deck": "B", "basic": True, "set": "rotr"},
    {"game": "pathfinder", "name": "Lyre", "type": "item", "traits": ["Instrument"], "deck": "1", "owner": "Lem", "set": "mm"},
]  # fmt: skip


@pytest.mark.parametrize(*rows_of("retrieval-card-words", "test_words_are_read_as_a_query"))
def test_words_are_read_as_a_query(words, query, unread):
    reading = read_words(words, CARDS)
    assert (reading.query, list(reading.unread)) == (query, unread)
    if query and "for:" not in query:
        parse_query(query)


def test_words_of_texts_are_not_read_where_no_text_is():
    cards = [{key: card[key] for key in card if key != "text"} for card in CARDS]
    reading = read_words("skills that give clues", cards)
    assert (reading.query, reading.unread, reading.texts) == ("type=skill", ("clues",), True)
