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
    by_code,
    changed,
    deck,
    errors,
    found,
    named,
    notes,
)

REX, AKACHI, URSULA, SUZI, LILY, WENDY, VINCENT = map(
    named, ("Rex Murphy", "Akachi Onyele", "Ursula Downs", "Subject 5U-21", "Lily Chen", "Wendy Adams", "Vincent Lee")
)


def test_class_and_level() -> None:
    assert errors(deck(ROLAND, {"Old Book of Lore": 1})) == set()  # Old Book of Lore, seeker 0
    assert errors(deck(ROLAND, {"Magnifying Glass (1)": 1})) == set()  # Magnifying Glass, seeker 1
    assert errors(deck(ROLAND, {"Deduction (2)": 1})) == set()  # Deduction, seeker 2
    assert errors(deck(ROLAND, {"Higher Education (3)": 1})) == {"within-options"}  # Higher Education, seeker 3
    assert "Higher Education" in found(deck(ROLAND, {"Higher Education (3)": 1}), "within-options").message
    assert errors(deck(ROLAND, {"Burglary": 1})) == {"within-options"}  # Burglary, rogue


def test_traits_uses_and_tags() -> None:
    assert errors(deck(AKACHI, {"Magnifying Glass": 1})) == {"within-options"}
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
    assert errors(deck(CAROLYN, {"Medical Texts": 1, "Medical Student": 1})) == set()


def test_a_bonded_card_lends_no_text_and_boosting_a_heal_is_healing() -> None:
    # rulings on cards: bonded-text-does-not-count-for-options, grays-anatomy-is-a-healing-card-for-deckbuilding,
    # carolyn-may-take-any-card-that-heals-horror
    assert errors(deck(AKACHI, {"Segment of Onyx": 1})) == {
        "within-options"
    }  # Segment of Onyx: the pendant has the charges
    for bonded in tuple(
        map(named, ("Hallowed Mirror (3)", "Empty Vessel"))
    ):  # Hallowed Mirror, Empty Vessel: only what they bring heals
        assert errors(deck(VINCENT, {bonded: 1})) == {"within-options"}
    assert errors(deck(VINCENT, {"Gray's Anatomy": 1})) == set()  # Gray's Anatomy
    assert (
        errors(deck(CAROLYN, {"Gray's Anatomy": 1, "Peter Sylvestre": 1, "Cheat Death": 1})) == set()
    )  # Peter Sylvestre, Cheat Death


def test_restrictions_hold_before_options() -> None:
    made = deck(REX, {"Deduction": 1})
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
        assert "restrictions-kept" not in errors(deck(REX, {code: 1}, back=named("Rex Murphy (hfa)")))
    for code in blessed:
        assert errors(deck(REX, {code: 1}, back=named("Rex Murphy (hfa)"))) == {"restrictions-kept"}


def test_only_firearm_assets_are_excluded_where_the_card_says_assets() -> None:
    disciplines = by_code({"Discipline": 1, "Burden of Destiny": 1})
    assert errors(deck(LILY, disciplines)) == set()
    assert errors(deck(LILY, {**disciplines, ".45 Automatic": 1})) == {"restrictions-kept"}


def test_no_permanents_for_suzi() -> None:
    made = deck(SUZI, {"Haunted": 1, "Psychosis": 1, "Charisma": 1})
    assert "restrictions-kept" in errors(made)


def test_no_permanent_talents_for_parallel_jenny() -> None:
    permanent = [
        code
        for code, record in FACTS._cards.items()
        if record.get("permanent") and "Talent" in record.get("traits", ()) and record["class"] == ["guardian"]
    ]
    assert permanent
    assert errors(deck("Jenny Barnes", {permanent[0]: 1}, back=named("Jenny Barnes (pap)"))) == {"within-options"}


def test_no_ally_slots_on_your_own() -> None:
    yorick = named("William Yorick")
    assert errors(deck(yorick, {"On Your Own (3) (rttfa)": 1, "Sled Dog": 0})) == set()
    assert errors(deck(yorick, {"On Your Own (3) (rttfa)": 1, "Beat Cop": 1})) == {"restrictions-kept"}
    assert errors(deck(yorick, {"On Your Own (3) (rttfa)": 1, "Lita Chantler": 1})) == set()  # a story asset


def test_an_upgrade_that_takes_the_slot_away_counts() -> None:
    servitor = deck(AGNES, {"On Your Own (3) (rttfa)": 1, "Summoned Servitor": 1})
    assert "restrictions-kept" in errors(servitor)
    ally = replace(servitor, customizations={named("Summoned Servitor"): (Mark(5, 2, "0"),)})
    assert "restrictions-kept" not in errors(ally)
    arcane = replace(servitor, customizations={named("Summoned Servitor"): (Mark(5, 2, "arcane"),)})
    assert "restrictions-kept" in errors(arcane)
    unpaid = replace(servitor, customizations={named("Summoned Servitor"): (Mark(5, 1, "0"),)})
    assert "restrictions-kept" in errors(unpaid)


def test_customizable_cards_by_their_level() -> None:
    made = deck(ROLAND, {"Alchemical Distillation": 2})
    assert (
        errors(
            replace(
                made,
                customizations={named("Alchemical Distillation"): (Mark(0, 1), Mark(1, 1), Mark(2, 1), Mark(3, 1))},
            )
        )
        == set()
    )
    five = replace(
        made, customizations={named("Alchemical Distillation"): (Mark(0, 1), Mark(1, 1), Mark(2, 1), Mark(4, 2))}
    )
    assert errors(five) == {"within-options"}
    assert "level 3" in found(five, "within-options").message


def test_upgrades_give_traits() -> None:
    made = deck(URSULA, {"Hunter's Armor": 1})
    assert errors(made) == {"within-options"}
    assert errors(replace(made, customizations={named("Hunter's Armor"): (Mark(0, 1),)})) == set()  # it gains Relic
    assert errors(replace(made, customizations={named("Hunter's Armor"): (Mark(1, 2),)})) == {"within-options"}


def test_bonded_cards_stay_out() -> None:
    assert errors(deck(ROLAND, {"Hallowed Mirror": 1, "Soothing Melody": 3})) == {"bonded-stay-out"}
    assert errors(deck(DAISY, {"Twilight Diadem": 1})) == {"bonded-stay-out"}


@pytest.mark.parametrize(
    "code", list(map(named, ["Daisy's Tote Bag", "The Necronomicon", "Daisy's Tote Bag (rod)", "Zoey's Cross"]))
)
def test_signatures_of_others(code: str) -> None:
    assert errors(deck(ROLAND, {code: 1})) == {"signatures-of-others"}


@pytest.mark.parametrize(
    "code",
    [
        named("Daisy Walker"),
        "01104",
        "01121b",
        "08011b",
        named("Sophie: It Was All My Fault"),
        named("Dream-Gate"),
        "89005",
    ],
)
def test_no_cards_of_a_deck(code: str) -> None:
    assert errors(deck(ROLAND, {code: 1})) & {"cards-of-decks", "bonded-stay-out", "signatures-of-others"}


def test_unknown_codes_are_errors() -> None:
    assert errors(changed(deck(), {"99998": 1})) == {"cards-known"}


def test_traits_of_the_investigators_front() -> None:
    assert errors(deck(DAISY, {"Library Pass": 1})) == set()  # Miskatonic
    assert errors(deck("Rex Murphy", {"Library Pass": 1})) == {"traits-of-the-investigator"}
    assert "traits-of-the-investigator" not in errors(deck("Rex Murphy", {"On Their Heels": 1}))  # Reporter


def test_taboo_forbidden() -> None:
    made = deck('"Skids" O\'Toole', {"Double or Nothing": 2})
    assert errors(made) == set()
    assert errors(replace(made, taboo=8)) == {"taboo-forbidden"}


def test_story_cards_are_a_note() -> None:
    made = deck(ROLAND, {"Lita Chantler": 1})
    assert errors(made) == set()
    assert "story-cards-granted" in notes(made)
    assert {"reward-cards-unlocked"} == notes(deck(ROLAND, {"Collector": 1})) - {"weakness-still-to-draw"}


def test_story_assets_are_not_let_in_by_neutral_options_nor_kept_out() -> None:
    assert errors(deck(WENDY, {"The Necronomicon: Olaus Wormius Translation": 1})) == set()


def test_researched_cards_are_a_note() -> None:
    assert "researched-cards-earned" in notes(deck(DAISY, {"Strange Solution: Acidic Ichor": 1}))


def test_side_deck_candidates_are_a_warning() -> None:
    made = replace(deck(ZOEY), side_deck={named("Burglary"): 1, named("On the Lam"): 1, "77777": 1})
    assert errors(made) == set()
    assert "On the Lam" in found(made, "side-deck").message
    assert "side-deck" not in notes(replace(made, side_deck={named("Burglary"): 1}))
