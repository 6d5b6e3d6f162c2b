"""No order of purchases is cheaper than the one found: small random steps are played out card by card.

KB_STEPS says how many steps (thousands take a while: about a third of a second each).
"""

import os
from random import Random

import pytest

from kb.games.arkham.decks.upgrade.changes import changes_between
from tests.games.arkham.decks.conftest import FACTS
from tests.games.arkham.decks.upgrade.brute_force import TooMany, brute_force
from tests.games.arkham.decks.upgrade.small_steps import small_step
from tests.games.arkham.decks.upgrade.steps import judge

STEPS = int(os.environ.get("KB_STEPS", "16"))


@pytest.mark.parametrize("group", range(8))
def test_nothing_is_cheaper(group):
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


def test_the_lines_are_an_order_that_can_be_followed():
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
