"""Cards described in a player's words."""

import pytest

from kb.retrieval.card_words import read_words
from kb.retrieval.cards import parse_query

CARDS = [
    {"game": "arkham", "name": "Lexicon", "type": "asset", "class": ["seeker"], "traits": ["Item", "Tome"], "level": 0, "uses": "charges"},
    {"game": "arkham", "name": "Beat Cop", "type": "asset", "class": ["guardian"], "slots": ["Ally"], "health": 2, "cost": 4},
    {"game": "arkham", "name": "Courage", "type": "skill", "class": ["neutral"], "skills": {"wild": 2}, "level": 0, "text": "A clue."},
    {"game": "arkham", "name": "Lucky!", "type": "event", "class": ["survivor"], "traits": ["Fortune"], "cost": 1, "fast": True},
    {"game": "pathfinder", "name": "Dagger", "type": "weapon", "traits": ["Knife", "Basic"], "deck": "B", "basic": True, "set": "rotr"},
    {"game": "pathfinder", "name": "Lyre", "type": "item", "traits": ["Instrument"], "deck": "1", "owner": "Lem", "set": "mm"},
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "query", "unread"),
    [
        ("seeker assets level 0 with charges", "class=seeker type=asset level=0 uses=charges", ()),
        ("fast events under 2 resources for Wendy", "is:fast type=event cost<2 for:Wendy", ()),
        ("fast events for Wendy Adams under two resources", 'is:fast type=event for:"Wendy Adams" cost<2', ()),
        ("all fast events that cost 2 or less", "is:fast type=event cost<=2", ()),
        ("guardian or seeker assets, 3+ health", "(class=guardian or class=seeker) type=asset health>=3", ()),
        ("skills and events levels 1-3", "(type=skill or type=event) level>=1 level<=3", ()),
        ("skills with at least 2 wild icons", "type=skill wild>=2", ()),
        ("assets without health", "type=asset -health>=1", ()),
        ("skills that give clues", "type=skill text:clue", ()),
        ("basic weapons for Lem", "is:basic type=weapon for:Lem", ()),
        ("shiny items from mummy's mask", "type=item set=mm", ("shiny",)),
        ("xyzzy", "", ("xyzzy",)),
        ("", "", ()),
    ],
)
def test_words_are_read_as_a_query(words, query, unread):
    reading = read_words(words, CARDS)
    assert (reading.query, reading.unread) == (query, unread)
    if query and "for:" not in query:
        parse_query(query)


def test_words_of_texts_are_not_read_where_no_text_is():
    cards = [{key: card[key] for key in card if key != "text"} for card in CARDS]
    reading = read_words("skills that give clues", cards)
    assert (reading.query, reading.unread, reading.texts) == ("type=skill", ("clues",), True)
