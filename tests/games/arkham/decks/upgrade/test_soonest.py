"""`kb deck plan`: no other order of purchases fulfils the wishes sooner, and every step is legal."""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.card import Mark
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.upgrade.wishes import (
    PlanError,
    PlanSearch,
    Wish,
    wishes_named,
    wishes_of_target,
)
from kb.games.arkham.purchase_plan import purchases
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck, named
from tests.games.arkham.decks.upgrade.steps import ARCANE_RESEARCH, WENDY, put
from tests.tables import read

SHRIVELLING, SHRIVELLING_3 = map(named, ("Shrivelling", "Shrivelling (3)"))
ROWS = read("arkham-soonest.yaml")


def found_by(search):
    """Return the plan of `search` as a list with an item per scenario: (fulfilled wishes, cost)."""
    states = search.find()
    return [(state, one.cost) for state, one in zip(states, purchases(search, states), strict=True)]


def plan(*asked):
    return found_by(PlanSearch(*asked))


def waited_and_spent(wishes, bought):
    all_of = sum(wishes.everything)
    return sum(all_of - sum(state) for state, _ in bought), sum(cost for _, cost in bought)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: ", ".join(row["want"]))
def test_no_other_order_is_sooner_or_cheaper(row, monkeypatch):
    wishes = wishes_named(deck(row["deck"], row["cards"], taboo=row.get("taboo", 0)), row["want"], FACTS)
    bought = plan(wishes, row["now"], row["each"])
    best = row["waited"], row["spent"]
    assert waited_and_spent(wishes, bought) == best
    if "had" in row:
        assert [[*state] for state, _ in bought] == row["had"]
    monkeypatch.setattr("kb.games.arkham.decks.upgrade.wishes.MOST_STEPS", 0)
    finder = PlanSearch(wishes, row["now"], row["each"])
    assert waited_and_spent(wishes, found_by(finder)) >= best
    assert not finder.exact


def test_a_deck_that_is_too_small_can_be_planned():
    small = ArkhamDeck(AGNES, {SHRIVELLING: 2})
    finder = PlanSearch(wishes_named(small, ["Shrivelling (3)"], FACTS), 3, 0)
    assert finder.find() == ((1,),)


def test_the_plan_ends_with_the_target_deck():
    one = deck(AGNES, {SHRIVELLING: 2})
    target = put(one, {SHRIVELLING: 0, SHRIVELLING_3: 2})
    wishes = wishes_of_target(one, target, FACTS)
    bought = plan(wishes, 3, 3)
    assert [state for state, _ in bought] == [(1,), (2,)]
    assert dict(wishes.deck_at((2,)).cards) == dict(target.cards)


def test_boxes_of_a_target_are_wishes():
    grizzled = named("Grizzled")
    one = deck(WENDY, {grizzled: 2})
    target = replace(one, customizations={grizzled: (Mark(1, 1), Mark(2, 1))})
    bought = plan(wishes_of_target(one, target, FACTS), 1, 1)
    assert [(cost, sum(state)) for state, cost in bought] == [(1, 1), (1, 2)]


def test_the_side_deck_gives_wishes_and_named_cards_leave():
    one = replace(deck(AGNES, {"Drawn to the Flame": 0}), side_deck={named("Drawn to the Flame"): 1})
    out = next(code for code, copies in one.cards.items() if copies == 2 and FACTS.card(code).level == 0)
    wishes = wishes_named(one, ["side"], FACTS, [out])
    assert wishes.deck_at((1,)).cards[out] == 1
    assert plan(wishes, 1, 0) == [((1,), 1)]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "The deck already contains every card you want"),
        (["side"], "No cards to plan for: the deck has no side deck"),
        (["Shrivelin"], "There is no card 'Shrivelin'"),
        (["  "], "`--want` is empty"),
        (["Roland's .38 Special"], "cannot be purchased"),
        (["Machete"], "is not legal"),
        (["30x Shrivelling (3)"], "is not legal"),
    ],
)
def test_wishes_that_cannot_be_planned(names, said):
    with pytest.raises(PlanError, match=said):
        plan(wishes_named(deck(AGNES), names, FACTS), 10, 3)


def test_a_list_too_long_for_all_orders_is_bought_wish_by_wish():
    names = """.18 Derringer (2), A Chance Encounter (2), A Glimmer of Hope (2), A Test of Will (2), Alchemical Transmutation (2),
        Arcane Initiate (3), Arcane Studies (4), Armageddon (4), Azure Flame (5), Backpack (2), Baseball Bat (2), Blur (4)"""
    wishes = wishes_named(deck(AGNES), [f"2x {name.strip()}" for name in names.split(",")], FACTS)
    finder = PlanSearch(wishes, 10, 5)
    bought = found_by(finder)
    assert (finder.exact, bought[-1][0]) == (False, wishes.everything)
    before, spent = wishes.nothing, 0
    for scenario, (state, cost) in enumerate(bought):
        assert state == before or not finder.wrong(before, state)
        spent += cost
        assert spent <= 10 + 5 * scenario
        before = state


def test_another_investigator_s_deck_is_no_target():
    with pytest.raises(PlanError, match="another investigator"):
        wishes_of_target(deck(AGNES), deck(WENDY), FACTS)


def test_a_proposal_removes_no_unique_card_without_request():
    held = deck(AGNES, {"Peter Sylvestre": 1})
    proposed = wishes_named(held, ["2x Shrivelling (5)"], FACTS).leaving
    assert proposed
    assert not any("unique" in FACTS.card(code).keywords for code in proposed)
    assert wishes_named(held, ["Shrivelling (5)"], FACTS, ["Peter Sylvestre"]).leaving[0] == named("Peter Sylvestre")


def test_unnamed_cards_are_proposals_and_kept_cards_stay():
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
    with pytest.raises(PlanError, match="Name it once"):
        wishes_named(held, ["Grotesque Statue (4)"], FACTS, [f"[{first.code}]"], [f"[{first.code}]"])
    with pytest.raises(PlanError, match="is not in the deck"):
        wishes_named(held, ["Grotesque Statue (4)"], FACTS, keep=["Machete (01020)"])


def test_a_plan_contains_the_notes_on_its_steps():
    wishes = wishes_named(deck(AGNES, {ARCANE_RESEARCH: 2, SHRIVELLING: 1}), ["Versatile", "Shrivelling (3)"], FACTS)
    search = PlanSearch(wishes, 5, 0)
    notes = " ".join(note for one in purchases(search, search.find()) for note in one.notes)
    assert "The documents can be read in two ways" in notes
    assert "5 level 0 cards of your choice must be added" in notes


BRAND, CLAIRVOYANCE = map(named, ("Eldritch Brand (5)", "Clairvoyance"))


def brands(copies, **options):
    """Return the wishes for an Eldritch Brand in a deck with `copies` of Clairvoyance and no other spell asset.
    `options` are options of the plan.
    """
    spells = {
        code: 0
        for code, copies in deck(AGNES).cards.items()
        if {"spell"} <= FACTS.card(code).traits and FACTS.card(code).type == "asset"
    }
    return wishes_named(deck(AGNES, {**spells, CLAIRVOYANCE: copies}), ["Eldritch Brand (5)"], FACTS, **options)


@pytest.mark.parametrize(("before", "leaves"), [(1, False), (2, True)])
def test_a_plan_leaves_a_legal_branded_spell_and_names_it(before, leaves):
    search = PlanSearch(brands(before), 10, 0)
    states = search.find()
    (bought,) = purchases(search, states)
    assert (bought.cost, search.wishes.deck_at(states[-1]).cards[CLAIRVOYANCE]) == (10, 1)
    assert bool(search.wishes.proposed(states[-1])) == leaves
    assert any(FACTS.label(CLAIRVOYANCE) in note for note in bought.notes)


def test_a_plan_without_a_legal_branded_spell_is_refused():
    with pytest.raises(PlanError):
        PlanSearch(brands(0), 10, 0).find()


@pytest.mark.parametrize(("keep", "stays"), [("Shrivelling", True), ("2x Shrivelling", False)])
def test_a_card_that_cannot_be_kept_is_refused(keep, stays):
    one = deck(AGNES, {SHRIVELLING: 2})
    if stays:
        wishes = wishes_named(one, ["Shrivelling (3)"], FACTS, keep=[keep])
        assert wishes.deck_at(wishes.everything).cards[SHRIVELLING] == 1
    else:
        with pytest.raises(PlanError):
            wishes_named(one, ["Shrivelling (3)"], FACTS, keep=[keep])


def test_upgrades_of_a_sheet_are_numbered_from_one():
    card = FACTS.card(named("Power Word"))
    assert Wish(card, 1, Mark(0, 1)).label == f"1 box of upgrade 1 on {card.label}"
