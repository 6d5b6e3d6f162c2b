"""Cards of products that are newer than the card facts: kb says that the facts are older, instead of only calling the
cards unknown.
"""

import pytest

import kb
from kb.registry import games

ARKHAM = games()["arkham"]
pytestmark = pytest.mark.usefixtures("real")  # not the developer's own KB_HOME


@pytest.mark.parametrize("text", ["13001", "13042a", "cob", "Children of Blood", "cards of children of blood"])
def test_newer_products_are_named_with_the_date_of_the_facts(text):
    assert ARKHAM.newer_than_facts(text) == "Children of Blood is newer than kb's data (2026-08-04)."


@pytest.mark.parametrize("text", ["", "01020", "1300", "130010", "113001", "blood", "Blood Eclipse", "１３００１"])
def test_older_products_are_not_reported_as_newer(text):
    assert ARKHAM.newer_than_facts(text) is None


def test_the_facts_have_no_card_of_a_newer_product():
    codes = [str(card["code"]) for card in kb.open_catalog().all_cards(game="arkham")]
    assert "01020" in codes
    for says in ARKHAM.newer.values():
        assert not [code for code in codes if len(code) >= 5 and code.startswith(says["cards"])]


@pytest.mark.extended
def test_the_doctor_names_newer_products_and_unknown_cards_of_the_last_deck(own_home, kb, tmp_path):
    deck = tmp_path / "deck.json"
    deck.write_text(
        '{"investigator_code": "01001", "slots": {"01006": 1, "01020": 1, "13005": 2, "99998": 1}}', "utf-8"
    )
    kb("deck check {}", deck)
    told = kb("doctor --json").json
    assert sorted(told["unknown_cards"]) == ["[13005]", "[99998]"]
    (age,) = [age for age in told["ages"] if age["game"] == "arkham"]
    assert (age["facts_of"], age["missing"]) == ("2026-08-04", ["Children of Blood"])
    deck.write_text('{"investigator_code": "01001", "slots": {"01006": 1, "01020": 1}}', "utf-8")
    kb("deck check {}", deck)
    assert kb("doctor --json").json["unknown_cards"] == []


@pytest.mark.parametrize("query", ["Children of Blood", "code:13001", "pack:cob", 'name:"children of blood"'])
def test_a_query_for_a_newer_product_says_so(query):
    found = kb.cards(query)
    assert found["total"] == 0
    assert "Children of Blood is newer than kb's data (2026-08-04)." in found["notes"]


def test_a_query_for_other_cards_does_not_mention_newer_products():
    assert not [note for note in kb.cards("code:01020")["notes"] if "newer" in note]
