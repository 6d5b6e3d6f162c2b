"""`kb deck plan`: no order of purchases has the wishes sooner, and every step of it is legal."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from kb.games.arkham.decks.model import Deck, Mark
from kb.games.arkham.decks.upgrade.wishes import (
    PlanError,
    Soonest,
    wishes_named,
    wishes_of_side_deck,
    wishes_of_target,
)
from kb.games.arkham.upgrades import purchases
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck, named
from tests.games.arkham.decks.upgrade.small_steps import FAMILIES
from tests.games.arkham.decks.upgrade.steps import ADAPTABLE, ARCANE_RESEARCH, RABBIT_HOLE, WENDY, put

SHRIVELLING, SHRIVELLING_3 = map(named, ("Shrivelling", "Shrivelling (3)"))
NEVER = 1_000_000


def plan(wishes, now, each=0):
    return Soonest(wishes, now, each).find()


def waited_and_spent(wishes, bought):
    all_of = sum(wishes.everything)
    return sum(all_of - sum(one.had) for one in bought), sum(one.cost for one in bought)


def every_order(wishes, now, each, scenarios):
    """The best of all orders: what is waited for all wishes together, and what is spent."""
    finder, all_of = Soonest(wishes, now, each), sum(wishes.everything)
    known = {}

    def best(scenario, state, left):
        if state == wishes.everything:
            return 0, 0
        if scenario > scenarios:
            return NEVER, 0
        key = scenario, state, left
        if key not in known:
            found = []
            for new in product(*(range(had, most + 1) for had, most in zip(state, wishes.everything, strict=True))):
                cost = 0
                if new != state:
                    cost = finder.step(state, new)[1].cost
                    if cost > left or finder.wrong(state, new):
                        continue
                waited, spent = best(scenario + 1, new, left - cost + each)
                found.append((waited + all_of - sum(new), spent + cost))
            known[key] = min(found)
        return known[key]

    return best(0, wishes.nothing, now)


def small_world(random):
    investigator = random.choice([AGNES, WENDY])
    helping = {code: 1 for code in (ADAPTABLE, ARCANE_RESEARCH, RABBIT_HOLE) if random.random() < 0.4}
    helping = {code: n for code, n in helping.items() if investigator == AGNES or code != ARCANE_RESEARCH}
    families = random.sample(FAMILIES[investigator], 3)
    lower = {codes[0]: random.randint(0, 2) for codes in families}
    wanted = [random.choice(codes) for codes in families]
    one = deck(investigator, {**{code: 0 for codes in families for code in codes}, **lower, **helping})
    names = [f"{random.randint(1, 2)}x [{code}]" for code in wanted if not lower.get(code)]
    return wishes_named(one, names or [f"[{ADAPTABLE}]"], FACTS), random.randint(0, 5), random.randint(1, 5)


@pytest.mark.parametrize("group", range(4))
def test_no_order_has_the_wishes_sooner(group):
    planned = 0
    for seed in range(group, 40, 4):
        wishes, now, each = small_world(Random(seed))
        try:
            bought = plan(wishes, now, each)
        except PlanError:
            continue
        if bought[-1].scenario > 5:
            continue
        planned += 1
        best = every_order(wishes, now, each, bought[-1].scenario + 1)
        assert waited_and_spent(wishes, bought) == best, (seed, [wish.label for wish in wishes.wanted])
    assert planned >= 3


def test_without_more_experience_as_many_wishes_as_there_is_experience_for():
    one = deck(AGNES, {SHRIVELLING: 2})
    bought = plan(wishes_named(one, ["2x Shrivelling (3)", "Ward of Protection (5)"], FACTS), 4)
    assert [one.had for one in bought] == [(1, 0)]
    assert bought[0].cost == 3


def test_a_card_that_makes_others_cheaper_comes_first_only_when_it_helps():
    one = deck(AGNES, {SHRIVELLING: 2, ARCANE_RESEARCH: 0})
    wishes = wishes_named(one, ["2x Shrivelling (3)", "Arcane Research"], FACTS)
    first, second = plan(wishes, 4, 2)
    assert first.had == (1, 1)
    assert (second.had, second.cost) == ((2, 1), 2)


def test_a_deck_that_is_too_small_stays_so():
    small = Deck(AGNES, {SHRIVELLING: 2})
    finder = Soonest(wishes_named(small, ["Shrivelling (3)"], FACTS), 3, 0)
    assert finder.errors((0,))
    assert [each.had for each in finder.find()] == [(1,)]


def test_the_last_deck_is_the_target():
    one = deck(AGNES, {SHRIVELLING: 2})
    target = put(one, {SHRIVELLING: 0, SHRIVELLING_3: 2})
    wishes = wishes_of_target(one, target, FACTS)
    bought = plan(wishes, 3, 3)
    assert [each.scenario for each in bought] == [0, 1]
    assert dict(wishes.deck_at(bought[-1].had).cards) == dict(target.cards)


def test_boxes_of_a_target_are_wishes():
    grizzled = named("Grizzled")
    one = deck(WENDY, {grizzled: 2})
    target = replace(one, customizations={grizzled: (Mark(1, 1), Mark(2, 1))})
    bought = plan(wishes_of_target(one, target, FACTS), 1, 1)
    assert [(each.scenario, each.cost, sum(each.had)) for each in bought] == [(0, 1, 1), (1, 1, 2)]


def test_the_side_deck_and_what_may_leave():
    one = replace(deck(AGNES, {"Drawn to the Flame": 0}), side_deck={named("Drawn to the Flame"): 1})
    out = next(code for code, copies in one.cards.items() if copies == 2 and FACTS.card(code).level == 0)
    wishes = wishes_of_side_deck(one, FACTS, [out])
    assert wishes.deck_at((1,)).cards[out] == 1
    assert [each.cost for each in plan(wishes, 1)] == [1]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "The deck already holds everything"),
        (["Shrivelin"], "There is no card 'Shrivelin'"),
        (["  "], "A wish is empty"),
        (["Roland's .38 Special"], "is not purchased"),
        (["Machete"], "is not legal"),
        (["30x Shrivelling (3)"], "is not legal"),
    ],
)
def test_wishes_that_cannot_be_planned(names, said):
    with pytest.raises(PlanError, match=said):
        plan(wishes_named(deck(AGNES), names, FACTS), 10, 3)


def test_a_list_too_long_for_all_orders_is_bought_wish_by_wish():
    names = [f"2x [{codes[-1]}]" for codes in FAMILIES[AGNES] if FACTS.card(codes[-1]).level][:12]
    wishes = wishes_named(deck(AGNES), names, FACTS)
    finder = Soonest(wishes, 10, 5)
    bought = finder.find()
    assert (finder.exact, bought[-1].had) == (False, wishes.everything)
    before, spent = wishes.nothing, 0
    for one in bought:
        if one.had != before:
            assert not finder.wrong(before, one.had)
        spent += one.cost
        assert spent <= 10 + 5 * one.scenario
        before = one.had


def test_exact_plans_are_no_dearer_than_wish_by_wish(monkeypatch):
    for seed in range(12):
        wishes, now, each = small_world(Random(seed))
        try:
            exactly = waited_and_spent(wishes, plan(wishes, now, each))
        except PlanError:
            continue
        monkeypatch.setattr("kb.games.arkham.decks.upgrade.wishes.MOST_STEPS", 0)
        finder = Soonest(wishes, now, each)
        assert waited_and_spent(wishes, finder.find()) >= exactly
        assert not finder.exact
        monkeypatch.undo()


def test_without_a_side_deck_nothing_is_wished_for():
    with pytest.raises(PlanError, match="Nothing is wished for: the deck has no side deck"):
        wishes_of_side_deck(deck(AGNES), FACTS)


def test_another_investigator_s_deck_is_no_target():
    with pytest.raises(PlanError, match="another investigator"):
        wishes_of_target(deck(AGNES), deck(WENDY), FACTS)


@pytest.mark.parametrize(
    ("cards", "want", "now"),
    [
        ({"Down the Rabbit Hole": 1, "Shrivelling": 2}, "Shrivelling (5)", 3),
        ({"Dark Horse": 2}, "Dark Horse (5)", 5),
    ],
)
def test_what_an_upgrade_can_pay_the_plan_buys(cards, want, now):
    """A discount holds for each upgrade on the way; copies that a limit forces out are refilled for nothing."""
    held = deck(WENDY if "Dark Horse" in cards else AGNES, cards)
    wishes = wishes_named(held, [want], FACTS)
    bought = plan(wishes, now)
    assert bought[-1].had == wishes.everything
    assert sum(one.cost for one in bought) <= now


def test_a_lower_version_that_a_taboo_list_makes_dear_makes_the_upgrade_cheap():
    held = deck(WENDY, {"Scavenging": 1}, taboo=8)
    wishes = wishes_named(held, ["Scavenging (2)", "A Chance Encounter (2)"], FACTS)
    assert [(one.had, one.cost) for one in plan(wishes, 4)] == [(wishes.everything, 4)]


def test_a_proposal_takes_no_unique_card_unasked():
    held = deck(AGNES, {"Peter Sylvestre": 1})
    proposed = wishes_named(held, ["2x Shrivelling (5)"], FACTS).leaving
    assert proposed
    assert not any(FACTS.card(code).unique for code in proposed)
    assert wishes_named(held, ["Shrivelling (5)"], FACTS, ["Peter Sylvestre"]).leaving[0] == named("Peter Sylvestre")


def test_what_nobody_named_is_a_proposal_and_what_is_kept_stays():
    held = deck(AGNES)
    free = wishes_named(held, ["2x Grotesque Statue (4)"], FACTS)
    proposed = free.proposed(free.everything)
    assert proposed
    first = FACTS.card(free.leaving[0])
    kept = wishes_named(held, ["2x Grotesque Statue (4)"], FACTS, keep=[f"[{first.code}]"])
    assert first.code not in kept.leaving
    assert not [each for each in kept.proposed(kept.everything) if first.label in each]
    told = wishes_named(held, ["2x Grotesque Statue (4)"], FACTS, [f"{held.cards[first.code]}x [{first.code}]"])
    assert not [each for each in told.proposed(told.everything) if first.label in each]
    with pytest.raises(PlanError, match="name it once"):
        wishes_named(held, ["Grotesque Statue (4)"], FACTS, [f"[{first.code}]"], [f"[{first.code}]"])
    with pytest.raises(PlanError, match="is not in the deck"):
        wishes_named(held, ["Grotesque Statue (4)"], FACTS, keep=["Machete (01020)"])


def test_a_plan_tells_what_is_to_be_known_of_a_step():
    wishes = wishes_named(deck(AGNES, {ARCANE_RESEARCH: 2, SHRIVELLING: 1}), ["Versatile", "Shrivelling (3)"], FACTS)
    notes = " ".join(note for one in purchases(wishes, plan(wishes, 5)) for note in one.notes)
    assert "The documents do not say which is right" in notes
    assert "5 level 0 cards of your choice must be added" in notes
