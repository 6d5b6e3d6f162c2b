"""Cards described in a player's words."""

from kb.retrieval.card_words import read_words
from kb.retrieval.cards import parse_query
from tests.tables import data, rows_of

CARDS = data("retrieval-card-words", "CARDS")


@rows_of("retrieval-card-words", "test_words_are_read_as_a_query")
def test_words_are_read_as_a_query(words, query, unread):
    reading = read_words(words, CARDS)
    assert (reading.query, list(reading.unread)) == (query, unread)
    if query and "for:" not in query:
        parse_query(query)


def test_words_of_texts_are_not_read_where_no_text_is():
    cards = [{key: card[key] for key in card if key != "text"} for card in CARDS]
    reading = read_words("skills that give clues", cards)
    assert (reading.query, reading.unread, reading.texts) == ("type=skill", ("clues",), True)
