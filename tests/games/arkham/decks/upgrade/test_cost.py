"""What a step costs: each rule of purchasing at its edge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.games.arkham.decks.model import Deck, Mark
from tests.games.arkham.decks.conftest import AGNES, ROLAND, by_code, deck, named
from tests.games.arkham.decks.upgrade.steps import (
    ADAPTABLE,
    ARCANE_RESEARCH,
    DEJA_VU,
    FINN,
    RABBIT_HOLE,
    SHREWD,
    SKIDS,
    VERSATILE,
    WENDY,
    cost,
    filler,
    judge,
    put,
    spare,
    swapped,
)

SHRIVELLING, SHRIVELLING_3, SHRIVELLING_5 = map(named, ("Shrivelling", "Shrivelling (3)", "Shrivelling (5)"))
DENY, DENY_5 = map(named, ("Deny Existence", "Deny Existence (5)"))
AXE = named("Runic Axe")  # Runic Axe, customizable
POWER_WORD = named("Power Word")  # a customizable spell


def test_nothing_changed_costs_nothing() -> None:
    old = deck()
    assert judge(old, old).cost == 0
    assert judge(old, old).lines == ()


def test_a_new_card_costs_its_level_each_copy_by_itself() -> None:
    old = deck(AGNES)
    assert cost(old, put(old, filler(old, 1), {SHRIVELLING_3: 1})) == 3
    assert cost(old, put(old, filler(old, 2), {SHRIVELLING_3: 2})) == 6


def test_a_level_0_card_costs_1() -> None:
    old = deck()
    assert cost(old, swapped(old, 1)) == 1
    assert cost(old, swapped(old, 3)) == 3


def test_an_upgrade_costs_the_difference() -> None:
    old = deck(AGNES, {SHRIVELLING: 1, SHRIVELLING_3: 1})
    assert cost(old, put(old, {SHRIVELLING: 0, SHRIVELLING_5: 1})) == 5
    assert cost(old, put(old, {SHRIVELLING_3: 0, SHRIVELLING_5: 1})) == 2
    assert cost(old, put(old, {SHRIVELLING: 0, SHRIVELLING_3: 1, SHRIVELLING_5: 1})) == 5


def test_a_lower_version_is_a_new_card() -> None:
    old = deck(AGNES, {SHRIVELLING_5: 1, SHRIVELLING: 0})
    assert cost(old, put(old, {SHRIVELLING_5: 0, SHRIVELLING_3: 1})) == 3


def test_an_exceptional_card_costs_twice_its_level() -> None:
    old = deck(SKIDS)
    assert cost(old, put(old, filler(old, 1), {"The Red Clock (5)": 1})) == 10


def test_the_exceptional_version_of_the_same_level_costs_3() -> None:
    old = deck(WENDY, {"On Your Own": 1})
    assert cost(old, put(old, {"On Your Own": 0, "On Your Own (3) (rttfa)": 1})) == 3


def test_further_copies_of_a_myriad_card_are_free() -> None:
    old = deck(AGNES, {"Open Gate": 0})
    assert cost(old, put(old, filler(old, 3), {"Mind's Eye": 3})) == 2
    assert cost(old, put(old, filler(old, 3), {"Open Gate": 3})) == 1


def test_the_price_of_a_taboo_list_is_added_to_new_cards_and_stays_in_refills() -> None:
    old = deck("William Yorick", {"Drawing Thin": 0, "Cherished Keepsake (1)": 1}, taboo=8)
    assert cost(old, put(old, filler(old, 1), {"Drawing Thin": 1})) == 3
    assert (
        cost(old, put(old, {"Cherished Keepsake (1)": 0, "Drawing Thin": 1}, exiled=(named("Cherished Keepsake (1)"),)))
        == 3
    )


class TestExile:
    old = deck(WENDY, {"Fire Extinguisher": 2, "Stroke of Luck": 2})

    def test_level_0_is_free_up_to_the_deck_size(self) -> None:
        new = put(
            self.old, {"Fire Extinguisher": 0}, exiled=tuple(map(named, ("Fire Extinguisher", "Fire Extinguisher")))
        )
        assert cost(self.old, put(new, spare(self.old, 2))) == 0

    def test_beyond_the_deck_size_it_costs_1(self) -> None:
        new = put(
            self.old,
            {"Fire Extinguisher": 0},
            filler(self.old, 1),
            exiled=tuple(map(named, ("Fire Extinguisher", "Fire Extinguisher"))),
        )
        assert cost(self.old, put(new, spare(self.old, 3))) == 1

    def test_an_exiled_card_is_paid_again(self) -> None:
        assert cost(self.old, put(self.old, exiled=(named("Fire Extinguisher"),))) == 1
        assert cost(self.old, put(self.old, exiled=tuple(map(named, ("Stroke of Luck", "Stroke of Luck"))))) == 4

    def test_an_exiled_lower_version_is_not_upgraded(self) -> None:
        new = put(self.old, {"Fire Extinguisher": 1, "Fire Extinguisher (3)": 1}, exiled=(named("Fire Extinguisher"),))
        assert cost(self.old, new) == 3

    def test_deja_vu_takes_1_off_up_to_three_of_them_even_when_just_purchased(self) -> None:
        exiled = tuple(map(named, ("Fire Extinguisher", "Fire Extinguisher", "Stroke of Luck", "Stroke of Luck")))
        owner = put(self.old, {DEJA_VU: 1})
        assert cost(owner, put(owner, exiled=exiled)) == 6 - 3
        assert cost(self.old, put(owner, exiled=exiled)) == 5 + 6 - 3

    def test_deja_vu_helps_with_the_exiled_card_even_when_it_is_upgraded_at_once(self) -> None:
        owner = put(self.old, {DEJA_VU: 1})
        new = put(owner, {"Fire Extinguisher": 1, "Fire Extinguisher (3)": 1}, exiled=(named("Fire Extinguisher"),))
        assert cost(owner, new) == (1 - 1) + (3 - 1)
        assert [line.action for line in judge(owner, new).lines] == ["exile", "purchase again", "upgrade"]

    def test_deja_vu_does_not_help_with_other_cards(self) -> None:
        owner = put(self.old, {DEJA_VU: 1, "Stroke of Luck": 2})
        assert (
            cost(
                owner, put(owner, {"Stroke of Luck": 1, "Fire Extinguisher (3)": 1}, exiled=(named("Stroke of Luck"),))
            )
            == 3
        )


class TestDeckSize:
    def test_growth_is_filled_with_level_0_for_nothing(self) -> None:
        old = deck()
        grown = put(old, {VERSATILE: 1})
        assert cost(old, put(grown, spare(grown, 5))) == 2
        assert cost(old, put(grown, filler(old, 1), spare(grown, 6))) == 3

    def test_only_once(self) -> None:
        old = deck(ROLAND, {VERSATILE: 1})
        assert cost(old, swapped(old, 2)) == 2

    def test_a_hole_that_was_there_before_is_not_filled_for_nothing(self) -> None:
        whole = deck()
        old = put(whole, filler(whole, 2))
        assert cost(old, whole) == 2

    def test_an_upgrade_into_a_permanent_makes_room(self) -> None:
        old = deck(FINN, {"Streetwise": 1})
        new = put(old, {"Streetwise": 0, "Streetwise (3)": 1})
        assert cost(old, put(new, spare(new, 1))) == 3

    def test_a_card_that_may_no_longer_be_there_is_replaced_for_nothing(self) -> None:
        old = deck(WENDY, {"Baseball Bat": 2, "Stray Cat": 2})  # Stray Cat, an ally
        new = put(old, {"On Your Own (3) (rttfa)": 1, "Stray Cat": 0})
        assert cost(old, put(new, spare(new, 2))) == 6


class TestAdaptable:
    def test_two_swaps_a_copy_also_at_once(self) -> None:
        old = deck(SKIDS)
        assert cost(old, swapped(old, 2, {ADAPTABLE: 1})) == 1
        assert cost(old, swapped(old, 3, {ADAPTABLE: 1})) == 2
        assert cost(old, swapped(old, 4, {ADAPTABLE: 2})) == 2

    def test_a_swap_is_no_purchase_so_the_taboo_list_adds_nothing(self) -> None:
        old = deck(WENDY, {ADAPTABLE: 1, "Drawing Thin": 0, "Cherished Keepsake (1)": 1}, taboo=8)
        assert cost(old, put(old, filler(old, 2), {"Drawing Thin": 2})) == 0
        refilled = put(
            old,
            {"Cherished Keepsake (1)": 0},
            filler(old, 2),
            {"Drawing Thin": 2},
            exiled=(named("Cherished Keepsake (1)"),),
        )
        assert cost(old, put(refilled, spare(refilled, 1))) == 0

    def test_only_level_0_goes_out(self) -> None:
        old = deck(SKIDS, {ADAPTABLE: 1, ".25 Automatic (2)": 1, ".25 Automatic": 0})
        new = put(old, {".25 Automatic (2)": 0})
        assert cost(old, put(new, spare(old, 1))) == 1

    def test_it_may_be_better_to_swap_the_lower_version_than_to_upgrade_it(self) -> None:
        old = deck(SKIDS, {ADAPTABLE: 1, ".25 Automatic": 1, "Black Market": 1})
        new = put(old, {".25 Automatic": 0, "Black Market": 0, ".25 Automatic (2)": 1})
        assert cost(old, put(new, spare(old, 1))) == 2

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 2), st.integers(0, 8))
    def test_swaps_beyond_those_are_paid(self, copies: int, number: int) -> None:
        old = deck(SKIDS, {ADAPTABLE: copies})
        assert cost(old, swapped(old, number)) == max(0, number - 2 * copies)


class TestRabbitHole:
    old = deck(AGNES, {RABBIT_HOLE: 1, SHRIVELLING: 2, DENY: 2})

    def test_the_first_two_upgrades_cost_1_less(self) -> None:
        assert cost(self.old, put(self.old, {SHRIVELLING: 1, SHRIVELLING_3: 1})) == 2
        assert cost(self.old, put(self.old, {SHRIVELLING: 0, SHRIVELLING_3: 2})) == 4
        assert cost(self.old, put(self.old, {SHRIVELLING: 0, SHRIVELLING_3: 2, DENY: 1, DENY_5: 1})) == 9

    def test_new_cards_cost_1_more_level_0_only_1(self) -> None:
        old = deck(AGNES, {RABBIT_HOLE: 1})
        assert (
            cost(old, put(old, filler(old, 1), {"Song of the Dead": 1})) == 2 + 1
        )  # Song of the Dead has no lower version
        assert cost(old, swapped(old, 1)) == 1

    def test_a_lower_version_purchased_first_costs_less_than_the_higher_one_at_once(self) -> None:
        old = deck(AGNES, {RABBIT_HOLE: 1, SHRIVELLING: 0})
        new = put(old, filler(old, 1), {SHRIVELLING_3: 1})
        assert cost(old, new) == 1 + (3 - 1)
        assert [line.action for line in judge(old, new).lines] == ["purchase", "upgrade", "remove"]

    def test_refills_and_cards_purchased_again_cost_no_more(self) -> None:
        old = deck(AGNES, {RABBIT_HOLE: 1, VERSATILE: 1, "Fortune or Fate": 0})
        grown = put(old, {VERSATILE: 2})
        assert cost(old, put(grown, spare(grown, 5))) == 3
        owner = put(old, {"Cherished Keepsake (1)": 1})
        assert cost(owner, put(owner, exiled=(named("Cherished Keepsake (1)"),))) == 1

    def test_an_upgrade_never_costs_less_than_nothing(self) -> None:
        old = deck(AGNES, {RABBIT_HOLE: 1, ARCANE_RESEARCH: 2, SHRIVELLING_3: 1, SHRIVELLING: 0})
        assert cost(old, put(old, {SHRIVELLING_3: 0, SHRIVELLING_5: 1})) == 0


class TestArcaneResearch:
    def test_all_copies_hold_for_the_first_spell(self) -> None:
        old = deck(AGNES, {ARCANE_RESEARCH: 2, SHRIVELLING: 2})
        assert cost(old, put(old, {SHRIVELLING: 1, SHRIVELLING_3: 1})) == 1
        assert cost(old, put(old, {SHRIVELLING: 0, SHRIVELLING_3: 2})) == 4

    def test_not_in_the_step_in_which_it_is_purchased(self) -> None:
        old = deck(AGNES, {SHRIVELLING: 1})
        assert cost(old, put(old, {ARCANE_RESEARCH: 1, SHRIVELLING: 0, SHRIVELLING_3: 1})) == 4

    def test_the_spell_that_gains_most_is_upgraded_first(self) -> None:
        old = deck(AGNES, {ARCANE_RESEARCH: 2, "Arcane Initiate": 1, SHRIVELLING_3: 1, DENY: 1, SHRIVELLING: 0})
        new = put(old, {SHRIVELLING_3: 0, SHRIVELLING_5: 1, DENY: 0, DENY_5: 1})
        assert cost(old, new) == 2 + 5 - 2

    def test_not_for_other_cards(self) -> None:
        old = deck(AGNES, {ARCANE_RESEARCH: 1, "Arcane Initiate": 1})
        assert cost(old, put(old, {"Arcane Initiate": 0, "Arcane Initiate (3)": 1})) == 3

    def test_the_old_copy_is_upgraded_and_another_lower_one_purchased_when_that_is_cheaper(self) -> None:
        old = deck(AGNES, {ARCANE_RESEARCH: 2, SHRIVELLING: 1})
        assert cost(old, put(old, filler(old, 1, (SHRIVELLING,)), {SHRIVELLING_3: 1})) == 2

    def test_together_with_the_rabbit_hole_the_first_spell_is_among_the_first_two(self) -> None:
        old = deck(AGNES, {ARCANE_RESEARCH: 2, RABBIT_HOLE: 1, SHRIVELLING_3: 1, DENY: 1, SHRIVELLING: 0})
        new = put(old, {SHRIVELLING_3: 0, SHRIVELLING_5: 1, DENY: 0, DENY_5: 1})
        assert cost(old, new) == 2 + 5 - 4


def test_shrewd_analysis_upgrades_a_second_copy_for_nothing() -> None:
    old = deck("Daisy Walker", {"Strange Solution": 2})
    new = put(old, {"Strange Solution": 0, "Strange Solution (4)": 1, "Strange Solution: Acidic Ichor": 1})
    assert cost(old, new) == 8
    assert cost(old, put(new, {SHREWD: 1})) == 1 + 4


def test_a_researched_card_is_upgraded_even_where_another_way_were_cheaper() -> None:
    old = deck("Daisy Walker", {"Strange Solution": 1, ADAPTABLE: 1, "Black Market": 1})
    new = put(old, {"Strange Solution": 0, "Black Market": 0, "Strange Solution (4)": 1})
    assert cost(old, put(new, spare(old, 1))) == 4 + 1


class TestCustomizable:
    old = deck(ROLAND, {AXE: 2})

    def marked(self, deck_: Deck, *boxes: int, **fields: object) -> Deck:
        marks = tuple(Mark(index, spent) for index, spent in enumerate(boxes) if spent)
        return put(deck_, customizations={AXE: marks}, **fields)

    def test_each_box_costs_1_for_all_copies(self) -> None:
        assert cost(self.old, self.marked(self.old, 0, 1, 1)) == 2
        assert cost(self.marked(self.old, 0, 1), self.marked(self.old, 0, 1, 1)) == 1

    def test_new_copies_cost_only_what_their_upgrades_take(self) -> None:
        old = deck(ROLAND, {AXE: 0})
        assert cost(old, self.marked(put(old, filler(old, 2), {AXE: 2}), 0, 1, 1)) == 2
        assert cost(old, put(old, filler(old, 2), {AXE: 2})) == 2

    def test_the_rabbit_hole_holds_once_a_card(self) -> None:
        old = deck(AGNES, {RABBIT_HOLE: 1, POWER_WORD: 2})
        new = put(old, customizations={POWER_WORD: (Mark(0, 1), Mark(1, 1), Mark(2, 1))})
        assert cost(old, new) == 2

    def test_a_copy_purchased_again_costs_what_the_sheet_indicates_or_nothing_with_another_box(self) -> None:
        old = self.marked(self.old, 0, 1, 1)
        assert cost(old, self.marked(self.old, 0, 1, 1, exiled=(AXE,))) == 2
        assert cost(old, self.marked(self.old, 0, 1, 1, 1, exiled=(AXE,))) == 1

    def test_a_further_copy_costs_what_the_sheet_indicates_or_nothing_with_another_box(self) -> None:
        old = self.marked(deck(ROLAND, {AXE: 1}), 0, 1, 1)
        assert cost(old, self.marked(put(old, filler(old, 1), {AXE: 2}), 0, 1, 1)) == 2
        assert cost(old, self.marked(put(old, filler(old, 1), {AXE: 2}), 0, 1, 1, 1)) == 1

    def test_fewer_boxes_may_be_purchased_and_the_others_marked_as_an_upgrade(self) -> None:
        old = deck(AGNES, {RABBIT_HOLE: 1, POWER_WORD: 0})
        new = put(
            old, filler(old, 1), {POWER_WORD: 1}, customizations={POWER_WORD: (Mark(0, 1), Mark(1, 1), Mark(2, 1))}
        )
        assert cost(old, new) == 1 + (3 - 1)

    def test_with_the_last_copy_the_boxes_are_gone(self) -> None:
        old = self.marked(self.old, 0, 1, 1)
        assert cost(old, self.marked(self.old, 0, 1, 1, exiled=(AXE, AXE))) == 2


def test_the_lower_version_may_stay_for_the_full_cost_of_the_higher() -> None:
    old = deck(AGNES, {SHRIVELLING_3: 2, SHRIVELLING: 0}, back=named("Agnes Baker (bad)"))
    new = put(old, {SHRIVELLING_5: 2}, ignored={SHRIVELLING_3: 2})
    assert cost(old, new) == 10
    assert judge(old, new).legal or judge(old, new).available is None


def test_a_deck_beside_the_deck_has_its_own_size() -> None:
    def jim(extra: dict[str, int], *exiled: str) -> Deck:
        investigator, back = named("Jim Culver: The Musician"), named("Jim Culver (ltr)")
        return Deck(investigator, {}, back=back, extra=by_code(extra), exiled=tuple(map(named, exiled)))

    old = jim({"Guiding Spirit": 1, "Beat Cop": 1})
    assert cost(old, jim({"Guiding Spirit": 1, "Beat Cop": 1}, "Guiding Spirit")) == 1
    assert cost(old, jim({"Arcane Initiate": 1, "Beat Cop": 1}, "Guiding Spirit")) == 0
    assert cost(old, jim({"Guiding Spirit": 1, "Arcane Initiate": 1})) == 1


@pytest.mark.parametrize("number", [1, 2, 5])
def test_lines_add_up_to_the_cost(number: int) -> None:
    old = deck(AGNES, {RABBIT_HOLE: 1, SHRIVELLING: 2})
    step = judge(old, swapped(old, number, {SHRIVELLING: 0, SHRIVELLING_3: 2}, kept=(SHRIVELLING,)))
    assert sum(line.cost for line in step.lines) == step.cost
    assert all(line.cites for line in step.lines)


def test_lines_name_the_cards_that_helped() -> None:
    old = deck(AGNES, {RABBIT_HOLE: 1, ARCANE_RESEARCH: 1, SHRIVELLING: 1})
    (line,) = judge(old, put(old, {SHRIVELLING: 0, SHRIVELLING_3: 1})).lines
    assert line.why == "difference 3; 2 less by Arcane Research and Down the Rabbit Hole"
    old = deck(SKIDS, {ADAPTABLE: 1})
    swap = next(line for line in judge(old, swapped(old, 1)).lines if line.action == "swap in")
    assert swap.why == "swap of level 0 cards by Adaptable"
