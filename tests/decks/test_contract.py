"""The one function from a deck's text to its JSON refuses what is no deck, and options that its game does not know."""

import pytest

from kb.decks.contract import check_text
from kb.decks.games import Table
from kb.decks.nodes import DeckFileError


@pytest.fixture
def desk(real):
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        yield Table(catalog.records).game


def test_bytes_that_are_no_text_are_refused_with_their_line(desk):
    with pytest.raises(DeckFileError, match=r"mine\.yaml:2: is not UTF-8"):
        check_text(b"game: arkham\ncharacter: \xff\n", "mine.yaml", desk, {})


def test_an_option_of_another_game_is_refused(desk):
    with pytest.raises(DeckFileError, match="--taboo: not for decks of this game"):
        check_text("game: rotr\ncharacter: Lini\n", "lini.yaml", desk, {}, {"taboo": "latest"})
