"""Upgrades of real decks with the experience that another checker counts, where that folder is at hand."""

import json

import pytest

from kb.games.arkham.decks.formats import json_deck
from tests.conftest import SHARED
from tests.games.arkham.decks.upgrade.steps import cost

CASES = sorted((SHARED / "cases/arkham/upgrades").glob("*.json"))


# Where a legal order is cheaper than what the other checker counts: it never purchases a lower version to upgrade it.
CHEAPER = {
    "dtrh_penalties_exile": 2,  # Cherished Keepsake: level 0 for 1, upgraded for 1 less 1; there a new level 1 for 1 more
    "exile_dejavu_2a": 7,  # Fire Extinguisher (1) again for 1 less 1, upgraded to (3) for 2; there a new (3) for 3
}


@pytest.mark.skipif(not CASES, reason="the folder with the cases is not here")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path):
    case = json.loads(path.read_text("utf-8"))
    expected = case.get("intended_xp_spent", case["expected"].get("intended_xp_spent", case["expected"]["xp_spent"]))
    assert CHEAPER.get(path.stem, expected) <= expected
    assert cost(json_deck(case["prev"]), json_deck(case["next"])) == CHEAPER.get(path.stem, expected)
