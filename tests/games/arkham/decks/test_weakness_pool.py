"""The pool of basic weaknesses, and random draws from this pool."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.games.arkham.decks.party import drawn_in, pool
from kb.games.arkham.weaknesses import Drawer, DrawError, draw, still_to_draw
from tests.games.arkham.decks.conftest import FACTS, HAUNTED, deck, named

AMNESIA, DARK_PACT = map(named, ("Amnesia", "Dark Pact"))
ANYONE = Drawer(frozenset({"guardian"}))


def codes(cards):
    return [card.code for card in cards]


def test_one_copy_of_each_product():
    core = pool(FACTS, ["core", "core"])
    assert core[AMNESIA] == 2
    assert core[HAUNTED] == 1
    assert sum(core.values()) == 10
    assert pool(FACTS, ["core", "rcore"])[AMNESIA] == 4


def test_a_product_with_older_packs_counts_for_their_cards():
    assert pool(FACTS, ["dwlp"]) == pool(FACTS, ["dwl", "tmm", "tece", "bota", "uau", "wda", "litas"])


def test_without_products_every_weakness_is_there_once_as_printed():
    every = pool(FACTS)
    assert every[AMNESIA] == 2
    assert set(pool(FACTS, ["core"])) < set(every)
    assert named("Random Basic Weakness") not in every


def test_drawn_weaknesses_leave_the_pool():
    decks = [deck(cards={AMNESIA: 1}), deck(cards={named("Random Basic Weakness"): 1})]
    assert drawn_in(decks, FACTS) == {AMNESIA: 1, HAUNTED: 2}
    left = Counter(pool(FACTS, ["core"])) - Counter(drawn_in(decks, FACTS))
    assert left[AMNESIA] == 1
    assert HAUNTED not in left


def test_class_locks():
    locked = next(card for card in FACTS.basic_weaknesses if card.only_classes == {"mystic"})
    there = {locked.root: 1}
    assert codes(draw(there, FACTS, Drawer(frozenset({"mystic", "seeker"})), 1, 1)) == [locked.root]
    for other in (Drawer(frozenset({"seeker"})), Drawer()):
        with pytest.raises(DrawError, match="contains 0"):
            draw(there, FACTS, other, 1, 1)


def test_weaknesses_for_campaigns_only_stay_out_of_standalone_games():
    assert draw({DARK_PACT: 1}, FACTS, ANYONE, 1, 1)
    with pytest.raises(DrawError):
        draw({DARK_PACT: 1}, FACTS, Drawer(frozenset({"guardian"}), standalone=True), 1, 1)


def test_by_trait():
    drawn = draw(pool(FACTS, ["core"]), FACTS, Drawer(frozenset({"guardian"}), trait="madness"), 6, 3)
    assert all("madness" in card.traits for card in drawn)
    with pytest.raises(DrawError, match="contains 6"):
        draw(pool(FACTS, ["core"]), FACTS, Drawer(frozenset({"guardian"}), trait="madness"), 7, 3)


@given(st.integers(), st.integers(0, 10))
def test_a_seed_repeats_a_draw_that_the_pool_can_give(seed, number):
    there = pool(FACTS, ["core"])
    drawn = codes(draw(there, FACTS, ANYONE, number, seed))
    assert drawn == codes(draw(dict(reversed(there.items())), FACTS, ANYONE, number, seed))
    assert all(drawn.count(code) <= there[code] for code in drawn)
    assert len(drawn) == number


def test_how_many_a_deck_still_needs():
    assert still_to_draw(deck(), FACTS, 1) == 0
    assert still_to_draw(deck(cards={HAUNTED: 0}), FACTS, 1) == 1
    assert still_to_draw(deck(cards={HAUNTED: 0, named("Random Basic Weakness"): 2}), FACTS, 2) == 2
    assert still_to_draw(deck(cards={HAUNTED: 0, named("The Price of Failure"): 1}), FACTS, 1) == 0
