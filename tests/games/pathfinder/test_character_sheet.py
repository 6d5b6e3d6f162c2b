"""The character sheet on a deck's page: skills, powers and the Cards List, with the checked boxes."""

from dataclasses import replace

from kb.games.pathfinder.decks.character_sheet import BLANK_POWERS, character_sheet
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
    boxes = sum(len(line.boxes) for part in character_sheet(suggested("Ezren")) for line in part.lines)
    assert sheet.count('type="checkbox"') == boxes + BLANK_POWERS
    assert sheet.count('type="text"') == BLANK_POWERS
