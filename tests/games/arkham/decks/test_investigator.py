"""Investigator, sides and choices."""

from dataclasses import replace

from kb.games.arkham.decks.model import Deck
from tests.games.arkham.decks.conftest import deck, errors, found, named


def test_what_a_choice_still_to_be_made_may_allow_is_not_found_fault_with():
    mandy = deck("Mandy Thompson", choices={"deck_size_selected": "40", "faction_selected": "mystic"})
    assert "deck-size" not in errors(replace(mandy, choices={"faction_selected": "mystic"}))
    charlie = deck("Charlie Kane", {"Machete": 1}, choices={"faction_1": "guardian", "faction_2": "rogue"})
    assert "within-options" not in errors(replace(charlie, choices={}))
    assert "within-options" in errors(replace(charlie, choices={"faction_1": "seeker", "faction_2": "rogue"}))


def test_unknown_investigators_are_an_error_and_nothing_else_is_said():
    assert errors(Deck("99999", {named("Machete"): 2})) == {"one-investigator"}
    assert errors(Deck("", {named("Machete"): 2})) == {"one-investigator"}
    assert errors(Deck(named("Machete"), {named("Machete"): 2})) == {"one-investigator"}


def test_an_investigator_of_the_story_cannot_build_a_deck():
    assert (
        "deckbuilding requirements"
        in found(Deck(named("Body of a Yithian"), {named("Machete"): 2}), "one-investigator").message
    )
