"""Numbers of cards of a kind that a deck must hold."""

from __future__ import annotations

from tests.games.arkham.decks.conftest import DAISY, FACTS, LOLA, deck, errors, found

THREE = {"01020": 2, "01016": 2, "01017": 2, "01018": 1, "01030": 2, "01031": 2, "01037": 2, "01039": 1, "01044": 2,
         "01045": 2, "01047": 2, "01051": 1}  # fmt: skip
NEUTRAL = {"01086": 2, "01087": 2, "01088": 2, "01089": 2, "01090": 2, "01091": 2, "01092": 2}


def test_seven_cards_of_three_classes() -> None:
    assert errors(deck(LOLA, {**THREE, **NEUTRAL})) == set()
    short = {**THREE, "01051": 0, "01093": 1, **NEUTRAL}
    assert errors(deck(LOLA, short)) == {"cards-of-several-classes"}
    assert "rogue 6" in found(deck(LOLA, short), "cards-of-several-classes").message


def test_multi_class_cards_count_for_each_of_their_classes() -> None:
    short = {**THREE, "01051": 0, "01018": 0, "05115": 1, "01093": 1, **NEUTRAL}  # .45 Thompson: guardian and rogue
    assert errors(deck(LOLA, short)) == set()


def test_weaknesses_count_for_no_class() -> None:
    weak = {**THREE, "01051": 0, "09126": 0, "01093": 1, **NEUTRAL}
    assert errors(deck(LOLA, {**weak, "01102": 1})) == {"cards-of-several-classes"}


def test_ten_skills_with_ancestral_knowledge() -> None:
    skills = {"01089": 2, "01090": 2, "01091": 2, "01092": 2, "01039": 2}
    assert errors(deck(DAISY, {"07303": 1, **skills})) == set()
    nine = {**skills, "01039": 1}
    others = {code: 0 for code, record in FACTS._cards.items() if record["type"] == "skill" and code not in nine}
    assert errors(deck(DAISY, {"07303": 1, **nine, **others})) == {"cards-of-a-kind"}
    assert "at least 10" in found(deck(DAISY, {"07303": 1, **nine, **others}), "cards-of-a-kind").message


def test_eleven_insight_events_for_joe() -> None:
    insight = [
        code
        for code, record in FACTS._cards.items()
        if record["type"] == "event" and "Insight" in record.get("traits", ()) and record.get("level") == 0
        and record["class"] == ["seeker"] and "duplicate_of" not in record
    ]  # fmt: skip
    five = dict.fromkeys(insight[:5], 2)
    rest = dict.fromkeys(
        [code for code, record in FACTS._cards.items() if "Insight" in record.get("traits", ()) and code not in five], 0
    )
    rest.pop("05010")  # Unsolved Case is the eleventh
    assert errors(deck("05002", {**rest, **five})) == set()
    assert errors(deck("05002", {**rest, **five, insight[0]: 1})) == {"cards-of-a-kind"}
    assert errors(deck("12004")) == set()  # the Joe of 2026 has no hunch deck
