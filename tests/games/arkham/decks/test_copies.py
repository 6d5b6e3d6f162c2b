"""Copies of a card: by title, keyword, taboo, upgrade sheet, subtitle and trait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.arkham.decks.conftest import AGNES, ROLAND, changed, deck, errors, named

SKIDS, WENDY, YORICK = map(named, ('"Skids" O\'Toole', "Wendy Adams", "William Yorick"))


def test_single_copies_of_everything_but_weaknesses_and_signatures() -> None:
    made = deck(SKIDS, {"Underworld Support": 1, "Indebted": 2})
    assert all(copies == 1 for code, copies in made.cards.items() if code != named("Indebted"))
    assert errors(changed(made, {"Backstab": made.cards[named("Backstab")] + 1})) == {"deck-size", "single-copies"}


@pytest.mark.parametrize("investigator", [ROLAND, AGNES])
def test_uncounted_copies_only_where_allowed(investigator: str) -> None:
    made = deck(investigator, {"Shrivelling": 0, "Flashlight": 2})
    assert errors(replace(made, ignored={named("Flashlight"): 1})) == {"deck-size", "uncounted-copies"}


def test_uncounted_copies_of_a_card_that_a_campaign_gives() -> None:
    made = deck(ROLAND)
    given = replace(made, cards={**made.cards, named("Ace of Rods"): 1}, ignored={named("Ace of Rods"): 1})
    assert errors(given) == set()
    assert "uncounted-copies" in errors(
        replace(given, cards={**made.cards, named("Ace of Rods"): 2}, ignored={named("Ace of Rods"): 2})
    )


def test_negative_numbers_and_oddities() -> None:
    assert errors(replace(deck(), oddities=("The number of copies is 'two'.",))) == {"numbers-make-sense"}
    assert errors(replace(deck(), cards={**deck().cards, named("Ace of Rods"): 0, "nothing": 0})) == set()
