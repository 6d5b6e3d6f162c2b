"""Several decks in one JSON file."""

from __future__ import annotations

import json

import pytest

from kb.decks.bundles import decks_in
from kb.decks.nodes import DeckFileError

DECK = {"investigator_code": "01001", "slots": {"01016": 1}, "name": "Own"}


def test_a_list_of_decks_is_several_decks() -> None:
    first, second = decks_in(json.dumps([DECK, {**DECK, "name": "Other"}]), "day.json")
    assert (first.name, second.name) == ("day.json[1]", "day.json[2]")
    assert second.value()["name"] == "Other"


@pytest.mark.parametrize(
    "wrapped", [{"deck": DECK}, {"data": DECK}, {"decks": [DECK]}, {"data": {"decks": [DECK]}}, [DECK]]
)
def test_a_wrapper_is_opened(wrapped: object) -> None:
    (deck,) = decks_in(json.dumps(wrapped), "deck.json")
    assert (deck.name, deck.value()) == ("deck.json", DECK)


def test_another_file_is_read_as_ever() -> None:
    (deck,) = decks_in("game: arkham\ninvestigator: Roland Banks\n", "deck.yaml")
    assert (deck.name, deck.format) == ("deck.yaml", "yaml")
    with pytest.raises(DeckFileError):
        list(decks_in("[1, 2]", "deck.json"))
    with pytest.raises(DeckFileError):
        list(decks_in("[" * 9999, "deck.json"))
