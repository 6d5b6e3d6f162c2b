"""What single cards and the back of the investigator say of a step: classes, cards earned, trauma."""

from __future__ import annotations

from dataclasses import replace

from kb.decks.report import Finding
from kb.games.arkham.decks.model import Deck, Mark
from kb.games.arkham.decks.upgrade.campaign import NamedDeck, judge_campaign
from tests.games.arkham.decks.conftest import AGNES, FACTS, HAUNTED, check, deck, named
from tests.games.arkham.decks.upgrade.steps import ARCANE_RESEARCH, judge, put

SUZI, LILY = map(named, ("Subject 5U-21", "Lily Chen"))
BEAT_COP, BEAT_COP_2, SHRIVELLING, SHRIVELLING_3 = map(
    named, ("Beat Cop", "Beat Cop (2)", "Shrivelling", "Shrivelling (3)")
)
RUNIC_AXE, SHOTCASTER, DISCIPLINES, BURDEN = (
    named("Runic Axe"),
    named("Hyperphysical Shotcaster"),
    tuple(map(named, ("Discipline", "Discipline: Quiescence of Thought", "Discipline: Prescience of Fate"))),
    named("Burden of Destiny"),
)


def found(old: Deck, new: Deck, name: str) -> list[Finding]:
    return [finding for finding in judge(old, new, earned=30).findings if finding.check == name]


class TestOneClassAStep:
    old = deck(SUZI, {BEAT_COP: 1, SHRIVELLING: 1, RUNIC_AXE: 1, SHOTCASTER: 1})

    def test_two_classes_in_one_step(self) -> None:
        new = put(self.old, {BEAT_COP: 0, BEAT_COP_2: 1, SHRIVELLING: 0, SHRIVELLING_3: 1})
        (finding,) = found(self.old, new, "one-class-a-step")
        assert finding.severity == "error"
        assert "(guardian)" in finding.message
        assert "(mystic)" in finding.message

    def test_each_step_may_have_its_own_class(self) -> None:
        middle = put(self.old, {BEAT_COP: 0, BEAT_COP_2: 1})
        last = put(middle, {SHRIVELLING: 0, SHRIVELLING_3: 1})
        decks = [NamedDeck(name, made) for name, made in (("a", self.old), ("b", middle), ("c", last))]
        steps = judge_campaign(decks, FACTS, (9, 9))
        notes = [f for step in steps for f in step.findings if f.check == "one-class-a-step"]
        assert [note.severity for note in notes] == ["note", "note"]
        assert ["guardian" in note.message for note in notes] == [True, False]
        assert ["mystic" in note.message for note in notes] == [False, True]

    def test_boxes_of_a_sheet_are_an_upgrade_and_neutral_cards_are_apart(self) -> None:
        marked = {RUNIC_AXE: (Mark(0, 1),)}
        boxes = put(self.old, {SHRIVELLING: 0, SHRIVELLING_3: 1}, customizations=marked)
        assert [f.severity for f in found(self.old, boxes, "one-class-a-step")] == ["error"]
        neutral = put(self.old, {SHRIVELLING: 0, SHRIVELLING_3: 1}, customizations={SHOTCASTER: (Mark(0, 1),)})
        assert [f.severity for f in found(self.old, neutral, "one-class-a-step")] == ["note"]

    def test_level_0_cards_and_other_investigators_are_free(self) -> None:
        fewer = put(self.old, {SHRIVELLING: 0, BEAT_COP: 0})
        assert found(fewer, self.old, "one-class-a-step") == []
        agnes = deck(AGNES, {SHRIVELLING: 1})
        assert found(agnes, put(agnes, {SHRIVELLING: 0, SHRIVELLING_3: 1}), "one-class-a-step") == []


class TestCardsEarned:
    def lily(self, disciplines: int) -> Deck:
        return deck(LILY, {**dict.fromkeys(DISCIPLINES[:disciplines], 1), BURDEN: disciplines})

    def test_a_further_discipline_names_the_experience(self) -> None:
        (note,) = found(self.lily(1), self.lily(2), "cards-earned")
        assert note.severity == "note"
        assert "at least 15 must have been earned" in note.message
        (note,) = found(self.lily(2), self.lily(3), "cards-earned")
        assert "at least 30 must have been earned" in note.message

    def test_it_is_not_asked_of_the_campaign_log_besides(self) -> None:
        assert found(self.lily(1), self.lily(2), "given-by-the-campaign") == []
        assert judge(self.lily(1), self.lily(2), earned=15).cost == 0

    def test_none_without_a_new_one(self) -> None:
        assert found(self.lily(2), self.lily(2), "cards-earned") == []

    def test_the_deck_check_says_it_too(self) -> None:
        notes = {number: check(self.lily(number)).findings for number in (1, 2)}
        assert "cards-of-the-sides" not in {finding.check for finding in notes[1]}
        (note,) = [finding for finding in notes[2] if finding.check == "cards-of-the-sides"]
        assert (note.severity, "at least 15" in note.message) == ("note", True)


class TestTrauma:
    healing, thick = map(named, ("Spiritual Healing", "In the Thick of It"))

    def test_suffered_when_purchased(self) -> None:
        old = deck(AGNES)
        (note,) = found(old, put(old, {ARCANE_RESEARCH: 2}), "trauma-of-purchases")
        assert note.severity == "note"
        assert note.message.startswith("2 mental trauma is suffered")

    def test_removed_when_purchased(self) -> None:
        old = deck("Carolyn Fern")
        new = put(old, {self.healing: 1})
        (note,) = found(old, new, "trauma-of-purchases")
        assert "removed" in note.message
        assert not [f for f in check(new).findings if f.check == "trauma-of-cards"]

    def test_not_again_for_a_card_that_stays(self) -> None:
        old = deck(AGNES, {ARCANE_RESEARCH: 1})
        assert found(old, replace(old, name="later"), "trauma-of-purchases") == []

    def test_the_deck_check_says_it_too(self) -> None:
        holder = deck("Monterey Jack", {self.thick: 1})
        (note,) = [f for f in check(holder).findings if f.check == "trauma-of-cards"]
        assert (note.severity, note.message[:28]) == ("note", "2 physical or mental trauma ")
        assert "trauma-of-cards" not in {f.check for f in check(deck(AGNES, {HAUNTED: 1})).findings}
