"""The cost of advancing, step by step. The check of spent experience agrees with the costs of these steps."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.games.tainted_grail.decks.character_sheet import ATTRIBUTES, CHALLENGE_RULES, MODES, OTHER_PAIRS, PAIRS, Sheet
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.growth import AdvanceError, least_cost, next_steps, pairs_of, plan, prices_now

from .conftest import PLAIN, sheet


def values(*numbers):
    return dict(zip(ATTRIBUTES, numbers, strict=True))


def beor(**fields):
    start = values(2, 0, 1, 0, 0, 0)
    return replace(Sheet("Beor", starting=start, attributes=start), **fields)


def test_one_attribute():
    found = plan(beor(), [("aggression", 3)], (), 6)
    (step,) = found.steps
    assert step.what == "aggression from 2 to 3 (3rd point of aggression and empathy)"
    assert (step.cost, step.skills, found.cost, found.enough) == (6, 1, 6, True)
    assert step.cites == ("tainted-grail/advancing-attributes", "tainted-grail/skills")
    assert plan(beor(), [("aggression", 3)], (), 5).enough is False
    second = plan(beor(), [("courage", 2)], (), None)
    assert (second.enough, second.steps[0].skills) == (None, 0)


def test_challenge_mode_has_its_own_costs():
    hard = beor(mode="challenge")
    assert [step.cost for step in plan(hard, [("aggression", 3)], ["diplomacy"], None).steps] == [15, 5]
    assert "draw 2 from the pool" in plan(hard, [], ["diplomacy"], None).steps[0].what


def test_impossible_advances_are_refused():
    with pytest.raises(AdvanceError, match="Aggression is 2 already; it cannot be raised to 2"):
        plan(beor(), [("aggression", 2)], (), None)
    with pytest.raises(AdvanceError, match="The sheet gives no attributes"):
        plan(Sheet("Beor"), [("aggression", 2)], (), None)
    nearly = sheet(PLAIN.replace("combat: 1-15", "combat: {gained: [24x A]}"))
    assert len(plan(nearly, [], ["combat"], None).steps) == 1
    with pytest.raises(AdvanceError, match="No card is left in the combat advancement pool"):
        plan(nearly, [], ["combat", "combat"], None)


def test_next_steps_offer_a_point_per_attribute_and_a_card_per_deck():
    assert [step.cost for step in next_steps(beor())] == [6, 6, 4, 4, 2, 2, 2, 2]
    assert len(next_steps(Sheet("Beor"))) == 2
    full = sheet(PLAIN.replace("combat: 1-15", "combat: {gained: [25x A]}"))
    assert [step.what.split(" (")[0] for step in next_steps(full)[6:]] == ["a diplomacy card"]


@given(
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.lists(st.tuples(st.sampled_from(ATTRIBUTES), st.booleans()), max_size=12),
    st.sampled_from(MODES),
    st.sampled_from([PAIRS, OTHER_PAIRS]),
)
def test_the_experience_paid_is_always_enough(start, history, mode, pairs):
    """Buys or grants points in any order. The sheet is legal with the experience that was paid. Without granted points,
    the least cost equals the experience paid.
    """
    begun = Sheet(
        "Beor",
        mode=mode,
        starting=values(*start),
        attributes=values(*start),
        pairs=pairs,
        challenge_rules=frozenset(CHALLENGE_RULES),
    )
    now, granted, paid = dict(begun.attributes or {}), dict.fromkeys(ATTRIBUTES, 0), 0
    for name, free in history:
        if free:
            granted[name] += 1
        else:
            paid += plan(replace(begun, attributes=now), [(name, None)], (), None).cost
        now = {**now, name: now[name] + 1}
    after = replace(begun, attributes=now, granted=granted, experience_spent=paid)
    least = least_cost(after, prices_now(after), pairs_of(after))
    assert least <= paid
    if not any(free for _, free in history):
        assert least == paid
        if paid:
            short = check_sheet(replace(after, experience_spent=paid - 1), "s")
            assert "experience-spent" in {finding.check.id for finding in short.findings if finding.severity == "error"}
    assert "experience-spent" not in {finding.check.id for finding in check_sheet(after, "s").findings}
