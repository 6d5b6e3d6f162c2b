"""Deck size: what counts, and what changes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.arkham.decks.conftest import DAISY, MANDY, ROLAND, changed, check, deck, errors, found, named

SKIDS, JENNY = map(named, ('"Skids" O\'Toole', "Jenny Barnes"))


def test_one_card_too_few_or_too_many() -> None:
    made = deck()
    assert check(made).details["size"] == 30
    code = next(code for code, copies in made.cards.items() if copies == 2)
    assert "Add 1 card." in found(changed(made, {code: 1}), "deck-size").fix
    assert "Take out 1 card." in found(changed(made, {"Overpower": 1}), "deck-size").fix


@pytest.mark.parametrize(
    ("investigator", "code", "copies", "size"),
    [
        (ROLAND, named("Versatile"), 1, 35),
        (ROLAND, named("Versatile"), 2, 40),
        (DAISY, named("Ancestral Knowledge"), 1, 35),
        (DAISY, named("Forced Learning"), 1, 45),
        (SKIDS, named("Underworld Market"), 1, 40),
        (SKIDS, named("Underworld Support"), 1, 25),
        (ROLAND, named("Collector"), 1, 35),
    ],
)
def test_cards_change_the_size(investigator: str, code: str, copies: int, size: int) -> None:
    made = deck(investigator, {code: copies})
    assert check(made).details["size_required"] == size
    assert "deck-size" not in errors(made)
    assert "deck-size" in errors(replace(made, cards={**deck(investigator).cards, code: copies}))


@pytest.mark.parametrize("size", ["30", "40", "50"])
def test_a_chosen_size(size: str) -> None:
    made = deck(MANDY, choices={"deck_size_selected": size, "faction_selected": "mystic"})
    assert errors(made) == set()
    assert made.cards[named("Occult Evidence")] == int(size) // 10 - 2
    assert "signatures-no-more-than-listed" in errors(changed(made, {"Occult Evidence": int(size) // 10 - 1}))


def test_an_option_that_adds_to_the_size() -> None:
    wendy = deck("Wendy Adams", back=named("Wendy Adams (rtr)"), choices={"option_selected": "both"})
    assert check(wendy).details["size_required"] == 35
    assert check(replace(wendy, choices={"option_selected": "cursed"})).details["size_required"] == 30
