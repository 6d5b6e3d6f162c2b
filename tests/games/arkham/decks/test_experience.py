"""Experience of a deck: level, exceptional, myriad, taboo, sheets; the start of a campaign; standalone mode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.model import Mark
from tests.games.arkham.decks.conftest import AGNES, HAUNTED, ROLAND, check, deck, errors, found, notes

SKIDS = "01003"
START, ALONE = Frame(start=True), Frame(standalone=True)


@pytest.mark.parametrize(
    ("investigator", "cards", "taboo", "experience"),
    [
        (AGNES, {"01060": 2}, 0, 0),
        (AGNES, {"02154": 2}, 0, 6),
        (SKIDS, {"09077": 1}, 0, 4),  # exceptional: twice the level
        (SKIDS, {"09077": 1}, 8, 6),  # what the taboo list adds is not doubled
        (AGNES, {"03315": 1}, 0, 5),
        (AGNES, {"03315": 1}, 1, 10),  # exceptional by the taboo list
        (AGNES, {"07268": 1}, 0, 8),
        (AGNES, {"07268": 1}, 5, 4),
        (SKIDS, {"06026": 3}, 0, 1),  # myriad: the first copy only
        (AGNES, {"06241": 1, "06242": 1, "06243": 1}, 0, 2),  # by title, whatever the subtitle
        (ROLAND, {"01020": 2}, 1, 4),  # chained: level 0, but 2 experience each
        ("02002", {"02108": 2}, 8, 4),  # level 1 and chained by 1
    ],
)
def test_experience(investigator: str, cards: dict[str, int], taboo: int, experience: int) -> None:
    assert check(replace(deck(investigator, cards), taboo=taboo)).details["experience"] == experience


def test_experience_by_card() -> None:
    made = deck(AGNES, {"02154": 2, "01066": 1, "02158": 1})
    assert check(made).details["experience_by_card"] == {"02154": 6, "02158": 3}


def test_level_0_at_the_start() -> None:
    assert errors(deck(), START) == set()
    assert errors(deck(AGNES, {"02154": 1}), START) == {"level-0-at-the-start"}
    assert errors(replace(deck(AGNES, {"02154": 1}), experience=3), START) == set()
    assert errors(replace(deck(AGNES, {"02154": 1}), experience=2), START) == {"level-0-at-the-start"}


def test_experience_that_investigators_cards_and_boons_give() -> None:
    mateo = deck("04004", {"01060": 0, "02306": 1})
    assert errors(mateo, START) == set()
    assert errors(deck("04004", {"02306": 1, "02158": 1}), START) == {"level-0-at-the-start"}
    assert errors(deck("01003", {"08125": 1, "02158": 1}), START) == set()  # In the Thick of It gives 3
    assert errors(deck(AGNES, {"02306": 1}), Frame(start=True, boons=frozenset({"ancients"}))) == set()


def test_without_a_frame_experience_is_a_note() -> None:
    made = deck(AGNES, {"02154": 1})
    assert "level-0-at-the-start" in notes(made)
    assert "level-0-at-the-start" not in notes(replace(made, previous="12"))
    assert "level-0-at-the-start" not in notes(deck())


def test_standalone_experience_costs_weaknesses() -> None:
    nine = deck(AGNES, {"02154": 2, "02158": 1})
    assert check(nine).details["experience"] == 9
    assert errors(nine, ALONE) == set()
    ten = deck(AGNES, {"02154": 2, "02158": 1, "05040": 1})
    assert errors(ten, ALONE) == {"standalone-weaknesses"}
    assert "2 in all" in found(ten, "standalone-weaknesses", ALONE).message
    assert errors(replace(ten, cards={**ten.cards, "01099": 1}), ALONE) == set()


def test_a_standalone_deck_has_less_than_50_experience() -> None:
    weak = {HAUNTED: 1, "01099": 1, "01100": 1, "01101": 1, "01102": 1}
    most = {"02306": 2, "01071": 2, "01070": 2, "02158": 2, "01094": 2, "02233": 2, "01068": 1}
    made = deck(AGNES, {**most, **weak})
    spent = check(made).details["experience"]
    assert spent < 50
    assert errors(made, ALONE) == set()
    over = deck(AGNES, {**most, **weak, "01069": 2, "03230": 2})
    assert check(over).details["experience"] >= 50
    assert "standalone-experience" in errors(over, ALONE)


def test_bonus_experience_does_not_change_the_weaknesses_of_standalone_mode() -> None:
    made = deck("04004", {"02154": 2, "02158": 1, "05040": 1})
    assert errors(made, ALONE) == {"standalone-weaknesses"}


def test_campaign_mode_only() -> None:
    made = deck(cards={HAUNTED: 0, "04038": 1})
    assert errors(made) == set()
    assert errors(made, ALONE) == {"campaign-mode-only"}


def test_the_ultimatum_of_exile() -> None:
    made = deck("01005", {"02114": 1})
    assert "campaign-mode-only" not in errors(made, ALONE)
    assert "campaign-mode-only" in errors(made, Frame(standalone=True, ultimatums=frozenset({"exile"})))
    assert errors(made, Frame(ultimatums=frozenset({"exile"}))) == set()


def test_marks_on_a_sheet_are_experience() -> None:
    made = replace(deck(ROLAND, {"09021": 2}), customizations={"09021": (Mark(0, 1), Mark(1, 2))})
    assert check(made).details["experience"] == 3
    assert errors(made, START) == {"level-0-at-the-start"}
