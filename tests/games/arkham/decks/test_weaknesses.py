"""Weaknesses: as many as required, within the pool, of the class."""

from __future__ import annotations

from dataclasses import replace

from kb.games.arkham.decks.frame import Frame
from tests.games.arkham.decks.conftest import DAISY, HAUNTED, deck, errors, found, notes

SUZI = "89001"
ENOUGH = {"01020": 2, "01016": 2, "01017": 2, "01018": 1, "01030": 2, "01031": 2, "01037": 2, "01039": 1, "01044": 2,
          "01045": 2, "01047": 2, "01051": 1, "01060": 2, "01061": 2, "01062": 2, "01065": 1, "01074": 2, "01075": 2,
          "01076": 2, "01077": 1}  # fmt: skip


def test_one_is_required() -> None:
    assert errors(deck()) == set()
    assert errors(deck(cards={HAUNTED: 0})) == {"random-basic-weaknesses"}
    assert errors(deck(cards={"01099": 1})) == set()  # more of them come with a campaign


def test_two_are_required_where_the_back_lists_two() -> None:
    assert errors(deck(SUZI, {**ENOUGH, "01099": 1})) == set()
    assert errors(deck(SUZI, ENOUGH)) == {"random-basic-weaknesses"}


def test_a_placeholder_stands_for_one_still_to_be_drawn() -> None:
    made = deck(cards={HAUNTED: 0, "01000": 1})
    assert errors(made) == set()
    assert "weakness-still-to-draw" in notes(made)


def test_only_certain_weaknesses_take_the_place_of_a_basic_one() -> None:
    assert errors(deck(cards={HAUNTED: 0, "04042": 1})) == set()
    assert errors(deck(cards={HAUNTED: 0, "81029": 1})) == {"random-basic-weaknesses"}  # from a scenario
    assert errors(deck(cards={HAUNTED: 0, "01007": 1})) == {"random-basic-weaknesses"}


def test_no_more_than_one_copy_of_a_product_holds() -> None:
    assert errors(deck(cards={HAUNTED: 0, "01096": 2})) == set()
    assert errors(deck(cards={HAUNTED: 0, "01096": 3})) == {"weaknesses-within-the-pool"}
    assert errors(deck(cards={HAUNTED: 2})) == {"weaknesses-within-the-pool"}
    assert errors(deck(cards={HAUNTED: 0, "01096": 2, "12097": 1})) == set()  # of two products


def test_owned_products_make_the_pool() -> None:
    made = deck(cards={HAUNTED: 0, "01096": 3})
    both = Frame(products=frozenset({"core", "core_2026"}))
    assert "weaknesses-within-the-pool" not in errors(made, both)
    assert "weaknesses-within-the-pool" in errors(made, Frame(products=frozenset({"core"})))


def test_weaknesses_of_a_class() -> None:
    assert errors(deck(cards={"09124": 1})) == set()
    assert errors(deck(cards={"09125": 1})) == {"weaknesses-of-the-class"}
    assert errors(deck(DAISY, {"09125": 1})) == set()
    assert "only for rogue" in found(deck(cards={"09126": 1}), "weaknesses-of-the-class").message


def test_a_campaigns_weakness_no_more_often_than_it_exists() -> None:
    assert errors(deck(cards={"04042": 1})) == set()
    assert errors(deck(cards={"04042": 2})) == {"other-weaknesses-exist"}


def test_a_drawn_weakness_needs_no_option() -> None:
    assert errors(replace(deck(cards={"06036": 1}), taboo=8)) == set()


def test_one_more_with_the_ultimatum_of_disaster() -> None:
    frame = Frame(ultimatums=frozenset({"disaster"}))
    assert errors(deck(), frame) == {"random-basic-weaknesses"}
    assert errors(deck(cards={"01099": 1}), frame) == set()
    assert found(deck(), "random-basic-weaknesses", frame).cites[-1] == "arkham/variants/ultimatums/disaster"
