"""All upgrades of a campaign: the experience carried over, the order of the decks, and separate options for each
upgrade.
"""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.agreement import NamedDeck
from kb.games.arkham.upgrades import ChainError, in_order, judge_campaign
from tests.games.arkham.decks.conftest import AGNES, FACTS, HAUNTED, deck
from tests.games.arkham.decks.upgrade.steps import filler, put

SHRIVELLING, SHRIVELLING_3 = "Shrivelling", "Shrivelling (3)"


def named(*decks):
    return [NamedDeck(str(number), each) for number, each in enumerate(decks)]


class TestCampaign:
    first = deck(AGNES, {SHRIVELLING: 2})
    second = put(first, {SHRIVELLING: 1, SHRIVELLING_3: 1})
    third = put(first, {SHRIVELLING: 0, SHRIVELLING_3: 2})

    chain = named(first, second, third)

    def test_unspent_experience_is_carried(self):
        steps = judge_campaign(self.chain, FACTS, [5, 1])
        assert [(step.cost, step.available, step.unspent, step.legal) for step in steps] == [
            (3, 5, 2, True),
            (3, 3, 0, True),
        ]
        assert not judge_campaign(self.chain, FACTS, [4, 1])[1].legal

    def test_unspent_starting_experience_is_carried(self):
        mateo = deck("Father Mateo")
        bought = put(mateo, filler(mateo, 1), {SHRIVELLING_3: 1})
        (step,) = judge_campaign(named(mateo, bought), FACTS, [0])
        assert (step.available, step.unspent) == (5, 2)

    def test_experience_in_the_file_is_carried(self):
        old = replace(self.first, experience=6, adjustment=1, rest={"xp_spent": 3})
        new = replace(self.second, adjustment=-2)
        (step,) = judge_campaign(named(old, new), FACTS, [1])
        assert (step.available, step.legal) == (4 + 1 - 2, True)

    def test_the_first_deck_of_a_campaign_must_be_legal(self):
        chain = named(put(self.first, {HAUNTED: 0}), self.second, self.third)
        assert "random-basic-weaknesses" in {finding.check.id for finding in judge_campaign(chain, FACTS)[0].findings}

    def test_decks_are_put_in_order(self):
        a, b, c = named(
            replace(self.first, id="1"),
            replace(self.second, id="2", previous="1"),
            replace(self.third, id="3", previous="2"),
        )
        assert in_order([c, a, b]) == [a, b, c]
        assert in_order(self.chain) == self.chain

    def test_decks_that_do_not_form_a_chain(self):
        a, b = replace(self.first, id="1"), replace(self.second, id="2", previous="1")
        for said, decks in (
            ("do not link these decks into a single chain", (a, b, replace(self.third, id="3", previous="1"))),
            ("do not link these decks into a single chain", (a, b, replace(self.third, id="9"))),
            ("do not link these decks into a single chain", (replace(a, previous="2"), b)),
        ):
            with pytest.raises(ChainError, match=said):
                in_order(named(*decks))
        with pytest.raises(ChainError, match="two decks"):
            judge_campaign(named(a), FACTS)
        with pytest.raises(ChainError, match="2 amounts"):
            judge_campaign(named(a, b), FACTS, [1, 2])

    def test_each_step_may_have_its_own_class(self):
        old = deck("Subject 5U-21", {"Beat Cop": 1, SHRIVELLING: 1})
        middle = put(old, {"Beat Cop": 0, "Beat Cop (2)": 1})
        last = put(middle, {SHRIVELLING: 0, SHRIVELLING_3: 1})
        steps = judge_campaign(named(old, middle, last), FACTS, (9, 9))
        notes = [f for step in steps for f in step.findings if f.check.id == "one-class-a-step"]
        assert [note.severity for note in notes] == ["note", "note"]
        assert ["guardian" in note.message for note in notes] == [True, False]
        assert ["mystic" in note.message for note in notes] == [False, True]
