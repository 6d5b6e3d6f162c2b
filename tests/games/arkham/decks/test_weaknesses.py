"""Weaknesses: as many as required, within the pool, of the class."""

from __future__ import annotations

from dataclasses import replace

from kb.games.arkham.decks.frame import Frame
from tests.games.arkham.decks.conftest import HAUNTED, THREE, by_code, deck, errors, found, named, notes

SUZI = named("Subject 5U-21")
ENOUGH = THREE | by_code(
    {
        "Shrivelling": 2,
        "Scrying": 2,
        "Arcane Studies": 2,
        "Ward of Protection": 1,
        "Baseball Bat": 2,
        "Rabbit's Foot": 2,
        "Stray Cat": 2,
        "Dig Deep": 1,
    }
)


def test_one_is_required() -> None:
    assert errors(deck(cards={HAUNTED: 0})) == {"random-basic-weaknesses"}
    assert errors(deck(cards={named("Psychosis"): 1})) == set()  # more of them come with a campaign


def test_a_placeholder_stands_for_one_still_to_be_drawn() -> None:
    made = deck(cards={HAUNTED: 0, named("Random Basic Weakness"): 1})
    assert errors(made) == set()
    assert "weakness-still-to-draw" in notes(made)


def test_only_certain_weaknesses_take_the_place_of_a_basic_one() -> None:
    assert errors(deck(cards={HAUNTED: 0, named("The Bell Tolls"): 1})) == set()
    assert errors(deck(cards={HAUNTED: 0, named("Curse of the Rougarou"): 1})) == {
        "random-basic-weaknesses"
    }  # from a scenario
    assert errors(deck(cards={HAUNTED: 0, named("Cover Up"): 1})) == {"random-basic-weaknesses"}


def test_no_more_than_one_copy_of_a_product_holds() -> None:
    assert errors(deck(cards={HAUNTED: 0, named("Amnesia"): 2})) == set()
    assert errors(deck(cards={HAUNTED: 0, named("Amnesia"): 3})) == {"weaknesses-within-the-pool"}
    assert errors(deck(cards={HAUNTED: 2})) == {"weaknesses-within-the-pool"}
    assert (
        errors(deck(cards={HAUNTED: 0, named("Amnesia"): 2, named("Amnesia (core_2026)"): 1})) == set()
    )  # of two products


def test_owned_products_make_the_pool() -> None:
    made = deck(cards={HAUNTED: 0, named("Amnesia"): 3})
    both = Frame(products=frozenset({"core", "core_2026"}))
    assert "weaknesses-within-the-pool" not in errors(made, both)
    assert "weaknesses-within-the-pool" in errors(made, Frame(products=frozenset({"core"})))


def test_weaknesses_of_a_class() -> None:
    assert errors(deck(cards={named("Lurker in the Dark"): 1})) == set()
    assert errors(deck(cards={named("Quantum Paradox"): 1})) == {"weaknesses-of-the-class"}
    assert "only for rogue" in found(deck(cards={named("Pay Your Due"): 1}), "weaknesses-of-the-class").message


def test_a_campaigns_weakness_no_more_often_than_it_exists() -> None:
    assert errors(deck(cards={named("The Bell Tolls"): 1})) == set()
    assert errors(deck(cards={named("The Bell Tolls"): 2})) == {"other-weaknesses-exist"}


def test_a_drawn_weakness_needs_no_option() -> None:
    assert errors(replace(deck(cards={named("Kleptomania"): 1}), taboo=8)) == set()


def test_one_more_with_the_ultimatum_of_disaster() -> None:
    frame = Frame(ultimatums=frozenset({"disaster"}))
    assert errors(deck(cards={named("Psychosis"): 1}), frame) == set()
    assert found(deck(), "random-basic-weaknesses", frame).cites[-1] == "arkham/variants/ultimatums/disaster"
