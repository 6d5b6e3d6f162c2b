"""The card query language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.retrieval.cards import CardQueryError, asked_for, known, parse_query, strange_values, unknown_among
from tests.tables import data, rows_of

CARDS = data("retrieval-cards", "CARDS")


def names(query):
    fits = parse_query(query)
    return [card["id"] for card in CARDS if fits(card)]


@pytest.mark.parametrize("query", ["> " * 50_000, "a " * 501, "type:x or " * 300, "-" * 300, "( " * 100_000])
def test_too_long_or_nested_queries_are_refused(query):
    with pytest.raises(CardQueryError, match="at most"):
        parse_query(query)


@rows_of("retrieval-cards", "test_queries")
def test_queries(query, ids):
    assert names(query) == ids


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("colour:red", "There is no field 'colour'"),
        ("trai:magic", "did you mean 'trait'?"),
        ("type<weapon", "type is not a numeric field"),
        ("deck<=many", "is not a number"),
        ("is:shiny", "is:shiny is unknown"),
        ("(type:weapon", "A bracket is not closed"),
        ("type:weapon)", "closing bracket"),
        ("or", "missing next to"),
        ("type:weapon -", "minus"),
        ("type:", "needs a value"),
        ("icons:wild>1", "write wild>1"),
        ("", "empty"),
    ],
)
def test_mistakes_name_what_is_known(query, words):
    with pytest.raises(CardQueryError) as raised:
        parse_query(query)
    assert words in str(raised.value) or "Cannot read" in str(raised.value) or "minus" in words, str(raised.value)


@given(
    st.sampled_from(["type:weapon", "deck<=2", "flame", "is:loot"]),
    st.sampled_from(["set:mm", "trait:magic", "-is:basic"]),
)
def test_or_and_minus_are_set_operations(left, right):
    assert set(names(f"{left} or {right}")) == set(names(left)) | set(names(right))
    assert set(names(f"{left} {right}")) == set(names(left)) & set(names(right))
    assert set(names(f"-({left})")) == {card["id"] for card in CARDS} - set(names(left))


def test_an_unknown_value_gets_a_suggestion():
    for query, said in (
        ("type:wepon", ["No card has the type 'wepon'; did you mean 'weapon'?"]),
        ("class:zzz", ["No card has the class 'zzz'."]),
        ("type:weapon deck<=2 name:zzz taboo:up", []),
    ):
        assert strange_values(query, CARDS) == said


def test_taboo_with_a_number_needs_a_character_and_taboo_with_a_direction_does_not():
    assert asked_for("for:Roland taboo:8 taboo:up", ["taboo"]) == ("Roland", {"taboo": "8"})
    assert asked_for("taboo:up", ["taboo"]) == (None, {})
    for value in ("8", "lowered", "latest"):
        with pytest.raises(CardQueryError, match=r"needs for:NAME.*taboo:changed, taboo:down or taboo:up"):
            asked_for(f"taboo:{value}", ["taboo"])


def test_a_field_that_is_also_a_flag_is_listed_once():
    fields = known().partition(";")[0].removeprefix("Known fields: ").split(", ")
    assert len(fields) == len(set(fields)) > 20


def test_an_unknown_value_of_a_term_with_a_closed_list_offers_the_list():
    with pytest.raises(CardQueryError, match=r"needs for:NAME.*taboo:changed"):
        asked_for("taboo:lowered", ["taboo"])
    with pytest.raises(CardQueryError) as unknown:
        parse_query("typ:x")
    fields = str(unknown.value).partition("Known fields: ")[2].partition(";")[0].split(", ")
    assert len(fields) == len(set(fields))


def test_unknown_facts_are_neither_true_nor_false():
    known = {"id": "a", "name": "A", "type": "weapon", "traits": ["Magic"], "basic": True}
    unknown = {"id": "b", "name": "B", "type": "weapon", "traits": None, "basic": None}
    without = {"id": "c", "name": "C", "type": "weapon"}  # a card of another game, for which this fact does not exist
    cards = [known, unknown, without]

    def fitting(query):
        return [str(card["id"]) for card in cards if parse_query(query)(card)]

    assert fitting("traits:unknown") == ["b"]
    assert fitting("-trait:unknown -trait:magic") == ["c"]
    assert fitting("basic:unknown") == ["b"]
    assert unknown_among("-trait:magic is:basic", [unknown, without]) == {"basic": 1, "trait": 1}
    assert unknown_among("trait:unknown", [unknown]) == {}
