"""Which cards an investigator may have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.model import Mark
from tests.games.arkham.decks.conftest import (
    AGNES,
    FACTS,
    ROLAND,
    ZOEY,
    deck,
    errors,
    named,
    notes,
)

REX, AKACHI, URSULA, SUZI, LILY, WENDY, VINCENT = map(
    named, ("Rex Murphy", "Akachi Onyele", "Ursula Downs", "Subject 5U-21", "Lily Chen", "Wendy Adams", "Vincent Lee")
)


def test_traits_uses_and_tags() -> None:
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


def test_a_bonded_card_lends_no_text_and_boosting_a_heal_is_healing() -> None:
    # rulings on cards: bonded-text-does-not-count-for-options, grays-anatomy-is-a-healing-card-for-deckbuilding,
    # carolyn-may-take-any-card-that-heals-horror
    for bonded in tuple(
        map(named, ("Hallowed Mirror (3)", "Empty Vessel"))
    ):  # Hallowed Mirror, Empty Vessel: only what they bring heals
        assert errors(deck(VINCENT, {bonded: 1})) == {"within-options"}


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


def test_no_permanent_talents_for_parallel_jenny() -> None:
    permanent = [
        code
        for code, record in FACTS._cards.items()
        if record.get("permanent") and "Talent" in record.get("traits", ()) and record["class"] == ["guardian"]
    ]
    assert permanent


def test_an_upgrade_that_takes_the_slot_away_counts() -> None:
    servitor = deck(AGNES, {"On Your Own (3) (rttfa)": 1, "Summoned Servitor": 1})
    ally = replace(servitor, customizations={named("Summoned Servitor"): (Mark(5, 2, "0"),)})
    assert "restrictions-kept" not in errors(ally)
    replace(servitor, customizations={named("Summoned Servitor"): (Mark(5, 2, "arcane"),)})
    replace(servitor, customizations={named("Summoned Servitor"): (Mark(5, 1, "0"),)})


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


def test_traits_of_the_investigators_front() -> None:
    assert "traits-of-the-investigator" not in errors(deck("Rex Murphy", {"On Their Heels": 1}))  # Reporter


def test_story_cards_are_a_note() -> None:
    deck(ROLAND, {"Lita Chantler": 1})
    assert {"reward-cards-unlocked"} == notes(deck(ROLAND, {"Collector": 1})) - {"weakness-still-to-draw"}


def test_side_deck_candidates_are_a_warning() -> None:
    made = replace(deck(ZOEY), side_deck={named("Burglary"): 1, named("On the Lam"): 1, "77777": 1})
    assert "side-deck" not in notes(replace(made, side_deck={named("Burglary"): 1}))
