"""Class Decks, promotional cards and owned copies that a player imports: kb judges them by the rules in our entries."""

import copy
import functools

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.party import pull
from kb.games.pathfinder import own_cards
from kb.games.pathfinder.decks.deck_check import check_deck, load_facts, new_deck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.party.decks_together import collection
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table_file import read_table
from tests.tables import data, rows_of

from .decks.conftest import RECORDS

INDEX = own_cards.index(RECORDS)
STAFF = {"name": "Zorblax Staff", "type": "weapon", "deck": "B", "class_deck": "Cleric", "basic": True}
KYRA = "Mace, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods"


def facts(*rows):
    """Return the card facts of Pathfinder with `rows` of a player's list added."""
    found = dict(RECORDS)
    for row in rows:
        for kind, record in own_cards.records(row, INDEX, strict=True):
            found[kind] = [*found.get(kind, []), {**record, "list": "mine", "own": "Mine"}]
    return load_facts(lambda kind: found.get(kind, []))


def check(with_facts, cards, **said):
    given = {"set": "rotr", "character": "Kyra", **said}
    text = "".join(f"{key}: {value}\n" for key, value in given.items()) + f"game: pathfinder\ncards: [{cards}]\n"
    return check_deck(read_deck(parse_deck(text, "deck"), with_facts), with_facts, "deck")


def found(report):
    return {finding.check.id: finding.message for finding in report.findings}


def test_a_class_deck_is_used_with_every_set():
    for set_id, character in (("rotr", "Kyra"), ("mm", "Estra")):
        report = check(facts(STAFF), "Zorblax Staff", set=set_id, character=character)
        assert "known-cards" not in found(report)
        assert report.details["not_checked"] == ["Zorblax Staff: taken from your own card data (Mine)."]
    assert "class-decks-are-newer" in found(check(facts(STAFF), f"{KYRA}, 3x Cure, Zorblax Staff"))
    assert found(check(facts(STAFF), f"{KYRA}, 3x Cure, Zorblax Staff")).keys() == {"class-decks-are-newer"}


def test_types_are_read_in_any_case():
    ((_, record),) = own_cards.records({**STAFF, "type": "Weapon", "deck": "b"}, INDEX, strict=True)
    assert (record["type"], record["deck"]) == ("weapon", "B")
    with pytest.raises(own_cards.OwnCardError, match="did you mean weapon"):
        own_cards.records({**STAFF, "type": "wepon"}, INDEX, strict=True)


def test_a_class_deck_printing_adds_its_copies():
    more = facts({"name": "Cure", "type": "spell", "deck": "B", "class_deck": "Cleric", "basic": True, "copies": 2})
    plain = facts()
    assert "the box has 5" in found(check(plain, "8x Cure"))["copies-in-the-box"]
    assert "the box has 7" in found(check(more, "8x Cure"))["copies-in-the-box"]
    assert "copies-in-the-box" not in found(check(more, "7x Cure"))
    assert "the box has 3" in found(check(more, "8x Cure", owns="[base]"))["copies-in-the-box"]
    assert "the box has 5" in found(check(more, "8x Cure", owns="[base, class decks]"))["copies-in-the-box"]


def test_own_rows_fill_unknown_facts_but_do_not_replace_known_ones():
    unknown = next(
        card for card in RECORDS["card"] if card["set"] == "rotr" and card["deck"] == "P" and card["basic"] is None
    )
    row = {"name": unknown["name"], "set": "rotr", "traits": ["Basic", "Odd"]}
    card = facts(row).card("rotr", unknown["name"])
    assert (card.basic, card.traits, card.own) == (True, ("Basic", "Odd"), "")
    with pytest.raises(ValueError, match=r"`deck` of Dagger is B according to kb's facts, not 4"):
        own_cards.records({"name": "Dagger", "set": "rotr", "deck": "4"}, INDEX, strict=True)
    assert own_cards.records({"name": "Dagger", "set": "rotr", "deck": "4"}, INDEX, strict=False) == []
    with pytest.raises(ValueError, match="is in several sets; write mm or rotr in `set`"):
        own_cards.records({"name": "Cure", "copies": 1}, INDEX, strict=True)


def test_owned_copies_count_instead_of_the_products():
    fewer, more = (
        facts({"name": "Cure", "set": "rotr", "copies": 2}),
        facts({"name": "Cure", "set": "rotr", "copies": 9}),
    )
    assert "the box has 2" in found(check(fewer, "3x Cure"))["copies-in-the-box"]
    assert "copies-in-the-box" not in found(check(more, "9x Cure"))
    assert "the box has 3" in found(check(more, "9x Cure", owns="[base]"))["copies-in-the-box"]
    uncounted = next(
        card["name"]
        for card in RECORDS["card"]
        if card["set"] == "mm" and None in card["copies"].values() and card["basic"]
    )
    counted = facts({"name": uncounted, "set": "mm", "copies": 1})
    assert "the box has 1" in found(check(counted, f"2x {uncounted}", set="mm", character="Ezren"))["copies-in-the-box"]


def table(with_facts, text):
    return read_table(parse_deck(text, "table"), with_facts).table


def test_a_rebuild_takes_no_more_than_is_owned_and_offers_class_decks():
    said = "game: pathfinder\nset: rotr\nadventure: 1\nowns: [base, add-on, 1, class decks]\nmembers:\n  Kyra:\n    pool: [{}]\n"
    text = said.format("3x Cure, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods, Quarterstaff")
    for rows, there in (((STAFF,), True), ((), False)):
        given = facts(*rows)
        offered = rebuild_party(table(given, text), given, False).members["Kyra"].eligible["weapon"]
        assert ("Zorblax Staff" in [card.name for card in offered]) == there
    none = facts({"name": "Mace", "set": "rotr", "copies": 0})
    assert "Mace" not in [
        card.name for card in rebuild_party(table(none, text), none, False).members["Kyra"].eligible["weapon"]
    ]


def test_the_pull_list_shows_where_own_cards_are():
    given = facts(
        {**STAFF, "copies": 1},
        {"name": "Cure", "set": "rotr", "copies": 6},
        {"name": "Mace", "set": "rotr", "copies": 0},
    )
    deck = parse_deck(
        f"game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [{KYRA}, 6x Cure, 2x Zorblax Staff]\n", "deck"
    )
    taken = pull(collection([deck], given, ()))
    copies = {(product, take.card.name): take.copies for product, takes in taken.products.items() for take in takes}
    assert copies["Cleric Class Deck", "Zorblax Staff"] == copies["Your collection", "Cure"] == 1
    assert {take.card.name: take.copies for take in taken.missing} == {"Mace": 1, "Zorblax Staff": 1}


PRIEST = data("games-pathfinder-own-cards", "PRIEST")
PRIESTS_DECK = (
    "2x Mace, 3x Cure, Guidance, Sanctuary, Chain Mail, Wooden Shield, Holy Water, Guard, 4x Blessing of the Gods"
)


def test_a_character_of_a_class_deck_is_judged_by_its_own_cards_list():
    given = facts(PRIEST)
    legal = check(given, PRIESTS_DECK, character="Zorblax Priest")
    assert found(legal).keys() == {"class-decks-are-newer"}
    assert any("Zorblax Priest: taken from your own data" in each for each in legal.details["not_checked"])
    short = check(given, PRIESTS_DECK.replace("2x Mace", "Mace"), character="Zorblax Priest")
    assert "requires 2 weapons" in found(short)["cards-list"]
    later = {"character": "Zorblax Priest", "stage": "rebuilt", "adventure": "1", "role": "Three"}
    assert "Three is not a role" in str(check(given, PRIESTS_DECK, **later).findings)
    assert "has no boxes" not in str(check(given, PRIESTS_DECK, **later, card_feats="{weapon: 2}").findings)
    assert "has 2 weapon boxes, but 3" in str(check(given, PRIESTS_DECK, **later, card_feats="{weapon: 3}").findings)
    assert "has 1 box for Dexterity" in str(check(given, PRIESTS_DECK, **later, skill_feats="{Dexterity: 2}").findings)
    assert (
        "Class Deck, which is not among the products owned"
        in found(check(given, PRIESTS_DECK, character="Zorblax Priest", owns="[base]"))["owned-products"]
    )
    assert "  - 2x Mace" in new_deck("Zorblax Priest", "rotr", given)
    assert "# 2 weapons, 5 spells, 2 armors, 1 item, 1 ally, 4 blessings\n" in new_deck(
        "Zorblax Priest", "mm", facts({**PRIEST, "deck_list": []})
    )


def test_cards_that_a_character_must_hold_may_be_written_in_any_way():
    given = facts({**PRIEST, "must_hold": ["holy water", "Codex"]})
    assert given.characters["rotr", "zorblaxpriest"].must_hold == ("Holy Water", "Codex")
    message = found(check(given, PRIESTS_DECK, character="Zorblax Priest"))["cards-that-must-be-held"]
    assert message == "Zorblax Priest must have Codex, but it is not in the deck."


@rows_of("games-pathfinder-own-cards", "test_what_is_wrong_with_a_character_is_a_sentence")
def test_what_is_wrong_with_a_character_is_a_sentence(change, said):
    row = copy.deepcopy(PRIEST)
    for path, value in change.items():
        *above, key = path.split(".")
        functools.reduce(dict.__getitem__, above, row)[key] = value
    with pytest.raises(ValueError, match=said):
        own_cards.records({name: value for name, value in row.items() if value}, INDEX, strict=True)
    with pytest.raises(ValueError, match="is only allowed in a row of type `character`"):
        own_cards.records({**STAFF, "hand_size": 3}, INDEX, strict=True)
