"""A refusal is written into the file of a table, whatever else it says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.deckfile import parse_deck
from kb.decks.party import PartyError, with_refusal

TABLE = """\
# ours
game: pathfinder
set: rotr
members:
  Kyra:   # hers
    wishes: [Force Missile]   # she would like
    pool: [Mace]
  ezren: {pool: [Sleep]}
  Merisiel:   # begins
  Lem: [Codex, 2x Cure]
  Seoni:
    - Codex
  Lini:
    refuses:
      - 2x Cure   # none of these
    pool: [Mace]
rewards: [Codex]   # gained
"""
NAMES = ["Kyra", "Ezren", "Merisiel", "Lem", "Seoni", "Lini"]


def refused(text):
    members = parse_deck(text, "t").value()["members"]
    return {name: said["refuses"] for name, said in members.items() if said and "refuses" in said}


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["Codex", "Thieves' Tools", "Odd: {[#"])), max_size=6)
)
def test_only_the_refusals_of_a_member_change(steps):
    text, wanted = TABLE, {"Lini": ["2x Cure"]}
    for who, card in steps:
        text = with_refusal(parse_deck(text, "t"), who, card)
        name = who.lower() if who == "Ezren" else who
        wanted[name] = [*(each for each in wanted.get(name, []) if each != card), card]
    assert refused(text) == wanted
    kept = ["# ours", "# hers", "# she would like", "# begins", "# gained"]
    assert [each for each in kept if each in text] == kept
    for who, card in steps:
        text = with_refusal(parse_deck(text, "t"), who, card, refuses=False)
    assert {name: cards for name, cards in refused(text).items() if cards} == {"Lini": ["2x Cure"]}
    assert "2x Cure" not in with_refusal(parse_deck(text, "t"), "Lini", "cure", refuses=False).partition("Lini:")[2]


def test_who_allows_all_again_leaves_the_file_as_it_was():
    text = with_refusal(parse_deck(TABLE, "t"), "Kyra", "Codex")
    assert '  Kyra:   # hers\n    refuses: ["Codex"]\n    wishes: [Force Missile]   # she would like\n' in text
    assert with_refusal(parse_deck(text, "t"), "Kyra", "Codex", refuses=False) == TABLE


def test_a_table_in_json_stays_json():
    text = '{"game": "pathfinder",\n\t"members": {"Kyra": ["Mace"]}}'
    assert json.loads(with_refusal(parse_deck(text, "t.json"), "kyra", "Codex"))["members"] == {
        "Kyra": {"pool": ["Mace"], "refuses": ["Codex"]}
    }


@pytest.mark.parametrize(
    "text", ["game: pathfinder\n", "members: [Kyra]\n", "members: {Lem: [Mace]}\n", "members: x\n"]
)
def test_nobody_else_refuses(text):
    with pytest.raises(PartyError, match="Kyra is no member of the table"):
        with_refusal(parse_deck(text, "t.yaml"), "Kyra", "Codex")
