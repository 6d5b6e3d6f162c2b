"""No order of purchases is cheaper than the one found: small random steps are played out card by card.

KB_STEPS says how many steps (thousands take a while: about a third of a second each).
"""

from __future__ import annotations

import os
from random import Random

import pytest

from kb.games.arkham.decks.model import Mark
from kb.games.arkham.decks.upgrade.changes import changes_between
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck, named
from tests.games.arkham.decks.upgrade.brute_force import TooMany, brute_force
from tests.games.arkham.decks.upgrade.small_steps import small_step
from tests.games.arkham.decks.upgrade.steps import (
    ADAPTABLE,
    ARCANE_RESEARCH,
    RABBIT_HOLE,
    WENDY,
    filler,
    judge,
    put,
    spare,
)

STEPS = int(os.environ.get("KB_STEPS", "16"))
SHRIVELLING, SHRIVELLING_3 = map(named, ("Shrivelling", "Shrivelling (3)"))


@pytest.mark.parametrize("group", range(8))
def test_nothing_is_cheaper(group: int) -> None:
    played = 0
    for seed in range(group, STEPS, 8):
        old, new, sheet = small_step(Random(seed))
        step = judge(old, new)
        if not step.legal:
            continue
        try:
            cheapest = brute_force(old, new, sheet, bound=step.cost, most=20_000)
        except TooMany:
            continue
        played += 1
        assert cheapest == step.cost, f"step {seed}: {[line.text for line in step.lines]}"
    assert played >= STEPS // 8 // 2


def test_swapped_in_and_upgraded() -> None:
    old = deck(AGNES, {ADAPTABLE: 1, ARCANE_RESEARCH: 1, SHRIVELLING: 0})
    new = put(old, filler(old, 1), {SHRIVELLING_3: 1})
    swap, upgrade = judge(old, new).lines
    assert swap.text.startswith("Swap in Shrivelling [01060] for ")
    assert (swap.cost, upgrade.cost) == (0, 2)


def test_a_free_place_filled_and_what_fills_it_upgraded() -> None:
    old = deck(WENDY, {RABBIT_HOLE: 1, "A Test of Will (1)": 1})
    new = put(old, {"A Test of Will (1)": 0, "Fire Axe (2)": 1}, exiled=(named("A Test of Will (1)"),))
    assert [(line.action, line.cost) for line in judge(old, new).lines] == [
        ("exile", 0),
        ("fill up", 0),
        ("upgrade", 1),
    ]


def test_a_dear_level_0_card_is_swapped_in_for_one_that_is_purchased_again() -> None:
    # Drawing Thin costs 3 by the taboo list, to swap it in nothing; but only a level 0 card may go out for it
    old = deck(WENDY, {ADAPTABLE: 1, "Stroke of Luck": 1, "Drawing Thin": 0}, taboo=8)
    new = put(old, {"Stroke of Luck": 0, "Drawing Thin": 1})
    assert judge(old, new).cost == 1


def test_a_card_with_marked_boxes_is_not_of_level_0_and_not_swapped_out() -> None:
    grizzled, marks = named("Grizzled"), (Mark(1, 1), Mark(2, 1))
    old = deck(WENDY, {ADAPTABLE: 1, grizzled: 1}, customizations={grizzled: marks})
    new = put(old, {grizzled: 0}, customizations={})
    assert judge(old, put(new, spare(old, 1))).cost == 1
    blank = put(old, customizations={})
    assert judge(blank, put(blank, {grizzled: 0}, spare(blank, 1))).cost == 0


def test_a_blank_copy_is_swapped_out_and_comes_back_with_the_boxes() -> None:
    grizzled = named("Grizzled")
    old = deck(WENDY, {ADAPTABLE: 1, grizzled: 2, "Scavenging (2)": 1})
    new = put(old, {"Scavenging (2)": 0}, spare(old, 1), customizations={grizzled: (Mark(1, 1),)})
    step = judge(old, new)
    assert step.cost == 1
    assert step.lines[0].source == "Grizzled [09101]"
    assert [line.action for line in step.lines] == ["swap in", "mark boxes", "purchase", "remove"]
    two_more = put(new, {grizzled: 1})
    assert judge(put(old, {grizzled: 1}), put(two_more, customizations={grizzled: (Mark(1, 1),)})).cost == 2


def test_the_lines_are_an_order_that_can_be_followed() -> None:
    """Whatever is upgraded is in the deck by then: it was there, or a line above brought it."""
    for seed in range(200):
        old, new, _ = small_step(Random(seed))
        held = {}
        for change in changes_between(old, new, FACTS).cards:
            if change.card:
                held[change.card.label] = change.left
        for line in judge(old, new).lines:
            if line.action == "upgrade":
                held[line.source] = held.get(line.source, 0) - line.copies
                assert held[line.source] >= 0, (seed, line.text)
            if line.action not in ("exile", "remove", "mark boxes"):
                held[line.card] = held.get(line.card, 0) + line.copies


def test_a_large_step_is_quick_enough_to_be_tried() -> None:
    old = deck(AGNES, {ADAPTABLE: 2, ARCANE_RESEARCH: 2, RABBIT_HOLE: 1})
    assert judge(old, put(old, filler(old, 12), spare(old, 12))).cost == 8
