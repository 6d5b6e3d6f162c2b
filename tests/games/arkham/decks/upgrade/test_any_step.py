"""Upgrades between any two decks: the verdict never contradicts itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.games.arkham.decks.card import Mark
from kb.games.arkham.decks.deck import MOST_CARDS, ArkhamDeck
from tests.games.arkham.decks.conftest import AGNES, FACTS, by_code, deck, named
from tests.games.arkham.decks.upgrade.steps import judge, put

NAMES = """
Shrivelling, Shrivelling (3), Shrivelling (5), Deny Existence, Deny Existence (5), Adaptable, Versatile,
Down the Rabbit Hole, Arcane Research, Déjà Vu, Power Word, Random Basic Weakness, Haunted, Open Gate, Empower Self,
Empower Self: Alacrity, Cherished Keepsake (1), Fire Extinguisher, On Your Own, On Your Own (3) (rttfa), Roland Banks,
Lita Chantler, Strange Solution, Strange Solution (4), Agnes Baker (bad), 99999
"""
CODES = st.sampled_from([named(name.strip()) for name in NAMES.split(",")])
WHO = [AGNES, "nobody", *map(named, ("Wendy Adams", "Jim Culver: The Musician", "Mandy Thompson", "Lily Chen"))]
SLOTS = st.dictionaries(CODES, st.integers(-2, 4), max_size=12)


@st.composite
def decks(draw):
    return ArkhamDeck(
        draw(st.sampled_from(WHO)),
        draw(SLOTS),
        back=draw(st.sampled_from(["", named("Agnes Baker (bad)"), named("Jim Culver (ltr)")])),
        extra=draw(SLOTS),
        ignored=draw(SLOTS),
        customizations={
            named("Power Word"): tuple(
                Mark(*mark) for mark in draw(st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9))))
            )
        },
        exiled=tuple(draw(st.lists(CODES, max_size=4))),
        taboo=draw(st.sampled_from([0, 5, 8])),
    )


@settings(max_examples=60, deadline=None)
@given(decks(), decks(), st.none() | st.integers(0, 30))
def test_the_cost_of_any_step_is_the_sum_of_its_lines(old, new, earned):
    step = judge(old, new, earned=earned)
    assert step.cost >= 0
    assert step.cost == sum(line.cost for line in step.lines)
    if step.available is not None and step.cost > step.available:
        assert not step.legal


@settings(max_examples=30, deadline=None)
@given(decks())
def test_no_change_costs_nothing(one):
    still = put(one, exiled=())
    assert judge(still, still).cost == 0


@settings(max_examples=30, deadline=None)
@given(decks(), decks())
def test_helping_cards_never_increase_the_cost(old, new):
    def having(one, copies):
        helping = by_code(
            {"Arcane Research": copies, "Déjà Vu": copies, "Adaptable": copies, "Shrewd Analysis": copies}
        )
        return put(
            one,
            {**helping, "Down the Rabbit Hole": 0},
            exiled=tuple(code for code in one.exiled if code not in helping),
        )

    assert judge(having(old, 1), having(new, 1)).cost <= judge(having(old, 0), having(new, 0)).cost


@pytest.mark.extended
def test_many_upgrades_at_once_are_judged():
    versions = {}
    for code in FACTS._cards:
        card = FACTS.card(code)
        if card and card.root == code and card.level is not None and "mystic" in card.classes and not card.sheet:
            versions.setdefault(card.title, []).append(code)
    several = [
        sorted(codes, key=lambda code: FACTS.card(code).level or 0) for codes in versions.values() if len(codes) > 1
    ]
    helped = by_code({"Down the Rabbit Hole": 1, "Arcane Research": 2, "Adaptable": 2, "Versatile": 1})
    old = put(deck(AGNES), helped, {codes[0]: 2 for codes in several})
    new = put(deck(AGNES), helped, {codes[-1]: 2 for codes in several})
    assert judge(old, new).cost > 20
    assert judge(put(old, {"Shrivelling": MOST_CARDS}), put(new, {"Shrivelling (5)": MOST_CARDS})).cost > 20
