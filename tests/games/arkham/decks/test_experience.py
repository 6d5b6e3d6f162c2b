"""Experience of a deck: level, exceptional, myriad, taboo, sheets; the start of a campaign; standalone mode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.model import Mark
from tests.games.arkham.decks.conftest import AGNES, HAUNTED, ROLAND, by_code, check, deck, errors, named, notes

SKIDS = named('"Skids" O\'Toole')
START, ALONE = Frame(start=True), Frame(standalone=True)


@pytest.mark.parametrize(
    ("investigator", "cards", "taboo", "experience"),
    [
        (AGNES, {named("Shrivelling"): 2}, 0, 0),
        (AGNES, {named("Shrivelling (3)"): 2}, 0, 6),
        (SKIDS, {named("Underworld Market"): 1}, 0, 4),  # exceptional: twice the level
        (SKIDS, {named("Underworld Market"): 1}, 8, 6),  # what the taboo list adds is not doubled
        (AGNES, {named("Key of Ys"): 1}, 0, 5),
        (AGNES, {named("Key of Ys"): 1}, 1, 10),  # exceptional by the taboo list
        (AGNES, {named("Flute of the Outer Gods"): 1}, 0, 8),
        (AGNES, {named("Flute of the Outer Gods"): 1}, 5, 4),
        (SKIDS, {named("Easy Mark"): 3}, 0, 1),  # myriad: the first copy only
        (
            AGNES,
            by_code({"Empower Self": 1, "Empower Self: Alacrity": 1, "Empower Self: Acuity": 1}),
            0,
            2,
        ),  # by title, whatever the subtitle
        (ROLAND, {named("Machete"): 2}, 1, 4),  # chained: level 0, but 2 experience each
        (named("Rex Murphy"), {named("Pathfinder"): 2}, 8, 4),  # level 1 and chained by 1
    ],
)
def test_experience(investigator: str, cards: dict[str, int], taboo: int, experience: int) -> None:
    assert check(replace(deck(investigator, cards), taboo=taboo)).details["experience"] == experience


def test_experience_by_card() -> None:
    made = deck(AGNES, {"Shrivelling (3)": 2, "Blinding Light": 1, "Charisma": 1})
    assert check(made).details["experience_by_card"] == by_code({"Shrivelling (3)": 6, "Charisma": 3})


def test_level_0_at_the_start() -> None:
    assert errors(replace(deck(AGNES, {"Shrivelling (3)": 1}), experience=3), START) == set()
    assert errors(replace(deck(AGNES, {"Shrivelling (3)": 1}), experience=2), START) == {"level-0-at-the-start"}


def test_without_a_frame_experience_is_a_note() -> None:
    made = deck(AGNES, {"Shrivelling (3)": 1})
    assert "level-0-at-the-start" not in notes(replace(made, previous="12"))
    assert "level-0-at-the-start" not in notes(deck())


def test_standalone_experience_costs_weaknesses() -> None:
    nine = deck(AGNES, {"Shrivelling (3)": 2, "Charisma": 1})
    assert check(nine).details["experience"] == 9
    ten = deck(AGNES, {"Shrivelling (3)": 2, "Charisma": 1, "Ace of Rods": 1})
    assert errors(replace(ten, cards={**ten.cards, named("Psychosis"): 1}), ALONE) == set()


def test_a_standalone_deck_has_less_than_50_experience() -> None:
    weak = {
        HAUNTED: 1,
        named("Psychosis"): 1,
        named("Hypochondria"): 1,
        named("Mob Enforcer"): 1,
        named("Silver Twilight Acolyte"): 1,
    }
    most = by_code(
        {
            "Shrivelling (5)": 2,
            "Grotesque Statue (4)": 2,
            "Book of Shadows (3)": 2,
            "Charisma": 2,
            "Bulletproof Vest": 2,
            "Rite of Seeking (4)": 2,
            "Mind Wipe": 1,
        }
    )
    made = deck(AGNES, {**most, **weak})
    spent = check(made).details["experience"]
    assert spent < 50
    over = deck(AGNES, {**most, **weak, "Blinding Light (2)": 2, "First Aid (3)": 2})
    assert check(over).details["experience"] >= 50


def test_bonus_experience_does_not_change_the_weaknesses_of_standalone_mode() -> None:
    ten = {"Shrivelling (3)": 2, "Charisma": 1, "Ace of Rods": 1}
    fifteen = deck("Father Mateo", {**ten, "Mind Wipe (3)": 1, "Blinding Light (2)": 1})
    assert check(fifteen).details["experience"] == 15
    assert errors(replace(fifteen, cards={**fifteen.cards, named("Psychosis"): 1}), ALONE) == set()


def test_a_taboo_list_can_make_a_card_one_for_campaigns() -> None:
    made = deck("Wendy Adams", {"Unscrupulous Loan": 1}, taboo=7)
    assert "campaign-mode-only" not in errors(made, ALONE)


def test_campaign_mode_only() -> None:
    made = deck(cards={HAUNTED: 0, named("Dark Pact"): 1})
    assert errors(made) == set()
    assert errors(made, ALONE) == {"campaign-mode-only"}


def test_the_ultimatum_of_exile() -> None:
    made = deck("Wendy Adams", {"Fire Extinguisher": 1})
    assert "campaign-mode-only" not in errors(made, ALONE)


def test_marks_on_a_sheet_are_experience() -> None:
    made = replace(
        deck(ROLAND, {"Hunter's Armor": 2}), customizations={named("Hunter's Armor"): (Mark(0, 1), Mark(1, 2))}
    )
    assert check(made).details["experience"] == 3
