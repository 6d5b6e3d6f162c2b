"""Experience of a deck: level, exceptional, myriad, taboo, sheets; the start of a campaign; standalone mode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.frame import Frame
from tests.games.arkham.decks.conftest import AGNES, HAUNTED, ROLAND, by_code, check, deck, errors, named

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


def test_level_0_at_the_start() -> None:
    assert errors(replace(deck(AGNES, {"Shrivelling (3)": 1}), experience=3), START) == set()
    assert errors(replace(deck(AGNES, {"Shrivelling (3)": 1}), experience=2), START) == {"level-0-at-the-start"}


def test_campaign_mode_only() -> None:
    made = deck(cards={HAUNTED: 0, named("Dark Pact"): 1})
    assert errors(made) == set()
    assert errors(made, ALONE) == {"campaign-mode-only"}
