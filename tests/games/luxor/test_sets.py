"""The set optimiser: never worse than trying everything, and what it shows is really there."""

from collections import Counter
from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from kb.games.luxor.score import TREASURES, Treasures, best_sets, most_sets
from tests.tables import rows_of

few = st.integers(0, 5)
many = st.integers(0, 40)


@cache
def tried(vases, jewelry, statues, wild):
    """The most sets, by making every possible set first: each place a treasure or a wild card, not three wild cards."""
    best = 0
    for places in product((True, False), repeat=3):
        wilds = 3 - sum(places)
        left = [number - place for number, place in zip((vases, jewelry, statues), places, strict=True)]
        if wilds <= 2 and wilds <= wild and min(left) >= 0:
            best = max(best, 1 + tried(*left, wild - wilds))
    return best


@given(few, few, few, few)
def test_as_many_as_trying_everything_finds(vases, jewelry, statues, wild):
    assert most_sets(Treasures(vases, jewelry, statues, wild)) == tried(vases, jewelry, statues, wild)


@given(many, many, many, many)
def test_the_sets_shown_can_be_laid_out(vases, jewelry, statues, wild):
    tiles = Treasures(vases, jewelry, statues, wild)
    sets = best_sets(tiles)
    assert len(sets) == most_sets(tiles)
    used = Counter(treasure for each in sets for treasure in each.treasures)
    assert all(used[treasure] <= number for treasure, number in zip(TREASURES, tiles.of_each_type, strict=True))
    assert sum(each.wild_cards for each in sets) <= wild
    assert all(len(set(each.treasures)) == len(each.treasures) for each in sets)
    assert all(0 <= each.wild_cards <= 2 for each in sets)
    assert [each.wild_cards for each in sets] == sorted(each.wild_cards for each in sets)


@rows_of("games-luxor-sets", "test_edges")
def test_edges(tiles, sets):
    """A greedy player would make the complete set of 1, 1, 1 first; with 6 wild cards three sets of one treasure are better."""
    assert most_sets(Treasures(*tiles)) == sets
