"""Tests each check just inside and just outside its limit. A case is a deck file without the key `cards`; its cards are
a suggested deck with a few changes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import pytest
import yaml

from kb.games.pathfinder.decks.access import too_much_loot
from kb.games.pathfinder.decks.deck_check import CHECKS, check_deck
from kb.games.pathfinder.decks.products import cards_of_another_set
from kb.games.pathfinder.decks.rulesets import RULESETS
from kb.games.pathfinder.decks.table import GameTable
from tests.conftest import ROOT

from .conftest import FACTS, suggested

VERDICTS = yaml.load((ROOT / "tests/data/pathfinder-verdicts.yaml").read_text("utf-8"), yaml.BaseLoader)
OF_SEVERAL = {"what-is-given-is-received", "one-box", "one-adventure"}  # party/test_findings.py tests these
REBUILT = "stage: rebuilt\nadventure: "


@dataclass(frozen=True)
class Case:
    """A deck file to check. `minus` removes cards from the suggested deck of `who`, `plus` adds cards, and `head`
    contains further lines of the file.
    """

    who: str
    head: str = ""
    minus: str = ""
    plus: str = ""
    set: str = "rotr"

    def text(self):
        cards = Counter(card.name for card in suggested(self.who, self.set).cards)
        cards.subtract(filter(None, self.minus.split("; ")))
        lacking = [name for name, number in cards.items() if number < 0]
        assert not lacking, f"a case removes {lacking}, which the suggested deck lacks; `minus` names one copy each"
        names = [*cards.elements(), *filter(None, self.plus.split("; "))]
        listed = "".join(f"- {name}\n" for name in names)
        return f"set: {self.set}\ncharacter: {self.who}\n{self.head}\ncards:\n{listed}"


def plain(value):
    """Return a YAML value as text without quotes, as a player writes it."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {plain(each)}' for key, each in value.items())}}}"
    return f"[{', '.join(map(plain, value))}]" if isinstance(value, list) else str(value)


def case(row):
    """Return the Case in a row of the table."""
    head = "".join(f"{key}: {plain(value)}\n" for key, value in row.get("file", {}).items())
    minus, plus = ("; ".join(plain(name) for name in row.get(key, ())) for key in ("minus", "plus"))
    return Case(row["who"], head, minus, plus, row.get("set", "rotr"))


def cases(kind):
    rows = VERDICTS["checks"].items()
    return [
        pytest.param(check, case(row), id=f"{check}{n}") for check, found in rows for n, row in enumerate(found[kind])
    ]


@pytest.mark.parametrize(("check", "case"), cases("quiet"))
def test_a_check_accepts_the_case(report, check, case):
    assert [finding for finding in report(case.text()).findings if finding.check.id == check] == []


@pytest.mark.parametrize(("check", "case"), cases("loud"))
def test_a_check_reports_the_case_with_a_fix(report, check, case):
    found = [finding for finding in report(case.text()).findings if finding.check.id == check]
    assert found
    for finding in found:
        assert finding.cites
        assert finding.remedies or finding.severity == "note"
        assert "`" not in finding.message


def test_every_check_has_cases():
    assert set(VERDICTS["checks"]) == {check.id for checks in CHECKS.values() for check in checks} - OF_SEVERAL, (
        "add cases of each check to tests/data/pathfinder-verdicts.yaml"
    )


@pytest.mark.parametrize(("set_id", "name"), FACTS.suggested)
def test_the_suggested_decks_are_legal_new_decks(report, set_id, name):
    found = report(Case(name, set=set_id).text())
    assert found.findings == ()
    assert found.legal
    assert found.details["cards"] == 15


def severities(found, check):
    return [finding.severity for finding in found.findings if finding.check.id == check]


def test_unknown_facts_are_not_errors(report):
    unknown_type = report(Case("Lini", REBUILT + "5", minus="Crow", plus="Runeforged Weapons").text())
    assert severities(unknown_type, "cards-list") == ["note"]
    assert unknown_type.legal
    harsk = suggested("Harsk")
    stranger = replace(
        harsk, character=replace(harsk.character, roles=()), stage="rebuilt", adventure="4", role="Sniper"
    )
    assert severities(check_deck(stranger, FACTS, "deck"), "role-of-the-character") == ["note"]
    assert report(Case("Lini", minus="Crow", plus="Biter").text()).legal


def test_estra_must_have_honaire_whatever_the_file_says_of_him(report):
    def verdict(head):
        return severities(report(Case("Estra", head, "Honaire", "Camel", "mm").text()), "cards-that-must-be-held")

    assert verdict("") == ["error"]
    assert verdict(REBUILT + "1") == ["error"]
    assert verdict(REBUILT + "1\nhad: [Camel]") == ["error"]
    assert verdict(REBUILT + "1\nfrom_box: [Camel]") == ["error"]
    assert verdict(REBUILT + "1\nleft_over: [Honaire]") == ["error"]
    assert verdict(REBUILT + "1\ngave: [Honaire]") == ["error"]


def test_a_required_card_that_is_out_of_the_game_is_a_warning():
    estra = replace(suggested("Estra", "mm"), stage="rebuilt", adventure="1", had=())
    honaire = next(card for card in estra.cards if card.name == "Honaire")
    estra = replace(estra, cards=tuple(card for card in estra.cards if card is not honaire))
    check = next(each for each in RULESETS["mm"].checks if each.id == "cards-that-must-be-held")

    def found(removed):
        return [each.severity for each in check.findings(GameTable([estra], FACTS, removed=removed))]

    assert (found(()), found((honaire,))) == (["error"], ["warning"])


def test_a_required_card_comes_from_the_box_although_the_party_has_cards_of_its_type(report):
    def verdict(head):
        return severities(report(Case("Estra", REBUILT + f"1\n{head}", set="mm").text()), "box-fills-holes-only")

    assert verdict("from_box: [Honaire]\nleft_over: [Camel]") == []
    assert verdict("from_box: [Honaire]\nleft_over: [Honaire]") == ["error"]
    assert verdict("from_box: [Honaire, Porcupine]\nleft_over: [Camel]") == ["error"]


def test_the_box_is_closed_while_a_suitable_card_is_left_over(report):
    def verdict(who, left):
        head = REBUILT + f"1\nfrom_box: [Compass]\nleft_over: [{left}]"
        return severities(report(Case(who, head, set="mm").text()), "box-fills-holes-only")

    assert verdict("Mavaro", "Whip") == verdict("Mavaro", "Canteen") == verdict("Estra", "Canteen") == ["error"]
    assert verdict("Mavaro", "Camel") == verdict("Estra", "Whip") == []


def test_unclear_sources_do_not_make_a_deck_illegal(report):
    case = Case("Zadim", REBUILT + "1\nafter_scenario: 1\nskill_feats: {Dexterity: 2}", set="mm")
    assert report(case.text()).legal  # one skill feat from scenario 1.1 and, very probably, one from B.3
    assert not report(replace(case, head=case.head.replace("2}", "3}")).text()).legal


@pytest.mark.parametrize(("foreign", "found"), [(4, [1, 1, 1, 1]), (5, [5])])
def test_many_cards_of_another_set_are_one_finding(report, foreign, found):
    cards = ["Acid Flask", "Antitoxin", "Bladeguard", "Noxious Bomb", "Fire Ward Gel"][:foreign]
    findings = report(Case("Kyra", plus="; ".join(cards)).text()).findings
    assert [len(each.cards) for each in findings if each.by(cards_of_another_set)] == found


def test_some_traders_have_only_cards_of_the_adventures_number():
    card = FACTS.card("mm", "Antitoxin")
    any_number, own_number = (
        next(each for each in FACTS.traders("mm").values() if each.own_number is own and each.trait != "Basic")
        for own in (False, True)
    )
    at = {number: replace(card, deck=str(number)) for number in (1, 2, 3)}
    assert [any_number.has_number(at[number], 2) for number in (1, 2, 3)] == [True, True, False]
    assert [own_number.has_number(at[number], 2) for number in (1, 2, 3)] == [False, True, False]


def test_a_later_reward_is_named_only_where_there_is_one():
    assert too_much_loot(0, 1) == "the reward of a later scenario."
    assert too_much_loot(1, 1).endswith("give 1 of it, and a later reward gives another.")
    assert too_much_loot(1, 0).endswith("give 1 of it, and no later reward gives another.")
