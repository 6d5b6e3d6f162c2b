"""Pages of cards say which facts are unknown."""

import json

from kb.games.pathfinder.pages import copies, gaps
from tests.conftest import ROOT

BOONS = [
    card
    for kind in ("weapon", "spell", "armor", "item", "ally", "blessing")
    for card in json.loads((ROOT / f"cards/pathfinder/mm/{kind}.json").read_text("utf-8"))
]


def test_unknown_facts_are_counted():
    assert gaps(BOONS) == ["the adventure deck of 2", "the traits of 14", "some of the copies of 15"]
    said = {card["name"]: copies(card) for card in BOONS}
    assert said["Acid Flask"] == "3 in Base set, an unknown number in Character Add-On Deck"
    assert said["Heavy Pick"] == ""
