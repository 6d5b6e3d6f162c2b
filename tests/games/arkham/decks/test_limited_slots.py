"""Limited deckbuilding slots: seated by flow, against brute force; "other" and multi-class cards."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from kb.games.arkham.decks.tally import assign_slots

MASKS = st.integers(1, 7)
CAPACITIES = st.lists(st.integers(0, 3), min_size=3, max_size=3)


def best_by_trying(masks, capacities):
    """The most cards that any assignment seats."""
    best = 0
    for places in product((None, 0, 1, 2), repeat=len(masks)):
        counts = [places.count(option) for option in range(3)]
        allowed = all(place is None or mask >> place & 1 for mask, place in zip(masks, places, strict=True))
        if allowed and all(count <= capacity for count, capacity in zip(counts, capacities, strict=True)):
            best = max(best, sum(counts))
    return best


@given(st.lists(MASKS, max_size=6), CAPACITIES)
def test_as_many_cards_as_possible_are_seated(masks, capacities):
    seats = assign_slots(masks, capacities)
    for mask, place in zip(masks, seats, strict=True):
        assert place is None or mask >> place & 1
    for option, capacity in enumerate(capacities):
        assert seats.count(option) <= capacity
    assert sum(place is not None for place in seats) == best_by_trying(masks, capacities)
