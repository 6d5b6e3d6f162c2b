"""Queries for cards in a player's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kb
from kb.retrieval.card_words import CardWords
from kb.retrieval.cards import parse_query
from kb.retrieval.language import language
from tests.tables import data, rows_of

CARDS = data("retrieval-card-words", "CARDS")
WORDS = CardWords(CARDS)


@rows_of("retrieval-card-words", "test_words_are_read_as_a_query")
def test_words_are_read_as_a_query(words, query, unread):
    reading = WORDS.read(words)
    assert (reading.query, list(reading.unread)) == (query, unread)
    if query and "for:" not in query:
        parse_query(query)


def test_without_card_texts_words_about_texts_are_unread():
    cards = [{key: card[key] for key in card if key != "text"} for card in CARDS]
    reading = CardWords(cards).read("skills that give clues")
    assert (reading.query, reading.unread, reading.texts) == ("type=skill", ("clues",), True)


GRAMMAR = sorted({*language().fields, *language().short, *language().flags, "for", "or", "and", "not", "no", "without", "except", ",", "-", "a",
                  "with", "zero", "three", "0", "2+", "1-3", "under", "less than", "at least", "up to", "exactly", "more", "or less", "higher",
                  "trait", "types", "Wendy Adams", "Lem", "O'Brien", "zebra", "weapons", "seeker", "events", "basic", "fast"})  # fmt: skip


def asked(session, query):
    """Run a query for cards given in plain words. kb may refuse it only because it names an unknown character."""
    try:
        refused = None if session.cards(query, limit=3) else ""
    except kb.KbError as error:
        refused = str(error)
    assert refused is None or "There is no character or investigator" in refused, (query, refused)


@pytest.mark.extended
def test_each_word_of_the_grammar_may_be_first_last_alone_or_doubled(real):
    with kb.Session() as session:
        for word in GRAMMAR:
            for query in (word, f"{word} weapons {word} {word}"):
                asked(session, query)


@given(st.lists(st.sampled_from(GRAMMAR), min_size=1, max_size=8).map(" ".join))
def test_any_words_become_a_valid_query(words):
    reading = WORDS.read(words)
    if reading.query and "for:" not in reading.query:
        parse_query(reading.query)
    assert reading.query.count("for:") <= 1


def test_a_name_ends_where_the_grammar_begins():
    assert WORDS.read("weapons for Lem for Ezren").query == "type=weapon for:Lem"
    assert WORDS.read("weapons for Lem or").query == "type=weapon for:Lem"
    assert WORDS.read("weapons for").unread == ("for",)


def test_meaningless_words_are_reported_as_unread(real):
    with kb.Session() as session:
        found = session.cards("or")
    assert (found["total"], found["unread"]) == (0, ["or"])
