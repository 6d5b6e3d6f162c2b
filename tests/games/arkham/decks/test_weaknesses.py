"""Weaknesses: as many as required, within the pool, of the class."""

from __future__ import annotations

from kb.games.arkham.decks.frame import Frame
from tests.games.arkham.decks.conftest import HAUNTED, deck, errors, found, named, notes


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


def test_weaknesses_of_a_class() -> None:
    assert errors(deck(cards={named("Lurker in the Dark"): 1})) == set()
    assert errors(deck(cards={named("Quantum Paradox"): 1})) == {"weaknesses-of-the-class"}
    assert "only for rogue" in found(deck(cards={named("Pay Your Due"): 1}), "weaknesses-of-the-class").message


def test_one_more_with_the_ultimatum_of_disaster() -> None:
    frame = Frame(ultimatums=frozenset({"disaster"}))
    assert errors(deck(cards={named("Psychosis"): 1}), frame) == set()
    assert found(deck(), "random-basic-weaknesses", frame).cites[-1] == "arkham/variants/ultimatums/disaster"
