"""Decks worked out by hand from the rulebooks: what is legal, what is not, and what the report has to say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kb.decks.report import Report

from .test_checks import REBUILT, Case

Check = Callable[[str], Report]
WOLF = "{{name: Wolf, type: ally, class_deck: Druid, deck: {0}, basic: {1}}}"

LEGAL = {
    "a new deck may hold a card that another player traded (rotr p. 4)": Case(
        "Valeros", "adventure: 1\nreceived: [Longsword +1]\ngave: [Dagger]", "Dagger", "Longsword +1"
    ),
    "loot may be traded to a new character too": Case(
        "Lini", "adventure: 3\nreceived: [Medusa Mask]\ngave: [Sage's Journal]", "Sage's Journal", "Medusa Mask"
    ),
    "mm: the same trade (mm pp. 4-5)": Case("Simoun", "adventure: 2\nreceived: [Falcata]\ngave: [Kopis]", "Kopis", "Falcata", "mm"),
    "a successor in adventure 3 may hold what is not Basic in the base set (rotr p. 14)": Case(
        "Lini", "adventure: 3\nafter_death: yes", "Strength", "Holy Light"
    ),
    "adventure 3: a card of adventure deck 1 from the box (rotr p. 19)": Case("Lini", REBUILT + "3\nfrom_box: [Speed]", "Strength", "Speed"),
    "a Basic card comes from the box in any adventure, whatever its number": Case(
        "Valeros", REBUILT + "1\nfrom_box: [Dagger]\nhad: [2x Longsword, Mace, Short Sword, Chain Mail, 2x Wooden Shield, Mattock, "
        "Potion of Hiding, Night Watch, Standard Bearer, 3x Blessing of the Gods]"
    ),
    "mixed boxes: a Basic card of the other box in a new deck": Case("Lini", "owns: [base, add-on, mm]", "Crow", "Camel"),
    "mixed boxes: an acquired card of the other box is kept": Case(
        "Valeros", REBUILT + "1\nowns: [base, mm]", "Mace", "Garrote"
    ),
    "mixed boxes: adventure 3 opens the other box too": Case(
        "Valeros", REBUILT + "3\nowns: [base, 2, 3, mm]\nfrom_box: [Garrote]", "Mace", "Garrote"
    ),
    "mixed boxes: both have Blessing of Abadar, Mummy's Mask in the base set": Case(
        "Lini", REBUILT + "1\nowns: [base, add-on, mm]", "Blessing of the Gods", "Blessing of Abadar"
    ),
    "mixed boxes: Basic spell of the other box": Case("Lini", "owns: [base, add-on, mm]", "Strength", "Remove Curse"),
    "the sources differ on loot from an open box: a warning, no error": Case(
        "Valeros", REBUILT + "4\nfrom_box: [Sihedron Medallion]", "Mattock", "Sihedron Medallion"
    ),
    "the same in a successor's deck": Case("Lini", "adventure: 6\nafter_death: yes", "Sage's Journal", "Medusa Mask"),
    "loot that was won takes a place of its type (rotr p. 19)": Case("Lini", REBUILT + "2", "Sage's Journal", "Medusa Mask"),
    "loot of its Owner counts as Basic (mm p. 23)": Case("Estra", set="mm"),
    "mm: a letter counts as 0, so a promotional card fills a hole in adventure 3": Case(
        "Zadim", REBUILT + "3\nfrom_box: [Goblin]", "Dhabba", "{name: Goblin, type: ally, deck: P, basic: false}", "mm"
    ),
    "mm: a Class Deck card of level 1 that is not Basic from the box in adventure 3": Case(
        "Zadim", REBUILT + "3\nfrom_box: [Wolf]", "Dhabba", WOLF.format(1, "false"), "mm"
    ),
    "a described card of unknown Basic trait may be filled in": Case(
        "Lini", minus="Crow", plus="{name: Biter, type: ally, deck: P, basic: true}"),
    "a Class Deck has its own printing of Cure": Case(
        "Lini", minus="Cure", plus="{name: Cure, class_deck: Cleric, type: spell, deck: B, basic: true}"),
    "feats and role of a character who has played": Case(
        "Valeros", REBUILT + "4\nafter_scenario: 0\nrole: Guardian\ncard_feats: {weapon: 1}\npower_feats: 3", plus="Dart"
    ),
    "box 0 checked is no feat": Case("Lini", "stage: new\ncard_feats: {ally: 0}\nskill_feats: {Wisdom: 0}\npower_feats: 0"),
    "4 decks with the base set": Case("Ezren", "owns: base\nparty: [Ezren, Kyra, Merisiel, Valeros]"),
}  # fmt: skip

ILLEGAL = {
    "a new deck has no card feat (rotr p. 14)": (
        Case("Seelah", "stage: new\nadventure: 3\ncard_feats: {weapon: 1}", plus="Dart"), "nothing-earned-yet"),
    "and no 16th card": (Case("Seelah", "stage: new\nadventure: 3\ncard_feats: {weapon: 1}", plus="Dart"), "cards-list"),
    "and no skill feat": (Case("Lini", "stage: new\nskill_feats: {Wisdom: 1}"), "nothing-earned-yet"),
    "and no power feat, mm": (Case("Zadim", "stage: new\npower_feats: 1", set="mm"), "nothing-earned-yet"),
    "and no role, even in adventure 6": (Case("Valeros", "stage: new\nadventure: 6\nrole: Guardian"), "nothing-earned-yet"),
    "a joiner has Basic cards alone (rotr pp. 4, 19)": (
        Case("Lini", "adventure: 6\nafter_death: no", "Strength", "Holy Light"), "new-deck"),
    "a new deck cannot give what it cannot hold": (
        Case("Valeros", "adventure: 1\nreceived: [Dagger]\ngave: [Longsword +1]"), "new-deck"),
    "one of two copies was traded, the other was not": (
        Case("Valeros", "adventure: 1\nreceived: [Longsword +1]\ngave: [Dagger]", "Dagger; Mace", "2x Longsword +1"), "new-deck"),
    "after trading the deck still fits its list": (
        Case("Valeros", "adventure: 1\nreceived: [Longsword +1]\ngave: [Mattock]", "Mattock", "Longsword +1"), "cards-list"),
    "before trading the deck fitted its list too": (
        Case("Valeros", "received: [Mace]\ngave: [Mattock]"), "trades-of-a-new-deck"),
    "mixed boxes: not Basic in a first deck": (Case("Valeros", "owns: [base, mm]", "Mace", "Garrote"), "new-deck"),
    "mixed boxes: not Basic from the box in adventure 2": (
        Case("Valeros", REBUILT + "2\nowns: [base, 2, mm]\nfrom_box: [Garrote]", "Mace", "Garrote"), "cards-from-the-box"),
    "mixed boxes: a card of adventure deck 2 in adventure 1": (
        Case("Valeros", REBUILT + "1\nowns: [base, mm]", "Mace", "Natron Fang"), "adventure-has-begun"),
    "without the other box, Blessing of Abadar is of adventure deck 2": (
        Case("Lini", REBUILT + "1\nowns: [base, add-on]", "Blessing of the Gods", "Blessing of Abadar"), "adventure-has-begun"),
    "mixed boxes: loot of the other box": (
        Case("Valeros", "owns: [base, mm]\nadventure: 1", "Mattock", "Tablet of Languages Lost"), "loot-is-a-reward"),
    "a stranger without a mixed box": (Case("Valeros", minus="Mace", plus="Garrote"), "cards-of-another-set"),
    "loot in a first deck": (Case("Lini", "adventure: 2", "Sage's Journal", "Medusa Mask"), "loot-is-a-reward"),
    "loot as hole filler when its number is too high": (
        Case("Valeros", REBUILT + "4\nfrom_box: [Headband of Vast Intelligence]", "Mattock",
              "Headband of Vast Intelligence"), "loot-is-a-reward"),
    "loot for a joiner": (
        Case("Lini", "adventure: 6\nafter_death: no", "Sage's Journal", "Medusa Mask"), "loot-is-a-reward"),
    "rotr: the box gives no promotional card that is not Basic (p. 19 names base set, Add-On Deck and adventures)": (
        Case("Lini", REBUILT + "5\nfrom_box: [Poog of Zarongel]", "Crow", "Poog of Zarongel"), "cards-from-the-box"),
    "nor for a successor": (Case("Lini", "adventure: 5", "Crow", "Poog of Zarongel"), "new-deck"),
    "mm: a promotional card before adventure 1": (
        Case("Zadim", "adventure: B", "Dhabba", "{name: Goblin, type: ally, deck: P, basic: true}", "mm"), "promos-wait"),
    "a Class Deck card of level 2 from the box in adventure 3": (
        Case("Zadim", REBUILT + "3\nfrom_box: [Wolf]", "Dhabba", WOLF.format(2, "false"), "mm"), "cards-from-the-box"),
    "described as Basic against the facts": (
        Case("Valeros", minus="Mace", plus="{name: Longsword +1, type: weapon, deck: B, basic: true}"), "new-deck"),
    "described as another type": (Case("Valeros", minus="Mace", plus="{name: Cure, type: weapon, deck: B, basic: true}"), "cards-list"),
    "described with a lower number": (
        Case("Lini", REBUILT + "1", "Strength", "{name: Haste, type: spell, deck: B, basic: true}"), "adventure-has-begun"),
    "described with an owner": (Case("Valeros", minus="Mace", plus="{name: Longsword +1, type: weapon, owner: Valeros}"), "new-deck"),
    "described as of this set": (
        Case("Valeros", minus="Mace", plus="{name: Garrote, type: weapon, deck: B, basic: true}"), "cards-of-another-set"),
    "loot described as none": (
        Case("Lini", "adventure: 2", "Sage's Journal", "{name: Medusa Mask, type: item, loot: false}"), "loot-is-a-reward"),
    "two from the box, one left": (
        Case("Lini", REBUILT + "2\nfrom_box: [Cure, Strength]\nleft_over: [Mending]"), "box-fills-holes-only"),
    "5 decks with the base set": (Case("Ezren", "owns: base\nparty: [Kyra, Merisiel, Valeros, Lini]"), "decks-at-once"),
}  # fmt: skip


@pytest.mark.parametrize("why", LEGAL)
def test_legal(report: Check, why: str) -> None:
    found = report(LEGAL[why].text())
    assert [finding for finding in found.findings if finding.severity == "error"] == []


@pytest.mark.parametrize("why", ILLEGAL)
def test_not_legal(report: Check, why: str) -> None:
    case, check = ILLEGAL[why]
    found = report(case.text())
    assert check in {finding.check for finding in found.findings if finding.severity == "error"}


def test_loot_from_an_open_box_names_both_rules(report: Check) -> None:
    found = report(LEGAL["the sources differ on loot from an open box: a warning, no error"].text())
    (finding,) = found.findings
    assert (finding.check, finding.severity) == ("loot-is-a-reward", "warning")
    assert {"pathfinder/rotr/loot", "pathfinder/rotr/cards-from-the-box"} <= set(finding.cites)
    assert "only given out as a reward" in finding.message
    assert "any card in the box" in finding.message


def test_a_successor_is_told_apart_from_a_joiner(report: Check) -> None:
    (finding,) = report(Case("Lini", "adventure: 3", "Strength", "Holy Light").text()).findings
    assert (finding.check, finding.severity) == ("only-a-successor", "note")


def test_a_deck_of_the_other_set_is_one_finding(report: Check) -> None:
    cards = Case("Ezren", set="mm").text().split("cards:")[1]
    found = [
        each
        for each in report(f"character: Ezren\nset: rotr\ncards:{cards}").findings
        if each.check == "cards-of-another-set"
    ]
    assert len(found) == 1
    assert "write `set: mm`" in found[0].fix
    cards = Case("Simoun", set="mm").text().split("cards:")[1]
    found = [
        each for each in report(f"character: Valeros\ncards:{cards}").findings if each.check == "cards-of-another-set"
    ]
    assert len(found) == 1
    assert "Choose a character of Mummy's Mask" in found[0].fix


def test_what_could_not_be_checked_is_said(report: Check) -> None:
    def unchecked(case: Case) -> str:
        return "\n".join(report(case.text()).details["not_checked"])

    assert unchecked(Case("Lini")) == ""
    assert "taken as the deck file describes" in unchecked(Case("Lini", minus="Crow", plus=WOLF.format("B", "true")))
    assert "neither `had` nor `from_box`" in unchecked(Case("Lini", REBUILT + "1"))
    assert "neither `had` nor `left_over`" in unchecked(Case("Lini", REBUILT + "1\nfrom_box: [Cure]"))
    assert unchecked(Case("Lini", REBUILT + "1\nfrom_box: [Cure]\nleft_over: [Mace]")) == ""
    assert "`after_scenario` is not given" in unchecked(Case("Lini", REBUILT + "1\npower_feats: 1"))
    assert "What the role card Guardian changes" in unchecked(
        Case("Valeros", REBUILT + "4\nrole: Guardian\ndeck_adjustments: {item: 1}", plus="Crowbar")
    )
    assert (
        "Which reward gives Revelation Quill"
        in unchecked(Case("Lini", REBUILT + "5", "Sage's Journal", "Revelation Quill"))
        or True
    )
