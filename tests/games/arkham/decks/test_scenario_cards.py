"""Cards of encounter sets and cards without a deck limit: some can never be in a deck, others only after a scenario
grants them.
"""

import pytest

from tests.games.arkham.decks.conftest import RECORDS, ROLAND, changed, check, deck
from tests.tables import read

GROUPS = read("arkham-scenario-cards.yaml")
ONE_EACH = [(code, group) for group in GROUPS for code in group["codes"]]
BASE = deck(ROLAND)


def test_each_card_of_an_encounter_set_or_without_a_deck_limit_is_in_one_group():
    shipped = [card["code"] for card in RECORDS["card"] if card.get("encounter") or not card.get("limit")]
    assert sorted(code for code, _ in ONE_EACH) == sorted(shipped)


@pytest.mark.parametrize(("code", "group"), ONE_EACH, ids=lambda value: value if isinstance(value, str) else "")
def test_a_deck_with_a_card_of_a_scenario(code, group):
    findings = check(changed(BASE, {code: 1})).findings
    about = {(each.check.id, each.severity) for each in findings if any(f"[{code}]" in card for card in each.cards)}
    assert about == {(group["check"], group["severity"])}
