"""The record of an upgrade step in a deck's description."""

from kb.decks.names import CardLabel
from kb.decks.upgrades import StepReport
from kb.games.arkham.upgrade_form import recorded, records
from kb.games.arkham.upgrades import PurchaseLine

LINE = PurchaseLine("purchase", CardLabel("Shrivelling (3)", "02154"), 1, 3, "", ())
STEP = StepReport("old", "new", "Agnes", 3, 5, (LINE,), ())


def test_the_record_of_a_step_is_read_without_codes():
    value = recorded({"description_md": "A deck of mine.", "adjustment": 2}, STEP)
    assert (value["experience"], value["xp_spent"]) == (3, 3)
    assert records(value) == ["Upgrade: 5 experience, 3 spent.", "Purchase Shrivelling (3): 3 experience."]
    assert len(records(recorded(value, STEP))) == 4
    assert records({"description_md": "A deck of mine."}) == records({}) == []


def test_a_line_is_a_sentence_with_other_names():
    assert LINE.text_with(lambda label: label.name) == "Purchase Shrivelling (3): 3 experience."
    assert LINE.as_json({})["text"] == "Purchase Shrivelling (3) [02154]: 3 experience."
