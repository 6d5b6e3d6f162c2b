"""Whether a step is legal: each check with a step that it finds something in, and one that it lets pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.model import Deck, Mark
from kb.games.arkham.decks.upgrade.campaign import ChainError, NamedDeck, in_order, judge_campaign
from tests.games.arkham.decks.conftest import AGNES, DAISY, FACTS, HAUNTED, ROLAND, deck, named
from tests.games.arkham.decks.upgrade.steps import (
    ADAPTABLE,
    ARCANE_RESEARCH,
    FINN,
    RABBIT_HOLE,
    SKIDS,
    VERSATILE,
    WENDY,
    checks,
    cost,
    filler,
    judge,
    put,
    spare,
    swapped,
)

SHRIVELLING, SHRIVELLING_3 = map(named, ("Shrivelling", "Shrivelling (3)"))


class TestExperience:
    old = deck(AGNES, {SHRIVELLING: 2})
    new = put(old, {SHRIVELLING: 1, SHRIVELLING_3: 1})

    def test_exactly_enough(self) -> None:
        step = judge(self.old, self.new, earned=3)
        assert (step.legal, step.available, step.unspent) == (True, 3, 0)

    def test_one_short(self) -> None:
        assert checks(self.old, self.new, earned=2) == {"enough-experience"}

    def test_the_deck_after_says_how_much(self) -> None:
        assert judge(self.old, replace(self.new, experience=2, adjustment=1)).legal
        assert not judge(self.old, replace(self.new, experience=2)).legal

    def test_unknown_is_a_note(self) -> None:
        step = judge(self.old, self.new)
        assert step.legal
        assert step.available is None
        assert checks(self.old, self.new, "note") == {"enough-experience"}

    def test_what_was_left_is_added(self) -> None:
        assert judge(self.old, self.new, earned=1, carried=2).legal
        assert "unspent-experience" in checks(self.old, replace(self.new, experience=3), "warning", carried=4)

    def test_none_is_earned_with_a_card_that_forbids_it(self) -> None:
        ascetic = put(self.old, {"Ascetic": 1})
        assert "no-more-experience" in checks(ascetic, ascetic, earned=1)
        assert "no-more-experience" not in checks(ascetic, ascetic, earned=0)

    def test_cards_that_earn_more_are_pointed_out(self) -> None:
        owner = deck(SKIDS, {"Charon's Obol": 1})
        assert "more-experience" in checks(owner, owner, "note")
        assert "more-experience" not in checks(deck(SKIDS), owner, "note")


class TestWhatStays:
    def test_permanents(self) -> None:
        old = deck(SKIDS, {ADAPTABLE: 1})
        assert "permanents-stay" in checks(old, put(old, {ADAPTABLE: 0}))
        upgraded = deck(FINN, {"Streetwise": 1})
        assert "permanents-stay" not in checks(upgraded, put(upgraded, {"Streetwise": 0, "Streetwise (3)": 1}))

    def test_weaknesses(self) -> None:
        old = deck()
        assert "weaknesses-stay" in checks(old, put(old, {HAUNTED: 0}))
        assert "weaknesses-stay" in checks(old, put(old, {HAUNTED: 0, "Amnesia": 1}))

    def test_a_placeholder_gives_way_to_the_weakness_drawn(self) -> None:
        old = deck(ROLAND, {HAUNTED: 0, "Random Basic Weakness": 1})
        assert judge(old, put(old, {"Random Basic Weakness": 0, HAUNTED: 1})).legal

    def test_a_weakness_gives_way_to_the_one_that_replaces_it(self) -> None:
        old = deck(ROLAND, {HAUNTED: 0, "Dark Pact": 1})
        new = put(old, {"Dark Pact": 0, "The Price of Failure": 1})
        assert judge(old, new).legal
        assert "weaknesses-stay" in checks(old, new, "note")

    def test_signatures(self) -> None:
        old = deck()
        assert "signatures-stay" in checks(old, put(old, {"Roland's .38 Special": 0}))

    def test_story_cards_are_a_note(self) -> None:
        old = deck()
        new = put(old, {"Lita Chantler": 1})
        assert judge(old, new).legal
        assert "given-by-the-campaign" in checks(old, new, "note")
        assert "given-by-the-campaign" in checks(new, old, "note")

    def test_boxes(self) -> None:
        old = put(deck(ROLAND, {"Runic Axe": 1}), customizations={named("Runic Axe"): (Mark(1, 1), Mark(2, 1))})
        assert "boxes-stay" in checks(old, put(old, customizations={named("Runic Axe"): (Mark(1, 1),)}))
        assert "boxes-stay" not in checks(old, put(old, customizations={named("Runic Axe"): (Mark(1, 1), Mark(2, 2))}))

    def test_with_the_last_copy_the_boxes_are_gone(self) -> None:
        old = put(deck(ROLAND, {"Runic Axe": 1}), customizations={named("Runic Axe"): (Mark(1, 1), Mark(2, 1))})
        again = put(old, customizations={named("Runic Axe"): (Mark(1, 1),)}, exiled=(named("Runic Axe"),))
        assert "boxes-stay" not in checks(old, again)

    def test_investigator_and_choices(self) -> None:
        assert "same-investigator" in checks(deck(ROLAND), deck(AGNES))
        assert "same-investigator" not in checks(
            deck(ROLAND), deck("Roland Banks (btb)", front=named("Roland Banks"), back=named("Roland Banks"))
        )
        old = deck("Mandy Thompson", choices={"deck_size_selected": "30"})
        assert "choices-stay" in checks(old, deck("Mandy Thompson", choices={"deck_size_selected": "40"}))
        assert "choices-stay" in checks(deck(AGNES), replace(deck(AGNES), back=named("Agnes Baker (bad)")))
        assert "choices-stay" not in checks(old, old)


class TestWhatComes:
    def test_only_at_deck_creation(self) -> None:
        old = deck(DAISY)
        grown = put(old, {"Forced Learning": 1})
        assert "purchased-at-creation" in checks(old, put(grown, spare(grown, 15)))
        assert "purchased-at-creation" not in checks(grown, grown)

    def test_researched_only_by_upgrade(self) -> None:
        old = deck(DAISY, {"Strange Solution": 1})
        assert "researched-by-upgrade" not in checks(
            old, put(old, {"Strange Solution": 0, "Strange Solution: Acidic Ichor (4)": 1})
        )
        # the lower version may be purchased and upgraded in one step ...
        assert "researched-by-upgrade" not in checks(
            old, put(old, filler(old, 1, (named("Strange Solution"),)), {"Strange Solution: Acidic Ichor (4)": 1})
        )
        # ... but not by parallel Zoey Samaras, whose options let in Cryptic Grimoire (Elder Guardian) and no lower version
        other = deck("Zoey Samaras (ptr)", front=named("Zoey Samaras (ptr)"), back=named("Zoey Samaras (ptr)"))
        assert "researched-by-upgrade" in checks(
            other, put(other, filler(other, 1), {"Cryptic Grimoire: Text of the Elder Guardian": 1})
        )

    def test_the_deck_after_must_be_legal(self) -> None:
        old = deck()
        assert "deck-size" in checks(old, put(old, filler(old, 1)))
        assert checks(old, put(old, filler(old, 1), {"Shrivelling": 1}))

    def test_the_deck_before_is_only_a_warning(self) -> None:
        new = deck()
        old = put(new, filler(new, 1))
        assert checks(old, new, "warning") == {"deck-before-is-legal"}
        assert judge(old, new).legal

    def test_exiled_cards_were_there(self) -> None:
        old = deck(WENDY, {"Fire Extinguisher": 1})
        twice = put(
            old,
            {"Fire Extinguisher": 0},
            spare(old, 1),
            exiled=tuple(map(named, ("Fire Extinguisher", "Fire Extinguisher"))),
        )
        assert "exiled-from-the-deck" in checks(old, twice, "warning")
        assert "exiled-from-the-deck" not in checks(
            old, replace(twice, exiled=(named("Fire Extinguisher"),)), "warning"
        )

    def test_boxes_may_have_been_marked_in_play(self) -> None:
        old = deck(ROLAND, {"Runic Axe": 1, "Refine": 1})
        new = put(old, customizations={named("Runic Axe"): (Mark(1, 1),)})
        assert "boxes-marked-in-play" in checks(old, new, "note")

    def test_a_change_of_taboo_list_is_a_note(self) -> None:
        assert "same-taboo-list" in checks(deck(), replace(deck(), taboo=8), "note")

    def test_an_advanced_set_may_replace_the_original_one_for_good(self) -> None:
        old = deck(ROLAND)
        advanced = put(
            old, {"Roland's .38 Special": 0, "Cover Up": 0, "Roland's .38 Special (btb)": 1, "Cover Up (btb)": 1}
        )
        assert checks(old, advanced) == set()
        assert "signatures-advanced" in checks(old, advanced, "note")
        assert cost(old, advanced) == 0
        assert "signatures-stay" in checks(advanced, old)
        assert "signatures-stay" in checks(
            old, put(old, {"Roland's .38 Special": 0, "Cover Up": 0, "Mysteries Remain": 1, "The Dirge of Reason": 1})
        )

    def test_a_permanent_card_that_was_turned_over_is_not_missed(self) -> None:
        old = deck(AGNES, {"The Great Work": 1})
        new = put(
            old,
            {"The Great Work": 0, "Heirloom of Hyperborea": 0, "Dark Memory": 0, "Amnesia": 1, "Paranoia": 1},
            transformed=named("Lost Homunculus"),
        )
        assert "permanents-stay" not in checks(old, new)
        assert "permanents-stay" in checks(old, put(new, transformed=""))

    def test_a_transformed_investigator_changes_nothing(self) -> None:
        old = deck(AGNES, transformed=named("Lost Homunculus"))
        assert "deck-may-change" in checks(old, swapped(old, 1))
        assert "deck-may-change" not in checks(old, old)


class TestCampaign:
    first = deck(AGNES, {SHRIVELLING: 2})
    second = put(first, {SHRIVELLING: 1, SHRIVELLING_3: 1})
    third = put(first, {SHRIVELLING: 0, SHRIVELLING_3: 2})

    def chain(self) -> list[NamedDeck]:
        return [NamedDeck(str(number), each) for number, each in enumerate((self.first, self.second, self.third))]

    def test_unspent_experience_is_carried(self) -> None:
        steps = judge_campaign(self.chain(), FACTS, [5, 1])
        assert [(step.cost, step.available, step.unspent, step.legal) for step in steps] == [
            (3, 5, 2, True),
            (3, 3, 0, True),
        ]
        assert not judge_campaign(self.chain(), FACTS, [4, 1])[1].legal

    def test_what_is_left_of_the_beginning_is_carried(self) -> None:
        mateo = deck("Father Mateo")
        bought = put(mateo, filler(mateo, 1), {SHRIVELLING_3: 1})
        (step,) = judge_campaign([NamedDeck("a", mateo), NamedDeck("b", bought)], FACTS, [0])
        assert (step.available, step.unspent) == (5, 2)

    def test_what_the_file_says_is_left_is_carried(self) -> None:
        old = replace(self.first, experience=6, adjustment=1, rest={"xp_spent": 3})
        new = replace(self.second, adjustment=-2)
        (step,) = judge_campaign([NamedDeck("a", old), NamedDeck("b", new)], FACTS, [1])
        assert (step.available, step.legal) == (4 + 1 - 2, True)

    def test_the_first_deck_of_a_campaign_must_be_legal(self) -> None:
        bad = put(self.first, {HAUNTED: 0})
        chain = [NamedDeck("0", bad), *self.chain()[1:]]
        assert "random-basic-weaknesses" in {finding.check for finding in judge_campaign(chain, FACTS)[0].findings}

    def test_decks_are_put_in_order(self) -> None:
        a = NamedDeck("a", replace(self.first, id="1"))
        b = NamedDeck("b", replace(self.second, id="2", previous="1"))
        c = NamedDeck("c", replace(self.third, id="3", previous="2"))
        assert in_order([c, a, b]) == [a, b, c]
        assert in_order(self.chain()) == self.chain()

    def test_decks_that_are_no_chain(self) -> None:
        a = NamedDeck("a", replace(self.first, id="1"))
        b = NamedDeck("b", replace(self.second, id="2", previous="1"))
        with pytest.raises(ChainError, match="both follow"):
            in_order([a, b, NamedDeck("c", replace(self.third, id="3", previous="1"))])
        with pytest.raises(ChainError, match="do not form a single chain"):
            in_order([a, b, NamedDeck("c", replace(self.third, id="9"))])
        with pytest.raises(ChainError, match="do not form a single chain"):
            in_order([NamedDeck("a", replace(self.first, id="1", previous="2")), b])
        with pytest.raises(ChainError, match="two decks"):
            judge_campaign([a], FACTS)
        with pytest.raises(ChainError, match="numbers"):
            judge_campaign([a, b], FACTS, [1, 2])


def test_a_purchase_that_grows_the_deck_comes_first() -> None:
    old = deck()
    grown = put(old, {VERSATILE: 1})
    lines = judge(old, put(grown, spare(grown, 5))).lines
    assert [line.action for line in lines][:2] == ["purchase", "fill up"]


def test_the_other_version_of_a_reprint_is_pointed_out_with_both_costs() -> None:
    guts = {rules: replace(deck(ROLAND, {"01089": 2}), rules=rules) for rules in ("grimoire", "faq")}
    reprint = {rules: replace(put(old, {"01089": 0, "12090": 2}), rules=rules) for rules, old in guts.items()}
    assert "other-version-of-a-reprint" in checks(guts["grimoire"], reprint["grimoire"], "note")
    assert "other-version-of-a-reprint" not in checks(guts["grimoire"], guts["grimoire"], "note")
    assert "other-version-of-a-reprint" not in checks(guts["faq"], reprint["faq"], "note")


def test_where_no_document_settles_a_price_both_costs_are_told() -> None:
    def notes(old: Deck, new: Deck) -> list[str]:
        return [found.message for found in judge(old, new).findings if found.check == "other-readings"]

    old = deck(AGNES, {RABBIT_HOLE: 1, ARCANE_RESEARCH: 1, SHRIVELLING: 2})
    (both,) = notes(old, put(old, {SHRIVELLING: 0, SHRIVELLING_3: 2}))
    assert both.startswith("The discounts of Arcane Research and Down the Rabbit Hole")
    assert "the step costs 3, or up to 4 by the other reading" in both
    (level_0,) = notes(old, swapped(old, 1))
    assert "the step costs 1, or up to 2 by the other reading" in level_0
    plain = deck(AGNES, {ARCANE_RESEARCH: 1, SHRIVELLING: 2})
    assert notes(plain, put(swapped(plain, 1, kept=(SHRIVELLING,)), {SHRIVELLING: 0, SHRIVELLING_3: 2})) == []
