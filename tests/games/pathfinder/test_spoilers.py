"""A villain of a later adventure is a spoiler: the catalog, searches and the JSON output mark it."""

import kb


def test_a_villain_is_a_spoiler_for_its_adventure():
    catalog = kb.open_catalog()
    told = {
        card["name"]: card.get("spoiler") for card in catalog.records("pathfinder", "bane") if card["type"] == "villain"
    }
    assert (told["Nualia"], told["Black Fang"], told["Nebta-Khufre"]) == ("Burnt Offerings", None, "Empty Graves")
    assert not [
        card for card in catalog.records("pathfinder", "bane") if card["type"] != "villain" and "spoiler" in card
    ]


def test_a_search_can_leave_spoilers_out():
    found = kb.search("Nualia", within="pathfinder")
    assert (found.hits[0].id, found.hits[0].spoiler) == ("pathfinder/rotr/banes/nualia", "Burnt Offerings")
    assert "pathfinder/rotr/banes/nualia" not in [
        hit.id for hit in kb.search("Nualia", within="pathfinder", spoilers=False).hits
    ]


def test_the_terminal_masks_spoilers(kb):
    out = kb("search Nualia --in pathfinder").out
    assert "Spoiler for Burnt Offerings" in out
    assert "Villain, " not in out
    assert "Villain, " in kb("search Nualia --in pathfinder --spoilers").out
