"""What the pages of cards say of what is known and of what is not."""

from __future__ import annotations

from kb.games.pathfinder.pages.cards import copies, gaps
from tests.games.pathfinder.test_found import boons


def test_what_is_not_known_is_counted() -> None:
    mm = list(boons("mm").values())
    assert gaps(mm) == ["the adventure deck of 2", "the traits of 14", "some of the copies of 15"]
    assert (
        gaps([card for card in mm if card["copies"] and None not in card["copies"].values() and card["traits"]]) == []
    )
    assert "whether they are Basic (17)" in gaps(list(boons("rotr").values()))


def test_copies_of_each_product() -> None:
    assert copies(boons("mm")["Acid Flask"]) == "3 in Base set, an unknown number in Character Add-On Deck"
    assert copies(boons("mm")["Lightning Touch"]) == "1 in Base set, 1 in Character Add-On Deck"
    assert copies(boons("mm")["Heavy Pick"]) == ""
