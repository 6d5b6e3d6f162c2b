"""Findings about parties that are impossible: each names its line, and kb does not guess."""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.party.table_check import REFUSED_MOVES, check_party
from tests.tables import rows_of

from ..decks.conftest import FACTS
from .conftest import findings, read, rebuilt

HEAD = "game: pathfinder\nset: rotr\nadventure: 1\n"


def said(text):
    return [(each.finding.check.id, each.finding.severity, each.line) for each in findings(text)]


def test_an_unknown_card_name_stops_the_rebuild():
    text = HEAD + "members:\n  Kyra:\n    pool:\n    - Mace\n    - Cuer\nrewards: [Foo]\n"
    assert said(text) == [("known-cards", "error", 8), ("known-cards", "error", 9)]
    assert "Did you mean Cure" in findings(text)[0].finding.message


def test_cards_of_another_set_and_of_adventures_to_come():
    text = HEAD + "members:\n  Kyra:\n    pool:\n    - Acid Flask\n    - Major Cure\n"
    assert {(check, line) for check, _, line in said(text)} == {("cards-of-another-set", 7), ("adventure-has-begun", 8)}


def test_a_character_of_an_unowned_product_is_reported_once():
    text = HEAD + "owns: [base, 1]\nmembers:\n  Lini: {pool: [Cure]}\n  Kyra: {pool: [Mace]}\nrewards: [Dagger]\n"
    assert [(each.finding.check.id, each.finding.who, each.finding.cards) for each in findings(text)] == [
        ("owned-products", "Lini", ())
    ]
    assert not findings(text.replace("[base, 1]", "[base, add-on, 1]"))


def test_more_copies_of_loot_than_given_are_reported():
    head = HEAD + "after_scenario: 5\nmembers:\n"
    medallion = "{pool: [Sihedron Medallion]}"
    twice = said(f"{head}  Kyra: {medallion}\n  Lem: {medallion}\n")
    assert ("loot-is-earned", "error") in {(check, severity) for check, severity, _line in twice}
    assert "loot-is-earned" not in {check for check, _, _ in said(f"{head}  Kyra: {medallion}\n")}


@pytest.mark.parametrize(
    ("kyra", "refused", "severity", "message"),
    [
        ("[2x Mace, Quarterstaff]", "", None, ""),
        ("[2x Mace, Quarterstaff]", "Sling", "note", "no wish is lost, and the box gives no more cards"),
        ("[Mace]\n    wishes: [Augury]", "Augury", "note", "cost 1 wish (Kyra: Augury)"),
        ("[2x Mace, Quarterstaff]", "Mace, Quarterstaff", "error", "be filled from the box"),
    ],
)
def test_what_a_refusal_costs(kyra, refused, severity, message):
    ezren = f"  Ezren: [Augury, 7x Force Missile]\nrefuses: {{Ezren: [{refused}]}}\n"
    found = [each.finding for each in findings(HEAD + f"members:\n  Kyra:\n    pool: {kyra}\n" + ezren)]
    told = [(each.severity, each.message) for each in found if each.by(REFUSED_MOVES)]
    assert [each for each, _ in told] == ([severity] if severity else [])
    assert all(message in words for _, words in told)


def test_a_card_described_in_another_list_can_be_refused():
    own = (
        "refuses: {Ezren: Odd Club}\nrewards: [{name: Odd Club, type: weapon, deck: B, basic: true, class_deck: Odd}]\n"
    )
    text = HEAD + "members: {Kyra: [Mace, Quarterstaff], Ezren: [Sleep]}\n" + own
    assert [each.finding.check.id for each in findings(text)] == ["refused-moves"]
    assert [each.finding.check.id for each in findings(text.replace("Odd Club", "Mace"))] == ["refused-moves"]
    moves = rebuilt(text.replace("Odd Club", "Mace"))[1].moves
    assert [move.card.name for move in moves if move.to == "Ezren"] == ["Quarterstaff"]


def test_a_party_that_is_too_large():
    names = ("Kyra", "Lem", "Ezren", "Valeros", "Harsk", "Seoni", "Merisiel")
    members = "".join(f"  {name}: {{pool: [Dagger]}}\n" for name in names)
    assert ("decks-at-once", "error", 0) in said(HEAD + "members:\n" + members)
    five = "".join(f"  {name}: {{pool: [Dagger]}}\n" for name in names[:5])
    assert ("decks-at-once", "warning", 0) in said(HEAD + "members:\n" + five)
    assert ("decks-at-once", "error", 0) in said(HEAD + "owns: [base, 1]\nmembers:\n" + five)
    six = "".join(f"  {name}: {{pool: [Dagger]}}\n" for name in names[:6])
    assert ("decks-at-once", "warning", 0) in said(HEAD + "members:\n" + six)
    add_on = said(HEAD + "owns: [base, add-on, 1]\nmembers:\n" + five)
    assert "decks-at-once" not in {check for check, _, _ in add_on}


@rows_of("games-pathfinder-party-findings", "test_what_is_wrong_with_the_file_is_named_with_its_line")
def test_what_is_wrong_with_the_file_is_named_with_its_line(text, line, message):
    with pytest.raises(DeckFileError) as error:
        read(text)
    assert any(each.line == line and message in each.message for each in error.value.problems), error.value.problems
    assert len({(each.line, each.message) for each in error.value.problems}) == len(error.value.problems)


# ---- several deck files

DECK = "game: pathfinder\nset: {set}\ncharacter: {who}\nadventure: 1\nstage: rebuilt\n{more}cards: [{cards}]\n"


def together(*decks):
    read_decks = [
        read_deck(parse_deck(DECK.format(set="rotr", who=who, cards=cards, more=more), "deck"), FACTS)
        for who, cards, more in decks
    ]
    return {finding.check.id: finding.severity for finding in check_party(read_decks, FACTS)}


def test_copies_over_all_decks():
    assert together(("Kyra", "3x Cure", ""), ("Lem", "3x Cure", "")) == {"copies-in-the-box": "error"}
    assert together(("Kyra", "3x Cure", ""), ("Lem", "2x Cure", "")) == {}
    assert together(("Kyra", "3x Cure", "owns: [base]\n"), ("Lem", "Cure", "owns: [base]\n")) != {}


def test_cards_come_from_the_box_only_if_the_party_lacks_them():
    took = ("Kyra", "Cure", "from_box: [Cure]\n")
    assert together(took, ("Lem", "Mace", "left_over: [Sleep]\n")) == {"box-fills-holes-only": "error"}
    assert together(took, ("Lem", "Mace", "left_over: [Guard]\n")) == {}
    assert together(took, ("Lem", "Mace", "had: [Mace, Sleep]\n")) == {"box-fills-holes-only": "error"}
    assert together(took, ("Lem", "Mace", "had: [Mace, Sleep]\ngave: [Sleep]\n")) == {
        "what-is-given-is-received": "warning"
    }


def test_one_received_copy_does_not_stand_for_two_given_copies():
    def gave(who):
        return who, "Mace", "had: [Mace, Sleep]\ngave: [Sleep]\n"

    def received(*cards):
        return "Lem", ", ".join(("Sling", *cards)), f"had: [Sling]\nreceived: [{', '.join(cards)}]\n"

    two = gave("Kyra"), gave("Ezren")
    assert together(*two, received("Sleep", "Sleep")) == {}
    assert together(*two, received("Sleep")) == {"what-is-given-is-received": "warning"}


def test_a_card_that_counts_as_another_type_is_used_before_the_box():
    nine = "Compass, Magnifying Glass, 2x Noxious Bomb, 2x Bladeguard, Crowbar, Fire Ward Gel, Antitoxin"
    simoun = (
        "game: pathfinder\nset: mm\ncharacter: Simoun\nstage: rebuilt\nadventure: 1\ncards: [Kopis]\nleft_over: [{}]\n"
    )
    mavaro = f"game: pathfinder\nset: mm\ncharacter: Mavaro\nstage: rebuilt\nadventure: 1\ncards: [{nine}]\nfrom_box: [Antitoxin]\n"
    for left, found in (("Shotel", ["box-fills-holes-only"]), ("Camel", [])):
        decks = [read_deck(parse_deck(text, "deck.yaml"), FACTS) for text in (mavaro, simoun.format(left))]
        assert [finding.check.id for finding in check_party(decks, FACTS)] == found


def test_one_character_one_player_one_box_one_adventure():
    assert together(("Kyra", "Mace", ""), ("Kyra", "Mace", "")) == {"one-deck-a-character": "error"}
    decks = [
        read_deck(parse_deck(DECK.format(set=set_id, who=who, cards=card, more=""), "deck"), FACTS)
        for set_id, who, card in (("rotr", "Kyra", "Mace"), ("mm", "Yoon", "Torch"))
    ]
    assert [each.check.id for each in check_party(decks, FACTS)] == ["one-box"]
    text = DECK.format(set="rotr", who="Lem", cards="Sling", more="").replace("adventure: 1", "adventure: 2")
    later = read_deck(parse_deck(text, "deck"), FACTS)
    assert [each.check.id for each in check_party([decks[0], later], FACTS)] == ["one-adventure"]


def test_a_table_as_json_and_with_plain_lists():
    assert (
        read('{"game": "pathfinder", "set": "rotr", "adventure": 1, "members": {"Kyra": {"pool": ["2x Cure"]}}}')
        .table.held()
        .total()
        == 2
    )
    assert read(HEAD + "members:\n  Kyra: [2x Cure, Mace]\n  Lini:\n").table.members[1].newcomer
