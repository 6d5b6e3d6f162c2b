"""Upgrade sheets of customizable cards."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kb.games.arkham.decks.model import Mark, customized, with_taboo
from tests.games.arkham.decks.conftest import FACTS, deck, named, notes

VINCENT = named("Vincent Lee")  # seeker 0-3, guardian and survivor 0-1, cards that heal damage 0-5
ALCHEMICAL = FACTS.card(named("Alchemical Distillation"))
assert ALCHEMICAL is not None
MARKS = st.lists(st.builds(Mark, st.integers(-1, 8), st.integers(-1, 6)), max_size=8).map(tuple)


def test_the_level_is_half_the_boxes_rounded_up() -> None:
    assert ALCHEMICAL is not None
    for boxes, level in ((0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)):
        assert customized(ALCHEMICAL, (Mark(6, boxes),)).level == level


@given(MARKS)
def test_level_and_experience_stay_within_the_sheet(marks: tuple[Mark, ...]) -> None:
    assert ALCHEMICAL is not None
    card = customized(ALCHEMICAL, marks)
    assert card.level is not None
    assert 0 <= card.level <= 5
    assert card.spent <= sum(box.cost * len(marks) for box in card.sheet)


def test_a_taboo_changes_the_price_of_boxes_not_the_level() -> None:
    axe = FACTS.card(named("Runic Axe"))
    assert axe is not None
    listed = with_taboo(axe, FACTS.taboo_rows(8)[named("Runic Axe")])
    hunt = 3
    assert (listed.sheet[hunt].cost, listed.sheet[hunt].level_boxes) == (2, 1)
    bought = customized(listed, (Mark(hunt, 2), Mark(0, 1)))
    assert (bought.spent, bought.level) == (3, 1)


def test_choices_of_upgrades_are_asked_for() -> None:
    quill = replace(deck(VINCENT, {"The Raven Quill": 1}), customizations={named("The Raven Quill"): (Mark(4, 2),)})
    assert "choices-on-the-sheet" not in notes(
        replace(quill, customizations={named("The Raven Quill"): (Mark(4, 2, named("Old Book of Lore")),)})
    )
