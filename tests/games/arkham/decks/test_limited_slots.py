"""Limited deckbuilding slots: seated by flow, against brute force; "other" and multi-class cards."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from kb.games.arkham.decks.assignment import seat
from tests.games.arkham.decks.conftest import CAROLYN, ZOEY, changed, check, deck, errors, found, named

MASKS = st.integers(1, 7)
CAPACITIES = st.lists(st.integers(0, 3), min_size=3, max_size=3)


def best_by_trying(masks: list[int], capacities: list[int]) -> int:
    """The most cards that any assignment seats."""
    best = 0
    for places in product((None, 0, 1, 2), repeat=len(masks)):
        counts = [places.count(option) for option in range(3)]
        allowed = all(place is None or mask >> place & 1 for mask, place in zip(masks, places, strict=True))
        if allowed and all(count <= capacity for count, capacity in zip(counts, capacities, strict=True)):
            best = max(best, sum(counts))
    return best


@given(st.lists(MASKS, max_size=6), CAPACITIES)
def test_as_many_cards_as_possible_are_seated(masks: list[int], capacities: list[int]) -> None:
    seats = seat(masks, capacities)
    for mask, place in zip(masks, seats, strict=True):
        assert place is None or mask >> place & 1
    for option, capacity in enumerate(capacities):
        assert seats.count(option) <= capacity
    assert sum(place is not None for place in seats) == best_by_trying(masks, capacities)


def slots_of(made: object) -> list[dict[str, object]]:
    return list(check(made).details["slots"])  # type: ignore[arg-type]


def test_five_cards_of_other_classes() -> None:
    made = deck(ZOEY, {"Magnifying Glass": 2, "Working a Hunch": 2, "Burglary": 1})
    (slots,) = slots_of(made)
    assert (slots["used"], slots["limit"]) == (5, 5)
    assert "uses 5 of 5" in str(slots["text"])
    assert errors(changed(made, {"Burglary": 2, "Flashlight": made.cards[named("Flashlight")] - 1})) == {
        "limited-slots"
    }


def test_a_multi_class_card_takes_one_slot_only() -> None:
    made = deck(ZOEY, {"Scroll of Secrets": 2, "Pocket Telescope": 2, "Magnifying Glass": 1})  # two other classes each
    assert slots_of(made)[0]["used"] == 5


def test_an_assignment_that_a_greedy_one_misses_is_found() -> None:
    # level 0 seeker cards come first and would take the slot of Versatile, which the rogue card needs
    made = deck(CAROLYN, {"Magnifying Glass": 2, "Old Book of Lore": 2, "Versatile": 1, "Burglary": 1})
    own, versatile = slots_of(made)
    assert (own["used"], versatile["used"]) == (4, 1)
    assert [card["code"] for card in versatile["cards"]] == [named("Burglary")]  # type: ignore[attr-defined]


def test_the_finding_shows_the_best_assignment_and_what_is_left() -> None:
    finding = found(deck(ZOEY, {"Magnifying Glass": 2, "Working a Hunch": 2, "Burglary": 2}), "limited-slots")
    assert "1 card too many" in finding.message
    assert "uses 5 of 5 slots for other level 0 cards" in finding.message
    assert len(finding.cards) == 1
