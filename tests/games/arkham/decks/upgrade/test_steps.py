"""The cost and the findings of an upgrade, for each rule at its limit (tests/data/arkham-steps.yaml and
arkham-cheapest.yaml).
"""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.upgrade.changes import changes_between
from kb.games.arkham.decks.upgrade.plan import _carrier
from tests.games.arkham.decks.conftest import FACTS, by_code, named, spare
from tests.games.arkham.decks.test_verdicts import deck_of, fields
from tests.games.arkham.decks.upgrade.steps import cost, filler, judge, put
from tests.tables import read

STEPS = read("arkham-steps.yaml") | read("arkham-cheapest.yaml")


def step_of(row):
    """Return the decks before and after the upgrade in a row of the table."""
    old, swaps = deck_of(row), row.get("swap", 0)
    now = put(old, row.get("now", {}))
    gone = filler(old, row.get("out", swaps), tuple(by_code(row.get("cards", {}))))
    new = put(old, gone, row.get("now", {}), spare(now, row.get("in", swaps), backwards=True))
    return old, replace(new, **fields(row.get("after", {})))


def out_of_order(old, new, lines):
    """Return the text of the first line that upgrades a card not in the deck at that point, or None. A card is in the
    deck if it was in the deck `old` or an earlier line adds it.
    """
    held = {change.card.label: change.left for change in changes_between(old, new, FACTS).cards if change.card}
    for line in lines:
        if line.action == "upgrade":
            held[line.source] = held.get(line.source, 0) - line.copies
            if held[line.source] < 0:
                return line.text
        if line.action not in ("exile", "remove", "mark boxes"):
            held[line.card] = held.get(line.card, 0) + line.copies
    return None


@pytest.mark.parametrize("rule", STEPS)
def test_steps_have_the_expected_cost_and_findings(rule):
    for row in STEPS[rule]:
        old, new = step_of(row)
        step = judge(old, new, **{key: row[key] for key in ("earned", "carried") if key in row})
        found = {each.check.id: each for each in step.findings}
        assert step.cost == row.get("costs", step.cost), row
        assert step.cost == sum(line.cost for line in step.lines), row
        assert all(line.cites for line in step.lines), row
        assert out_of_order(old, new, step.lines) is None, row
        actions = row.get("lines")
        assert actions is None or [line.action for line in step.lines][: len(actions) or 1] == actions, row
        for severity in {"error", "warning", "note"} & row.keys():
            assert {name for name, each in found.items() if each.severity == severity} == {*row[severity]}, row
        assert found.keys().isdisjoint(row.get("quiet", ())), row
        for name, texts in row.get("says", {}).items():
            assert all(text in found[name].message for text in texts), row


def test_the_extra_deck_has_its_own_size():
    def jim(extra, *exiled):
        investigator, back = named("Jim Culver: The Musician"), named("Jim Culver (ltr)")
        return ArkhamDeck(investigator, {}, back=back, extra=by_code(extra), exiled=tuple(map(named, exiled)))

    old = jim({"Guiding Spirit": 1, "Beat Cop": 1})
    assert cost(old, jim({"Guiding Spirit": 1, "Beat Cop": 1}, "Guiding Spirit")) == 1
    assert cost(old, jim({"Arcane Initiate": 1, "Beat Cop": 1}, "Guiding Spirit")) == 0
    assert cost(old, jim({"Guiding Spirit": 1, "Arcane Initiate": 1})) == 1


def test_slots_and_swaps_of_the_deck_do_not_apply_to_the_extra_deck():
    def jim(cards, extra, *exiled):
        investigator, back = named("Jim Culver: The Musician"), named("Jim Culver (ltr)")
        extra = by_code(dict.fromkeys(("Guiding Spirit", extra), 1))
        return ArkhamDeck(investigator, by_code(cards), back=back, extra=extra, exiled=tuple(map(named, exiled)))

    flask, knife = {"Fire Extinguisher": 1}, {"Knife": 1, "Adaptable": 1}
    assert cost(jim(flask, "Beat Cop"), jim({}, "Arcane Initiate", "Fire Extinguisher")) == 1
    assert cost(jim(knife, "Beat Cop"), jim({"Adaptable": 1}, "Arcane Initiate")) == 1


@pytest.mark.parametrize(
    ("row", "card"),
    [
        ({"cards": {"Flashlight": 1, "Knife": 1}}, "Knife"),  # the only copy was exiled
        ({"cards": {"Flashlight": 2, "Knife": 1}}, "Flashlight"),
        (
            {"cards": {"Drawing Thin": 1, "Knife": 1}, "taboo": 8},
            "Knife",
        ),  # the taboo list adds to the price of Drawing Thin
        ({"cards": {"Knife": 1, "Grizzled": 1}, "customizations": {"Grizzled": [[1, 1]]}}, "Knife"),
        ({"cards": {"Burglary": 1, "Knife": 1}}, "Knife"),  # no option allows it
    ],
)
def test_a_card_that_is_swapped_out_and_purchased_again(row, card):
    """The card must be an allowed level 0 card without an upgrade sheet, and the taboo list must not add to its
    price.
    """
    held = by_code(row["cards"])
    marks = {"customizations": fields(row)["customizations"]} if "customizations" in row else {}
    old = ArkhamDeck(named("William Yorick"), held, taboo=row.get("taboo", 0), **marks)
    gone = (named("Flashlight"),) if "Flashlight" in row["cards"] else ()
    new = replace(
        old, cards={code: copies - (code in gone) for code, copies in held.items() if copies > (code in gone)}
    )
    changes = changes_between(old, replace(new, exiled=gone), FACTS)
    assert _carrier(changes).card.label == FACTS.label(named(card))


def test_lines_name_the_cards_that_helped():
    row = {"cards": {"Down the Rabbit Hole": 1, "Arcane Research": 1, "Shrivelling": 1}}
    (line,) = judge(*step_of({"deck": "Agnes Baker", "now": {"Shrivelling": 0, "Shrivelling (3)": 1}} | row)).lines
    assert line.why == "difference 3; 2 less with Arcane Research and Down the Rabbit Hole"
    swap, *_ = judge(*step_of({"deck": "Agnes Baker", "cards": {"Adaptable": 1}, "swap": 1})).lines
    assert (swap.action, swap.why) == ("swap in", "level 0 swap with Adaptable")


def test_a_card_is_named_by_the_level_at_which_it_is_purchased():
    (row,) = STEPS["fewer boxes may be purchased and the others marked as an upgrade"]
    bought, marked, *_ = judge(*step_of(row)).lines
    assert (bought.card, bought.why) == ("Power Word [09081]", "level 0; at least 1")
    assert marked.card == "Power Word (2) [09081]"
