"""Investigator, sides and choices."""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.model import Deck
from tests.games.arkham.decks.conftest import FACTS, HAUNTED, check, deck, errors, found, named

BUILDERS = sorted(code for code, record in FACTS._cards.items() if "deck" in record)


@pytest.mark.parametrize("code", BUILDERS)
def test_a_filled_deck_of_every_investigator_is_legal(code):
    build = FACTS.card(code).build
    choices = {}
    for option in build.options:
        if option.choice:
            taken = set(choices.values())
            choices[option.choice.name] = next(value for value in option.choice.values if value not in taken)
    fields = {"choices": choices, "front": code, "back": code}
    extra = {HAUNTED: build.random_weaknesses}
    card = FACTS.card(code)
    for demand in (*card.special.front.cards, *card.special.back.cards):
        extra |= dict.fromkeys(demand.codes[: demand.least], 1)
    if card.special.counts and card.special.counts[0].as_many_as:
        extra[card.special.counts[0].code] = 1
    if build.random_weaknesses > 1:
        extra[HAUNTED] = 1
        extra[named("Psychosis")] = 1
    made = deck(code, extra, **fields)
    if card.extra_build:
        return  # its extra deck has tests of its own
    left = errors(made) - {"cards-of-several-classes", "cards-of-a-kind"}
    assert not left, [finding.message for finding in check(made).findings]


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
