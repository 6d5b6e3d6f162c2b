"""Numbers of cards of a kind that a deck must hold."""

from __future__ import annotations

from tests.games.arkham.decks.conftest import DAISY, FACTS, LOLA, THREE, by_code, deck, errors, found, named

NEUTRAL = by_code(
    {
        "Knife": 2,
        "Flashlight": 2,
        "Emergency Cache": 2,
        "Guts": 2,
        "Perception": 2,
        "Overpower": 2,
        "Manual Dexterity": 2,
    }
)


def test_seven_cards_of_three_classes() -> None:
    assert errors(deck(LOLA, {**THREE, **NEUTRAL})) == set()
    short = {**THREE, named("Backstab"): 0, named("Unexpected Courage"): 1, **NEUTRAL}
    assert errors(deck(LOLA, short)) == {"cards-of-several-classes"}
    assert "rogue 6" in found(deck(LOLA, short), "cards-of-several-classes").message


def test_multi_class_cards_count_for_each_of_their_classes() -> None:
    short = {
        **THREE,
        named("Backstab"): 0,
        named("Beat Cop"): 0,
        named(".45 Thompson"): 1,
        named("Unexpected Courage"): 1,
        **NEUTRAL,
    }  # .45 Thompson: guardian and rogue
    assert errors(deck(LOLA, short)) == set()


def test_weaknesses_count_for_no_class() -> None:
    weak = {**THREE, named("Backstab"): 0, named("Pay Your Due"): 0, named("Unexpected Courage"): 1, **NEUTRAL}
    assert errors(deck(LOLA, {**weak, "Silver Twilight Acolyte": 1})) == {"cards-of-several-classes"}


def test_ten_skills_with_ancestral_knowledge() -> None:
    skills = by_code({"Guts": 2, "Perception": 2, "Overpower": 2, "Manual Dexterity": 2, "Deduction": 2})
    assert errors(deck(DAISY, {"Ancestral Knowledge": 1, **skills})) == set()
    nine = {**skills, named("Deduction"): 1}
    others = {code: 0 for code, record in FACTS._cards.items() if record["type"] == "skill" and code not in nine}
    assert errors(deck(DAISY, {"Ancestral Knowledge": 1, **nine, **others})) == {"cards-of-a-kind"}
    assert "at least 10" in found(deck(DAISY, {"Ancestral Knowledge": 1, **nine, **others}), "cards-of-a-kind").message


def test_eleven_insight_events_for_joe() -> None:
    insight = [
        code
        for code, record in FACTS._cards.items()
        if record["type"] == "event"
        and "Insight" in record.get("traits", ())
        and record.get("level") == 0
        and record["class"] == ["seeker"]
        and "duplicate_of" not in record
    ]
    five = dict.fromkeys(insight[:5], 2)
    rest = dict.fromkeys(
        [code for code, record in FACTS._cards.items() if "Insight" in record.get("traits", ()) and code not in five], 0
    )
    rest.pop(named("Unsolved Case"))  # Unsolved Case is the eleventh
    assert errors(deck("Joe Diamond", {**rest, **five})) == set()
    assert errors(deck("Joe Diamond", {**rest, **five, insight[0]: 1})) == {"cards-of-a-kind"}
    assert errors(deck("Joe Diamond (core_2026)")) == set()  # the Joe of 2026 has no hunch deck
