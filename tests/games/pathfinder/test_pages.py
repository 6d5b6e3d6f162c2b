"""Pages of cards say which facts are unknown."""

import json

from kb.games.pathfinder.pages import copies, gaps
from kb.games.pathfinder.scenario_pages import bane_facts
from tests.conftest import ROOT

BOONS = [
    card
    for kind in ("weapon", "spell", "armor", "item", "ally", "blessing")
    for card in json.loads((ROOT / f"cards/pathfinder/mm/{kind}.json").read_text("utf-8"))
]


def test_unknown_facts_are_counted():
    assert gaps(BOONS) == ["the adventure deck of 2", "the traits of 18", "some of the copies of 17"]
    said = {card["name"]: copies(card) for card in BOONS}
    assert said["Acid Flask"] == "3 in Base set, an unknown number in Character Add-On Deck"
    assert said["Heavy Pick"] == ""


def test_a_bane_says_its_products_and_what_is_unknown_of_it():
    banes = json.loads((ROOT / "cards/pathfinder/rotr/banes.json").read_text("utf-8"))
    (promo,) = [dict(bane_facts(card)) for card in banes if card["name"] == "Grindylow"]
    assert (promo["Adventure deck"], promo["Traits"], promo["Checks to defeat"]) == ("Promo", "unknown", "unknown")
