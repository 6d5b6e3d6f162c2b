"""The character sheet on a deck's page: skills, powers and the Cards List, with the checked boxes."""

from dataclasses import replace

import pytest

from kb.games.pathfinder.decks.character_sheet import character_sheet, power_boxes
from kb.games.pathfinder.decks.power_feats import PowerFeats

from .decks.conftest import suggested


def lines(deck):
    return {line.label: line for part in character_sheet(deck) for line in part.lines}


def marked(line):
    return [(box.label, box.checked) for box in line.boxes]


def test_skills_show_dice_boxes_and_dependent_skills():
    sheet = lines(replace(suggested("Ezren"), stage="rebuilt", skill_feats={"Intelligence": (1, 2)}))
    assert sheet["Intelligence"].value == "d12"
    assert marked(sheet["Intelligence"]) == [("+1", True), ("+2", True), ("+3", False), ("+4", False)]
    assert sheet["Arcane: Intelligence +2"].value == "d12+4"
    assert marked(sheet["Strength"]) == [("+1", False)]


def test_each_box_of_the_cards_list_shows_its_number():
    sheet = lines(replace(suggested("Ezren"), stage="rebuilt", card_feats={"spell": (1,)}))
    assert (sheet["Spells"].value, marked(sheet["Spells"])) == ("8", [("9", True), ("10", False), ("11", False)])
    assert marked(sheet["Armors"]) == [("1", False)]
    assert "Blessings" not in sheet  # Ezren has no blessings and no boxes for them


def test_power_feats_given_as_a_number_check_no_particular_box():
    sheet = lines(replace(suggested("Ezren"), stage="rebuilt", powers=PowerFeats(2), role="Evoker"))
    assert marked(sheet["Hand size"]) == [("7", None), ("8", None)]
    assert sheet["Power feats"].value == "2 of 12"
    assert marked(sheet["Role"]) == [("Evoker", True), ("Illusionist", False)]
    assert lines(suggested("Ezren"))["Power feats"].value == "0 of 4"


def test_required_cards_are_on_the_sheet():
    (cards,) = [part for part in character_sheet(suggested("Estra", "mm")) if part.title == "Cards List"]
    assert "Honaire" in cards.note


def test_boxes_can_be_ticked_and_powers_filled_in_on_the_page(kb, real, tmp_path):
    (tmp_path / "ezren.yaml").write_text(kb("deck new Ezren --in rotr").out)
    kb("deck page {} --out {}", tmp_path / "ezren.yaml", tmp_path / "ezren.html")
    page = (tmp_path / "ezren.html").read_text("utf-8")
    sheet = page[page.index('class="sheet"') : page.index("</section>", page.index('class="sheet"'))]
    parts = character_sheet(suggested("Ezren"))
    blanks = sum(part.blanks for part in parts)
    assert sheet.count('type="checkbox"') == blanks + sum(len(line.boxes) for part in parts for line in part.lines)
    assert sheet.count('type="text"') == blanks > 0


@pytest.mark.parametrize("who", ["Kyra", "Lini", "Ezren"])
@pytest.mark.parametrize("named", [(), ("reroll a die",)])
@pytest.mark.parametrize("with_role", [False, True])
def test_the_sheet_has_as_many_power_boxes_as_the_card(who, named, with_role):
    deck = suggested(who)
    role = deck.character.roles[0] if with_role else None
    deck = replace(deck, stage="rebuilt", role=role, powers=PowerFeats(len(named), named))
    (powers,) = [part for part in character_sheet(deck) if part.title == "Powers"]
    shown = sum(len(line.boxes) for line in powers.lines if line.label != "Role")
    assert shown + powers.blanks == power_boxes(deck) == (12 if with_role else 4)
