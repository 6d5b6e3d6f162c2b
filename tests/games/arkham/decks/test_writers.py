"""Converting decks to another format: the converted deck reads as the same deck, and kb names everything that the
format cannot store.
"""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.decks.deckfile import parse_deck
from kb.games.arkham.decks.card import Mark
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.deck_writing import FORMATS, write_deck
from kb.games.arkham.decks.formats import json_deck
from kb.games.arkham.upgrades import left_at_the_start
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck

FULL = deck(
    AGNES,
    {"09081": 2, "01060": 1, "02154": 1},
    name='Agnes: "Ring" # 1',
    front="01004",
    back="90017",
    side_deck={"01065": 2},
    extra={"01018": 1},
    ignored={"01060": 1},
    choices={"faction_selected": "mystic"},
    customizations={"09081": (Mark(0, 1), Mark(2, 1, "willpower"))},
    attachments={"03264": ("01024", "01065")},
    transformed="11068b",
    taboo=8,
    experience=7,
    adjustment=-1,
    exiled=("02114", "02114"),
    previous="12",
    id="13",
    pool=("core", "cycle:dwl"),
    sealed={"01060": 2},
)


def again(text, to):
    return read_deck(parse_deck(text, "deck.txt" if to == "text" else "deck"), FACTS)


@pytest.mark.parametrize("to", ["arkhamdb", "arkham.build", "yaml"])
def test_everything_is_kept(to):
    written = write_deck(FULL, to, FACTS)
    assert written.lost == ()
    assert again(written.text, to) == FULL


def test_a_text_list_says_what_it_cannot_hold():
    written = write_deck(FULL, "text", FACTS)
    read = again(written.text, "text")
    assert (read.cards, read.side_deck, read.extra, read.taboo, read.experience) == (
        FULL.cards,
        FULL.side_deck,
        FULL.extra,
        8,
        7,
    )
    assert (read.front, read.back) == (FULL.front, FULL.back)
    assert {"upgrade sheets", "exiled cards", "the previous deck", "copies that do not count"} <= set(written.lost)
    assert "cards" not in written.lost


def test_arkhamdb_ids_are_numbers():
    written = write_deck(deck(id="aBc"), "arkhamdb", FACTS)
    assert json.loads(written.text)["id"] is None
    assert written.lost == ("the deck's id",)
    assert write_deck(deck(id="aBc"), "arkham.build", FACTS).lost == ()


def test_unknown_keys_are_kept_in_json_and_reported_as_lost_in_yaml():
    data = {
        "investigator_code": "01001",
        "slots": {"01016": 1},
        "tags": "solo",
        "description_md": "Text",
        "meta": json.dumps({"banner_url": "x"}),
        "source": "arkham.build",
    }
    read = json_deck(data)
    build = json.loads(write_deck(read, "arkham.build", FACTS).text)
    assert (build["tags"], build["description_md"], json.loads(build["meta"])) == ("solo", "Text", {"banner_url": "x"})
    written = write_deck(read, "yaml", FACTS)
    assert set(written.lost) == {"`source`", "`banner_url` of `meta`"}
    assert set(write_deck(read, "text", FACTS).lost) >= {"`tags`", "`description_md`"}
    assert write_deck(read, "arkhamdb", FACTS).lost == ("`source`, which only arkham.build supports",)


def test_notes_of_other_programs_are_kept_in_yaml_or_reported_as_lost():
    noted = {
        "xp_spent": 4,
        "next_deck": 77,
        "version": "1.2",
        "date_creation": "2025-01-01T10:00:00+00:00",
        "date_update": "2025-02-01T10:00:00+00:00",
        "tags": "solo",
        "description_md": "First line.\n\nSecond: line",
    }
    read = json_deck({"investigator_code": "01001", "slots": {"01016": 1}, "xp": 9, **noted})
    written = write_deck(read, "yaml", FACTS)
    assert written.lost == ()
    again = read_deck(parse_deck(written.text, "deck.yaml"), FACTS)
    assert again.rest == {**noted, "next_deck": "77"}
    assert left_at_the_start(again, FACTS) == left_at_the_start(read, FACTS) == 5
    assert {f"`{key}`" for key in noted} <= set(write_deck(read, "text", FACTS).lost)


@pytest.mark.parametrize("to", FORMATS)
def test_every_card_is_found_again(to):
    cards = {code: 1 for code in FACTS._cards if (card := FACTS.card(code)) and card.type != "investigator"}
    written = write_deck(ArkhamDeck("01001", cards), to, FACTS)
    assert again(written.text, to).cards == cards


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["arkhamdb", "arkham.build", "yaml"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30).map(str.strip),
    st.dictionaries(st.sampled_from(["01016", "01020", "60520", "99999"]), st.integers(-3, 9), max_size=4),
    st.none() | st.integers(-5, 99),
)
def test_any_deck_is_kept(to, name, slots, experience):
    made = ArkhamDeck("01001", slots, name=name, experience=experience)
    written = write_deck(made, to, FACTS)
    unknown = to == "yaml" and "99999" in slots
    assert bool(written.lost) == unknown
    if not unknown:
        assert again(written.text, to) == made
