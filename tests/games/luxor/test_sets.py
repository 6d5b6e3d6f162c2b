"""The set optimizer finds as many sets as an exhaustive search, and its sets can be laid out from the given cards."""

from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from kb.games.luxor.score import sets_of
from tests.tables import rows_of

few, many = (st.tuples(*[st.integers(0, most)] * 4) for most in (5, 40))


@cache
def tried(vases, jewelry, statues, wild):
    """Return the largest number of sets by trying every possible first set. A set has three cards: one of each
    treasure, of which wild cards replace at most two.
    """
    best = 0
    for places in product((True, False), repeat=3):
        wilds = 3 - sum(places)
        left = [number - place for number, place in zip((vases, jewelry, statues), places, strict=True)]
        if wilds <= 2 and wilds <= wild and min(left) >= 0:
            best = max(best, 1 + tried(*left, wild - wilds))
    return best


@given(few)
def test_the_optimizer_is_as_good_as_exhaustive_search(tiles):
    assert len(sets_of(tiles)) == tried(*tiles)


@given(many)
def test_the_sets_shown_can_be_laid_out(tiles):
    sets, (*treasures, wild) = sets_of(tiles), tiles
    assert 3 * len(sets) - sum(sets) <= sum(min(len(sets), number) for number in treasures)
    assert sum(sets) <= wild
    assert all(0 <= each <= 2 for each in sets)
    assert sets == sorted(sets)


@rows_of("games-luxor-sets", "test_edges")
def test_edges(tiles, sets):
    """A greedy player would first make the complete set of 1, 1, 1. With 6 wild cards, three sets that each use one
    treasure are better.
    """
    assert len(sets_of(tiles)) == sets
