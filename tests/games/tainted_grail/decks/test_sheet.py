"""Character sheets as files: how kb reads them, and its error messages with lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.deckfile import parse_deck
from kb.decks.file_keys import described
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError
from kb.games.tainted_grail.decks.character_sheet import (
    ATTRIBUTES,
    CHARACTERS,
    PAIRS,
    STARTERS,
    Item,
    Sheet,
    basic_card,
)
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.sheet import read_sheet
from kb.games.tainted_grail.decks.sheet_form import new_deck, show
from tests.tables import rows_of

from .conftest import PLAIN, report, sheet


def test_the_examples_of_the_keys_are_a_legal_sheet_and_say_what_they_say():
    keys = (key for name, key in described(Sheet).items() if name != "challenge_rules")
    example = "".join(f"{key.name}: {key.example}\n" for key in keys)
    read = sheet(example)
    assert (read.character, read.mode, read.earlier_modes, read.experience_spent) == ("Beor", "standard", ("story",), 8)
    assert read.starting == dict(zip(ATTRIBUTES, (2, 0, 1, 0, 1, 0), strict=True))
    assert read.attributes == dict(zip(ATTRIBUTES, (3, 1, 1, 0, 1, 0), strict=True))
    assert read.pairs == PAIRS
    assert read.granted == {"empathy": 1, "combat": 1}
    assert read.skills == {"aggression": ("12",)}
    assert read.resources == {"food": 4, "wealth": 7, "reputation": 2, "magic": 3, "experience": 5}
    assert read.items == (Item("Rusty Sword", ("WEAPON",)), Item("Old Mace", ("WEAPON",), True), Item("Rope"))
    assert read.secrets == (Item("secret 14", ("RELIC", "PERSONAL"), number=14, owner="Beor"),)
    assert [card.name for card in read.combat.gained] == ["Cleave", "17/25"]
    assert [card.grade for card in read.combat.gained] == ["advanced", "basic"]
    assert len(read.combat.cards) == 16
    assert basic_card(3) not in read.combat.cards
    assert read.diplomacy.cards == STARTERS
    found = report(example)
    assert found.legal
    assert {finding.severity for finding in found.findings} == {"note"}
    assert found.details["experience"] == {"spent": 8, "cost": 8}


@pytest.mark.parametrize("character", [character.name for character in CHARACTERS])
def test_a_new_sheet_can_be_read_and_asks_for_what_is_on_the_tile(character):
    text = new_deck(character.upper(), None, None)
    file = parse_deck(text, "new.yaml")
    assert game_of(file).id == "tainted-grail"
    read = read_sheet(file)
    assert (read.character, read.starting, read.experience_spent) == (character, None, 0)
    assert read.combat.cards == read.diplomacy.cards == STARTERS
    assert [finding.check.id for finding in check_sheet(read, "new.yaml").findings] == ["starting-attributes-are-known"]
    filled = text.replace("aggression:", "aggression: 1", 1)
    assert report(filled).findings == ()


def test_new_deck_makes_no_sheet_for_other_games():
    assert new_deck("Lini", None, None) is None
    assert new_deck("Beor", "rotr", None) is None


@pytest.mark.parametrize(
    "text",
    [
        "character: Beor\ncombat: 1-15\n",
        "character: Beor\nstarting_attributes: {courage: 1}\n",
        "game: Tainted Grail\n",
        "game: fall of avalon\n",
        'game: "Tainted Grail: The Fall of Avalon"\n',
    ],
)
def test_a_sheet_is_detected_by_its_keys_or_its_game(text):
    assert game_of(parse_deck(text, "sheet.yaml")).id == "tainted-grail"


def test_cards_by_number_range_and_name():
    read = sheet("character: Beor\ncombat: [1-3, 7/25, '#9', 12-13/25, 2x Cleave, Roar x2]\n")
    assert [card.name for card in read.combat.cards] == [
        "1/25", "2/25", "3/25", "7/25", "9/25", "12/25", "13/25", "Cleave", "Cleave", "Roar", "Roar",
    ]  # fmt: skip


def test_show_joins_consecutive_numbers():
    view = show(
        parse_deck(PLAIN.replace("combat: 1-15", "combat: {gained: [17, Cleave], out: [3, 5]}"), "s.yaml"), None
    )
    assert view.heading == "Beor, standard mode"
    assert view.rows[0] == ("combat deck", "15", "1-2/25, 4/25, 6-15/25, 17/25, Cleave")
    assert ("aggression", "2", "next point 6 EXP") in view.rows


@rows_of("games-tainted-grail-sheet", "test_a_bad_sheet_gets_sentences_with_lines")
def test_a_bad_sheet_gets_sentences_with_lines(line, number, message):
    with pytest.raises(DeckFileError) as failed:
        sheet(f"game: tainted-grail\ncharacter: Beor\n{line}\n")
    assert any(each.line == number and message in each.message for each in failed.value.problems), failed.value


@given(st.lists(st.integers(1, 15), unique=True), st.lists(st.integers(16, 25), unique=True))
def test_the_deck_is_all_owned_cards_except_out(out, gained):
    read = sheet(f"character: Beor\ncombat: {{gained: {gained}, out: {out}}}\n")
    assert sorted(card.number or 0 for card in read.combat.cards) == sorted({*range(1, 16), *gained} - {*out})


def test_one_of_two_copies_is_out():
    read = sheet("character: Beor\ncombat: {gained: [2x Cleave], out: [Cleave, 1-14]}\n")
    assert [card.name for card in read.combat.cards] == ["15/25", "Cleave"]
