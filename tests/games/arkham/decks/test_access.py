"""Which cards an investigator may have."""

from __future__ import annotations

import pytest

from tests.games.arkham.decks.conftest import (
    FACTS,
    ROLAND,
    deck,
    errors,
    named,
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
