"""Several decks in one JSON file."""

from __future__ import annotations

import io
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.bundles import decks_in, standard_input
from kb.decks.nodes import DeckFileError

DECK = {"investigator_code": "01001", "slots": {"01016": 1}, "name": "Own"}


def test_a_list_of_decks_is_several_decks() -> None:
    first, second = decks_in(json.dumps([DECK, {**DECK, "name": "Other"}]), "day.json")
    assert (first.name, second.name) == ("day.json[1]", "day.json[2]")
    assert second.value()["name"] == "Other"


@pytest.mark.parametrize(
    "wrapped",
    [
        {"deck": DECK},
        {"data": DECK},
        {"decks": [DECK]},
        {"data": {"decks": [DECK]}},
        [DECK],
        [{"deck": DECK}],
        [[DECK]],
        {"deck": DECK, "success": True},
        {"version": 2, "data": {"decks": {"7": DECK}, "folders": {}}},
    ],
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


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> list[tuple[str, object]]:
    """What is read of standard input: the name of each deck, and its own name (or what is wrong)."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return [
        (found.file, str(found)) if isinstance(found, DeckFileError) else (found.name, found.value().get("name"))
        for found in standard_input()
    ]


def test_lists_and_wrappers_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**DECK, "name": "Other"}
    assert piped(monkeypatch, json.dumps([DECK, other], indent=2)) == [("-[1]", "Own"), ("-[2]", "Other")]
    assert piped(monkeypatch, json.dumps({"data": {"decks": [DECK, other]}}, indent=2))[1] == ("-[2]", "Other")
    lines = [json.dumps(value) for value in (DECK, [DECK, other], {"deck": other}, [[1]])]
    named = piped(monkeypatch, "\n".join(lines) + "\n\n")
    assert named[:4] == [("-:1", "Own"), ("-:2[1]", "Own"), ("-:2[2]", "Other"), ("-:3", "Other")]
    assert "holds a list" in str(named[4][1])
    begun_with_a_list = piped(monkeypatch, "\n".join(lines[1:]))
    assert begun_with_a_list[:3] == [("-:1[1]", "Own"), ("-:1[2]", "Other"), ("-:2", "Other")]
    assert "is empty" in str(piped(monkeypatch, "")[0][1])


@given(st.recursive(st.none() | st.integers() | st.text() | st.just(DECK), lambda below: st.lists(below) | st.dictionaries(
    st.sampled_from(["deck", "decks", "data", "slots", "x"]), below)))  # fmt: skip
def test_whatever_json_there_is(value: object) -> None:
    with suppress(DeckFileError):
        assert all(isinstance(deck.value(), dict) for deck in decks_in(json.dumps(value), "-"))
