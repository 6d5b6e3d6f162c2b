"""Arkham Horror cards, investigators and owned copies that a player imports from a list."""

import pytest

from kb.decks.deckfile import parse_deck
from kb.games.arkham import own_cards
from kb.games.arkham.decks.deck_rules import check, load_facts
from kb.games.arkham.decks.starting_deck import new_deck
from kb.games.arkham.party import collection
from tests.games.arkham.decks.conftest import RECORDS
from tests.tables import data, rows_of

INDEX = own_cards.index(RECORDS)
LAMP = {"code": "my-01", "name": "Zorblax Lamp", "type": "asset", "class": ["seeker"], "level": 0, "copies": 2}
ADA = data("games-arkham-own-cards", "ADA")
LENS = data("games-arkham-own-cards", "LENS")


def facts(*rows):
    found = {}
    for row in rows:
        for kind, record in own_cards.records(row, INDEX, strict=True):
            found.setdefault(kind, []).append({**record, "list": "mine", "own": "Mine"})
    return load_facts(lambda kind: found.get(kind, []) if kind.startswith("own:") else RECORDS[kind])


def messages(with_facts, text, **agreement):
    report = check(parse_deck(text, "deck"), with_facts, agreement)
    return "\n".join([*(finding.message for finding in report.findings), *report.details.get("not_checked", [])])


def test_a_deck_may_contain_an_own_card_by_code_or_name():
    for card in ("my-01", "Zorblax Lamp", "Zorblax Lamp (my-01)"):
        said = messages(facts(LAMP), f"game: arkham\ninvestigator: Daisy Walker\ncards: {{'{card}': 2}}\n")
        assert "No rule in kb covers fan-made cards" in said
        assert "None of the deckbuilding options" not in said
    assert "None of the deckbuilding options" in messages(
        facts(LAMP), "game: arkham\ninvestigator: Wendy Adams\ncards: {my-01: 2}\n"
    )
    deck = '{"investigator_code": "01002", "slots": {"my-01": 3}}'
    assert "Zorblax Lamp" in messages(facts(LAMP), deck)
    assert "No card has the code" in messages(facts(), deck)


def test_an_own_investigator_builds_decks():
    given = facts(ADA, LENS, LAMP)
    assert '"fan-02": 1  # Ada\'s Lens' in str(new_deck("Ada Zorblax", None, given))
    said = messages(given, '{"investigator_code": "fan-01", "slots": {"my-01": 2, "01020": 1}}')
    assert "None of the deckbuilding options of Ada Zorblax [fan-01] allows Machete" in said
    assert "Ada's Lens" in said


def test_a_list_imported_by_kb_0_1_has_other_keys():
    row = {
        "code": "my-05",
        "name": "Replacement",
        "type": "asset",
        "class": ["seeker"],
        "set": "replacement",
        "fast": True,
    }
    ((_kind, record),) = own_cards.records(row, INDEX, strict=False)
    assert (record["signature_set"], record["keywords"]) == ("replacement", ["fast"])


def test_owned_copies_count_in_checks_and_pull_lists():
    given = facts({"code": "01020", "copies": 1}, LAMP)
    deck = "game: arkham\ninvestigator: Roland Banks\ncards: {'01020': 2, my-01: 2}\n"
    assert "the products owned contain 1" in messages(given, deck, owned=["core"])
    assert "Zorblax Lamp" not in messages(given, deck, owned=["core"]).split("the products owned contain")[0]
    stock = {card.name: card.stock for card in collection([parse_deck(deck, "deck")], given, ()).cards}
    assert stock["Zorblax Lamp [my-01]"] == {"Your own cards": 2}
    more = facts({"code": "01020", "copies": 7})
    (machete,) = collection(
        [parse_deck("game: arkham\ninvestigator: Roland Banks\ncards: {'01020': 2}\n", "deck")], more, ()
    ).cards[:1]
    assert (stock["Machete [01020]"]["Core Set"], machete.stock["Core Set"]) == (1, 7)


@rows_of("games-arkham-own-cards", "test_what_is_wrong_is_said")
def test_what_is_wrong_is_said(row, said):
    with pytest.raises(ValueError, match=said):
        own_cards.records(row, INDEX, strict=True)
