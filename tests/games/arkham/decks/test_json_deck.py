"""Decks in the JSON formats of ArkhamDB and arkham.build."""

import json

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.games.arkham.decks.card import Mark
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.formats import (
    DeckFormatError,
    json_deck,
)
from kb.games.arkham.decks.judging import check_deck
from tests.games.arkham.decks.conftest import FACTS, deck, errors
from tests.tables import rows_of


def exported(**fields):
    """Return a deck as a dict in ArkhamDB's export format. `fields` replace keys of it."""
    made = deck()
    return {
        "id": 12, "name": "Own", "investigator_code": made.investigator, "slots": dict(made.cards), "sideSlots": None,
        "ignoreDeckLimitSlots": None, "xp": None, "xp_adjustment": None, "exile_string": None, "taboo_id": None,
        "meta": "{}", "previous_deck": None, "next_deck": None, **fields,
    }  # fmt: skip


def test_every_key_of_an_export_is_read():
    meta = {
        "alternate_front": "90024",
        "alternate_back": "90024",
        "faction_selected": "mystic",
        "cus_09040": "0|1,4|2|x",
        "attachments_03264": "01023,01023",
        "extra_deck": "90053,01018,01018",
        "transform_into": "04244",
        "card_pool": "core,cycle:dwl",
        "sealed_deck": "01020:2,01022:1",
        "annotation_01020": "good",
        "option_selected": "",
    }
    read = json_deck(
        exported(
            sideSlots={"01020": 1},
            ignoreDeckLimitSlots={"01060": 1},
            xp=7,
            xp_adjustment=-1,
            exile_string="02114,02114",
            taboo_id=8,
            meta=json.dumps(meta),
            previous_deck=11,
        )
    )
    assert (read.name, read.id, read.previous, read.taboo, read.experience, read.adjustment) == (
        "Own",
        "12",
        "11",
        8,
        7,
        -1,
    )
    assert (read.front, read.back, read.transformed) == ("90024", "90024", "04244")
    assert (dict(read.side_deck), dict(read.ignored), dict(read.extra)) == (
        {"01020": 1},
        {"01060": 1},
        {"90053": 1, "01018": 2},
    )
    assert dict(read.choices) == {"faction_selected": "mystic"}
    assert read.customizations == {"09040": (Mark(0, 1), Mark(4, 2, "x"))}
    assert read.attachments == {"03264": ("01023", "01023")}
    assert (read.exiled, read.pool, dict(read.sealed)) == (
        ("02114", "02114"),
        ("core", "cycle:dwl"),
        {"01020": 2, "01022": 1},
    )
    assert read.oddities == ()


@rows_of("games-arkham-json-deck", "test_nonsense_is_reported_and_never_skipped")
def test_nonsense_is_reported_and_never_skipped(fields):
    read = json_deck(exported(**fields))
    assert len(read.oddities) == 1
    assert "numbers-make-sense" in errors(read)


def test_numbers_and_codes_may_be_texts_or_floats():
    plain = json_deck(exported())
    for copies in (str, float):
        assert json_deck(exported(slots={code: copies(n) for code, n in plain.cards.items()})).cards == plain.cards
    assert json_deck(exported(slots={code.lstrip("0"): n for code, n in plain.cards.items()})).cards == plain.cards
    none = json_deck(exported(slots={**plain.cards, "02114": 0, "nothing": 0}))
    assert errors(none) == set()
    for code in (1001, "1001"):
        assert json_deck(exported(investigator_code=code)).investigator == "01001"
    assert json_deck(exported(sideSlots=["01030", 1030, "01031"])).side_deck == {"01030": 2, "01031": 1}


def test_fan_made_cards_are_named_as_such():
    meta = {"fan_made_content": {"cards": {"x-1": {"code": "x-1", "name": "Own Card"}}}}
    made = check_deck(json_deck(exported(slots={**deck().cards, "x-1": 1}, meta=json.dumps(meta))), FACTS)
    (finding,) = [finding for finding in made.findings if finding.check.id == "cards-known"]
    assert (finding.severity, finding.cards) == ("warning", ("Own Card [x-1]",))
    assert "Own Card [x-1]" in finding.message


@pytest.mark.parametrize(
    ("text", "missing"), [('{"slots": {}}', "investigator_code"), ('{"investigator_code": "01001"}', "slots")]
)
def test_a_missing_key_of_an_export_is_named(text, missing):
    with pytest.raises(DeckFileError, match=f"The key `{missing}` is missing"):
        read_deck(parse_deck(text, "deck.json"), FACTS)


def test_a_deck_without_a_card_may_be_written_as_an_empty_list():
    assert json_deck({"investigator_code": "01001", "slots": []}).cards == {}
    with pytest.raises(DeckFormatError, match="must map card codes"):
        json_deck({"investigator_code": "01001", "slots": ["01016"]})
