"""Numbers with nouns in sentences: singular and plural."""

import pytest

from kb.plural import counted


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "card", "1 card"),
        (0, "card", "0 cards"),
        (2, "copy", "2 copies"),
        (2, "basic weakness", "2 basic weaknesses"),
        (3, "box", "3 boxes"),
        (2, "day", "2 days"),
        (-1, "match", "-1 matches"),
    ],
)
def test_numbers_with_nouns(number, noun, said):
    assert counted(number, noun) == said
