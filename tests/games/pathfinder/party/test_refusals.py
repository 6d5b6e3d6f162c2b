"""Recording a player's refusal of a trade in a party file: only the refusals in the file change."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.deckfile import parse_deck
from kb.games.pathfinder.party.refusals import with_refusal

TABLE = """\
# ours
members:
  Kyra: {pool: [Mace]}   # hers
refuses:   # by whom
  Lini:
  - 2x Cure   # none of these
rewards: [Codex]   # gained
"""


@given(
    st.lists(st.tuples(st.sampled_from(["Kyra", "lini"]), st.sampled_from(["Codex", "Odd: {[#", "cure"])), max_size=6)
)
def test_only_the_refusals_change(steps):
    text, wanted = TABLE, {"Lini": ["2x Cure"]}
    for who, card in steps:
        text = with_refusal(parse_deck(text, "t"), who, card)
        name = who.capitalize()
        wanted[name] = [*(each for each in wanted.get(name, []) if card not in each.lower() and each != card), card]
    assert parse_deck(text, "t").value()["refuses"] == wanted
    assert text.startswith("# ours\nmembers:\n  Kyra: {pool: [Mace]}   # hers\n")
    assert "rewards: [Codex]   # gained\n" in text
    for who, card in [*steps, ("Lini", "Cure")]:
        text = with_refusal(parse_deck(text, "t"), who, card, refuses=False)
    assert text == "# ours\nmembers:\n  Kyra: {pool: [Mace]}   # hers\nrewards: [Codex]   # gained\n"


@pytest.mark.parametrize(
    "text", ['{"game": "pathfinder",\n\t"members": {"Kyra": ["Mace"]}}', "{members: {Kyra: Mace}}"]
)
def test_a_party_in_flow_style_is_written_as_json(text):
    refused = with_refusal(parse_deck(text, "t"), "Kyra", "Codex")
    assert json.loads(refused) == {**parse_deck(text, "t").value(), "refuses": {"Kyra": ["Codex"]}}
