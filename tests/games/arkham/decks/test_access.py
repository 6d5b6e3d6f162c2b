"""Which cards an investigator may have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.model import Mark
from tests.games.arkham.decks.conftest import (
    AGNES,
    CAROLYN,
    DAISY,
    FACTS,
    ROLAND,
    ZOEY,
    changed,
    deck,
    errors,
    found,
    notes,
)

REX, AKACHI, URSULA, SUZI, LILY, WENDY, VINCENT = "02002", "03004", "04002", "89001", "08010", "01005", "09004"


def test_class_and_level() -> None:
    assert errors(deck(ROLAND, {"01031": 1})) == set()  # Old Book of Lore, seeker 0
    assert errors(deck(ROLAND, {"01040": 1})) == set()  # Magnifying Glass, seeker 1
    assert errors(deck(ROLAND, {"02150": 1})) == set()  # Deduction, seeker 2
    assert errors(deck(ROLAND, {"02187": 1})) == {"within-options"}  # Higher Education, seeker 3
    assert "Higher Education" in found(deck(ROLAND, {"02187": 1}), "within-options").message
    assert errors(deck(ROLAND, {"01045": 1})) == {"within-options"}  # Burglary, rogue


def test_traits_uses_and_tags() -> None:
    assert errors(deck(AKACHI, {"01030": 1})) == {"within-options"}
    charges = [
        code
        for code, record in FACTS._cards.items()
        if record.get("uses") == "charges" and record["class"] == ["survivor"]
    ]
    assert charges
    for code in charges:
        level = FACTS._cards[code]["level"]
        wanted = {"within-options"} if level == 5 else set()
        assert errors(deck(AKACHI, {code: 1})) == wanted
    assert errors(deck(CAROLYN, {"01035": 1, "08083": 1})) == set()


def test_a_bonded_card_lends_no_text_and_boosting_a_heal_is_healing() -> None:
    # rulings on cards: bonded-text-does-not-count-for-options, grays-anatomy-is-a-healing-card-for-deckbuilding,
    # carolyn-may-take-any-card-that-heals-horror
    assert errors(deck(AKACHI, {"06021": 1})) == {"within-options"}  # Segment of Onyx: the pendant has the charges
    for bonded in ("54002", "06276"):  # Hallowed Mirror, Empty Vessel: only what they bring heals
        assert errors(deck(VINCENT, {bonded: 1})) == {"within-options"}
    assert errors(deck(VINCENT, {"09058": 1})) == set()  # Gray's Anatomy
    assert errors(deck(CAROLYN, {"09058": 1, "02033": 1, "03310": 1})) == set()  # Peter Sylvestre, Cheat Death


def test_restrictions_hold_before_options() -> None:
    made = deck(REX, {"01039": 1})
    assert errors(made) == set()
    fortune = [
        c
        for c, r in FACTS._cards.items()
        if "Fortune" in r.get("traits", ()) and r["class"] == ["survivor"] and r.get("level") == 0
    ]
    assert errors(deck(REX, {fortune[0]: 1})) == {"restrictions-kept"}


def test_earlier_options_are_the_unless_of_a_restriction() -> None:
    cursed = [
        code
        for code, record in FACTS._cards.items()
        if {"Cursed", "Blessed"} <= set(record.get("traits", ())) and record.get("level") in range(5)
    ]
    blessed = [
        code
        for code, record in FACTS._cards.items()
        if "Blessed" in record.get("traits", ())
        and "Cursed" not in record["traits"]
        and record["class"] == ["seeker"]
        and record.get("level") in range(4)
    ]
    assert cursed
    for code in cursed:
        assert "restrictions-kept" not in errors(deck(REX, {code: 1}, back="90078"))
    for code in blessed:
        assert errors(deck(REX, {code: 1}, back="90078")) == {"restrictions-kept"}


def test_only_firearm_assets_are_excluded_where_the_card_says_assets() -> None:
    disciplines = {"08011a": 1, "08015": 1}
    assert errors(deck(LILY, disciplines)) == set()
    assert errors(deck(LILY, {**disciplines, "01016": 1})) == {"restrictions-kept"}


def test_no_permanents_for_suzi() -> None:
    made = deck(SUZI, {"01098": 1, "01099": 1, "02158": 1})
    assert "restrictions-kept" in errors(made)


def test_no_permanent_talents_for_parallel_jenny() -> None:
    permanent = [
        code
        for code, record in FACTS._cards.items()
        if record.get("permanent") and "Talent" in record.get("traits", ()) and record["class"] == ["guardian"]
    ]
    assert permanent
    assert errors(deck("02003", {permanent[0]: 1}, back="90084")) == {"within-options"}


def test_no_ally_slots_on_your_own() -> None:
    yorick = "03005"
    assert errors(deck(yorick, {"53010": 1, "08127": 0})) == set()
    assert errors(deck(yorick, {"53010": 1, "01018": 1})) == {"restrictions-kept"}
    assert errors(deck(yorick, {"53010": 1, "01117": 1})) == set()  # a story asset


def test_an_upgrade_that_takes_the_slot_away_counts() -> None:
    servitor = deck(AGNES, {"53010": 1, "09080": 1})
    assert "restrictions-kept" in errors(servitor)
    ally = replace(servitor, customizations={"09080": (Mark(5, 2, "0"),)})
    assert "restrictions-kept" not in errors(ally)
    arcane = replace(servitor, customizations={"09080": (Mark(5, 2, "arcane"),)})
    assert "restrictions-kept" in errors(arcane)
    unpaid = replace(servitor, customizations={"09080": (Mark(5, 1, "0"),)})
    assert "restrictions-kept" in errors(unpaid)


def test_customizable_cards_by_their_level() -> None:
    made = deck(ROLAND, {"09040": 2})
    assert errors(replace(made, customizations={"09040": (Mark(0, 1), Mark(1, 1), Mark(2, 1), Mark(3, 1))})) == set()
    five = replace(made, customizations={"09040": (Mark(0, 1), Mark(1, 1), Mark(2, 1), Mark(4, 2))})
    assert errors(five) == {"within-options"}
    assert "level 3" in found(five, "within-options").message


def test_upgrades_give_traits() -> None:
    made = deck(URSULA, {"09021": 1})
    assert errors(made) == {"within-options"}
    assert errors(replace(made, customizations={"09021": (Mark(0, 1),)})) == set()  # it gains Relic
    assert errors(replace(made, customizations={"09021": (Mark(1, 2),)})) == {"within-options"}


def test_bonded_cards_stay_out() -> None:
    assert errors(deck(ROLAND, {"05313": 1, "05314": 3})) == {"bonded-stay-out"}
    assert errors(deck(DAISY, {"10134": 1})) == {"bonded-stay-out"}


@pytest.mark.parametrize("code", ["01008", "01009", "90002", "02006"])
def test_signatures_of_others(code: str) -> None:
    assert errors(deck(ROLAND, {code: 1})) == {"signatures-of-others"}


@pytest.mark.parametrize("code", ["01002", "01104", "01121b", "08011b", "03009b", "06015a", "89005"])
def test_no_cards_of_a_deck(code: str) -> None:
    assert errors(deck(ROLAND, {code: 1})) & {"cards-of-decks", "bonded-stay-out", "signatures-of-others"}


def test_unknown_codes_are_errors() -> None:
    assert errors(changed(deck(), c99998=1)) == {"cards-known"}


def test_traits_of_the_investigators_front() -> None:
    assert errors(deck(DAISY, {"11099": 1})) == set()  # Miskatonic
    assert errors(deck("02002", {"11099": 1})) == {"traits-of-the-investigator"}
    assert "traits-of-the-investigator" not in errors(deck("02002", {"11120": 1}))  # Reporter


def test_taboo_forbidden() -> None:
    made = deck("01003", {"02026": 2})
    assert errors(made) == set()
    assert errors(replace(made, taboo=8)) == {"taboo-forbidden"}


def test_story_cards_are_a_note() -> None:
    made = deck(ROLAND, {"01117": 1})
    assert errors(made) == set()
    assert "story-cards-granted" in notes(made)
    assert "story-cards-granted" in notes(deck(ROLAND, {"12181": 1}))


def test_story_assets_are_not_let_in_by_neutral_options_nor_kept_out() -> None:
    assert errors(deck(WENDY, {"02140": 1})) == set()


def test_researched_cards_are_a_note() -> None:
    assert "researched-cards-earned" in notes(deck(DAISY, {"02263": 1}))


def test_side_deck_candidates_are_a_warning() -> None:
    made = replace(deck(ZOEY), side_deck={"01045": 1, "01010": 1, "77777": 1})
    assert errors(made) == set()
    assert "On the Lam" in found(made, "side-deck").message
    assert "side-deck" not in notes(replace(made, side_deck={"01045": 1}))
