"""`kb deck new` begins a legal deck for every investigator of the data."""

import pytest

from kb.decks.deckfile import parse_deck
from kb.games.arkham.decks import adapter
from kb.games.arkham.decks.adapter import starting_deck
from kb.games.arkham.decks.frame import EDITIONS
from tests.games.arkham.decks.conftest import FACTS

WHO = [card for code in FACTS.codes() if (card := FACTS.card(code)) and card.build]


@pytest.mark.parametrize("rules", EDITIONS)
def test_every_investigator_has_a_legal_deck(rules):
    found = {card.label: starting_deck(card, FACTS, rules)[1] for card in WHO}
    assert len(found) > 90
    assert {label: wrong for label, wrong in found.items() if wrong} == {}


def test_the_file_that_is_written_is_legal():
    for card in WHO[::12]:
        text = adapter.new_deck(card.code, None, FACTS)
        report = adapter.check(parse_deck(text, "new.yaml"), FACTS, {"start": True})
        assert report.legal, (card.label, report.findings)
