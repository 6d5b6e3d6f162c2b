"""`for:NAME` in a query for cards finds the cards that a character may have. `is:upgrade` finds better cards than those
in the deck.
"""

import pytest

from kb.retrieval.cards import CardQueryError, asked_for, parse_query

ROLAND = "game: arkham\ninvestigator: Roland Banks\ncards: {Beat Cop: 2, Machete: 2}\n"
KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\nadventure: 4\nstage: rebuilt\ncards: [2x Mace, Cure]\n"


@pytest.fixture
def cards(kb, real):
    def ask(query):
        done = kb("cards {} --json --limit 5000", query)
        assert done.code in (0, 1), done
        return done.json

    return ask


def names(found):
    return {card["name"] for card in found["cards"]}


def test_the_box_opens_with_the_third_adventure(cards):
    early, late = cards("for:Lini adventure:2"), cards("for:Lini adventure:3")
    assert all(card["basic"] is not False or card["owner"] == "Lini" for card in early["cards"])
    assert names(early) < names(late)
    assert {card["deck"] for card in late["cards"] if card["basic"] is False} <= {"B", "C", "P", "1"}
    assert "Enfeeble" in names(late) - names(early)
    assert {card["set"] for card in late["cards"]} == {"rotr"}
    armors = cards("for:Lini adventure:3 type:armor")  # her Cards List has 0 armors, and a card feat box for one
    assert armors["unknown"]["for"] == armors["total"] > 0
    assert "Only with card feats: weapons, armors." in late["notes"][0]
    assert cards("for:Seoni adventure:3 type:armor")["total"] == 0  # Seoni's Cards List has no such box
    assert "pathfinder/rotr/cards-from-the-box" in late["notes"][0]


def test_upgrades_have_a_higher_number_than_the_deck(cards, tmp_path):
    assert {card["deck"] for card in cards("for:Lini adventure:5 is:upgrade")["cards"]} <= {"1", "2", "3"}
    deck = tmp_path / "kyra.yaml"
    deck.write_text(KYRA)
    found = cards(f"for:{deck} is:upgrade")
    assert {card["type"] for card in found["cards"]} == {
        "weapon",
        "spell",
    }  # the file contains no other types, so only these are compared
    assert {card["deck"] for card in found["cards"]} == {"1", "2"}


def test_loot_is_unknown_if_the_rulebook_contradicts_itself(cards):
    found = cards("for:Ezren set:mm adventure:5 is:loot")
    assert found["unknown"]["for"] == found["total"] > 0


def test_for_an_investigator_finds_the_cards_that_the_options_allow(cards):
    found = cards("for:Roland")
    classes = {name for card in found["cards"] for name in card.get("class", ())}
    assert {"guardian", "seeker", "neutral"} <= classes
    assert all(card["level"] <= 2 for card in found["cards"] if card.get("class") == ["seeker"] and "level" in card)
    assert "Beat Cop" in names(found)
    assert "Shrivelling" not in names(found)
    assert "for" not in found["unknown"]


@pytest.mark.extended
def test_cards_that_depend_on_an_open_choice_are_unknown(cards):
    query = 'for:"Mandy Thompson" class:mystic'
    still, made, other = cards(query), cards(f"{query} choice:mystic"), cards(f"{query} choice:rogue -class:rogue")
    assert still["unknown"]["for"] > 0
    assert "for" not in made["unknown"]
    assert names(other) < names(made) <= names(still)


def test_upgrades_of_an_arkham_deck(cards, tmp_path):
    deck = tmp_path / "roland.yaml"
    deck.write_text(ROLAND)
    found = cards(f"for:{deck} is:upgrade")
    assert {(card["name"], card["level"]) for card in found["cards"]} == {("Beat Cop", 2)}


def test_the_query_language_works_with_any_game():
    class Odd:
        def may_have(self, record):
            return None if record["id"] == "3" else record["id"] != "2"

        def better(self, record):
            return bool(record["id"] == "1")

    rows = [{"id": str(number), "name": "x"} for number in (1, 2, 3)]
    fits = parse_query("for:Ann stage:2", Odd(), {"stage"})
    assert [row["id"] for row in rows if fits(row)] == ["1", "3"]
    fits = parse_query("-for:Ann or is:upgrade", Odd(), {"stage"})
    assert [row["id"] for row in rows if fits(row)] == ["1", "2"]
    assert asked_for("for:Ann stage:2 x", {"stage"}) == ("Ann", {"stage": "2"})
    assert asked_for("name:for x", {"stage"}) == (None, {})
    with pytest.raises(CardQueryError, match="kb cannot tell here"):
        parse_query("for:Ann")
