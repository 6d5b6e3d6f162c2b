"""Numbers of cards of a kind that a deck must hold."""

from __future__ import annotations

from tests.games.arkham.decks.conftest import FACTS, by_code, deck, errors, named

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
