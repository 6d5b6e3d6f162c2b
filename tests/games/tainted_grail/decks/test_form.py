"""A character sheet as a form: the form keeps everything in a file, and a user can fill in a sheet from an
empty form.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kb.decks.form import CardChange, KeyChange, changed
from kb.decks.names import name_key
from kb.decks.reading import deck_in
from kb.games.tainted_grail.decks import sheet_form as form
from kb.games.tainted_grail.decks.sheet import read_sheet
from kb.games.tainted_grail.decks.sheet_form import new_deck
from kb.site.checker.worker import Checker
from tests.conftest import ROOT

SHEETS = sorted((ROOT / "tests" / "data" / "decks" / "tainted-grail").glob("*.yaml"))
RICH = """game: tainted-grail
character: Niamh
mode: challenge
challenge_rules: [items]
earlier_modes: [story]
starting_attributes: {aggression: 1}
attributes: {empathy: 3}
pairs: [aggression-caution, empathy-practicality, courage-spirituality]
granted: {empathy: 3, combat: 1}
skills: {empathy: [4]}
items: [2x Torch, "Mace (WEAPON, RELIC, facedown)", Rope]
secrets: [42, {name: Song, keywords: [PERSONAL, RELIC], owner: Arev}]
combat: {starter: [1-14, Jab], gained: {advanced: [Cleave], basic: [17]}, out: [3]}
diplomacy: {gained: [Bow], deck: [1-14, Bow]}
"""


def same(text):
    """Return the contents of a sheet as values that are equal for two sheets that differ only in the order of cards."""
    sheet = read_sheet(deck_in(text, "sheet.yaml"))
    decks = [
        (sorted(card.name for card in deck.cards), sorted(map(str, deck.gained)), sorted(map(str, deck.starter or ())))
        for deck in sheet.decks
    ]
    told = (
        sheet.mode,
        sheet.challenge_rules,
        sheet.earlier_modes,
        sheet.free_play,
        sheet.tray,
        sheet.deck_color,
        sheet.pairs,
    )
    numbers = [
        {name: number for name, number in (each or {}).items() if number}
        for each in (sheet.starting, sheet.attributes, sheet.granted, sheet.resources)
    ]
    owned = [
        sorted(str(replace(item, keywords=tuple(sorted(item.keywords)))) for item in each)
        for each in (sheet.items, sheet.secrets)
    ]
    return (name_key(sheet.character), sheet.experience_spent, sheet.skills, numbers, owned, decks, told)


@pytest.mark.parametrize(
    "text", [*(path.read_text() for path in SHEETS), RICH], ids=[*(path.stem for path in SHEETS), "rich"]
)
def test_the_form_keeps_everything_in_a_sheet(text):
    assert same(form.text(form.value(deck_in(text, "sheet.yaml"), None))) == same(text)


def filled(*changes):
    text = new_deck("Beor", None, None)
    for change in changes:
        change = CardChange(**change) if "card" in change else KeyChange(**change)
        text = form.text(changed(form.value(deck_in(text, "sheet.yaml"), None), change))
    return text


def test_a_sheet_is_filled_in_from_nothing():
    text = filled(
        {"key": "starting_attributes.aggression", "value": "2"},
        {"key": "attributes.aggression", "value": "3"},
        {"key": "skills.aggression", "value": "12"},
        {"key": "resources.food", "value": "4"},
        {"card": "items: Rusty Sword", "copies": 1},
        {"key": "items.1.keyword", "value": "WEAPON"},
        {"card": "secrets: #14", "copies": 1},
        {"key": "secrets.1.bound", "value": "PERSONAL"},
        {"card": "combat advanced Cleave", "copies": 1},
        {"card": "combat deck Cleave", "copies": 1},
        {"card": "combat deck 3/25", "copies": 0},
        {"key": "starting_attributes.courage", "value": "1"},
    )
    sheet = read_sheet(deck_in(text, "sheet.yaml"))
    assert (sheet.starting["aggression"], sheet.attributes["aggression"], sheet.attributes["courage"]) == (2, 3, 1)
    assert [(item.name, item.keywords) for item in (*sheet.items, *sheet.secrets)] == [
        ("Rusty Sword", ("WEAPON",)),
        ("secret 14", ("PERSONAL",)),
    ]
    assert {card.name for card in sheet.combat.cards} - {f"{number}/25" for number in range(1, 16)} == {"Cleave"}
    offered = {offer.key for offer in form.offers(deck_in(text, "sheet.yaml"), None)}
    assert {"combat deck 3/25", "combat basic 16/25", "items: ", "diplomacy advanced "} <= offered


def test_findings_are_next_to_their_fields_and_name_no_keys():
    checker = Checker({"records": {"tainted-grail": {}}, "cites": [], "links": {}})
    text = filled(
        {"key": "starting_attributes.aggression", "value": "2"},
        {"key": "attributes.aggression", "value": "3"},
        {"key": "resources.food", "value": "21"},
        {"card": "combat deck 3/25", "copies": 0},
    )
    told = json.loads(checker.answer(json.dumps({"do": "form", "text": text, "name": "sheet.yaml"})))
    beside = {each["field"] or each["group"]: each for each in told["findings"]}
    assert set(beside) == {"resources.food", "combat deck", "skills.aggression", "experience_spent"}
    assert "“EXP spent since the campaign began”" in beside["experience_spent"]["fix"]
    assert not any("`" in each["fix"] for each in told["findings"])
    assert Path(told["formats"][0]).name == "kb's YAML"
