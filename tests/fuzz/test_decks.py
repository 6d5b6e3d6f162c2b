"""Decks, sheets and positions of every game, spoiled: a report or a sentence, never a traceback, and quickly."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.contract import check_text
from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.decks.table import Table
from kb.games.luxor import position as luxor
from kb.games.luxor.score import score_position
from kb.sources.sources import load_sources
from tests.conftest import ROOT
from tests.fuzz.conftest import fuzzed, quick
from tests.fuzz.hostile import as_json, spoiled, warped
from tests.fuzz.seeds import ARKHAM_JSON, ARKHAM_TEXT, ARKHAM_YAML, PATHFINDER, POSITION, SHEET


@cache
def desk() -> Callable[[str], Any]:
    """The games with the repository's own facts."""
    _content, facts = load_sources(ROOT)
    return Table(lambda game, kind: facts.records.get(game, {}).get(kind, [])).game


def judged(text: str, name: str) -> None:
    """A report that can be written as JSON, or a sentence, within the limit of time."""
    for game in ("arkham", "pathfinder", "tainted-grail"):
        desk()(game)  # facts are read once, which no input is to blame for
    with quick(text):
        try:
            found: Any = check_text(text, name, desk(), {})
        except DeckFileError as error:
            found = str(error)
    assert isinstance(found, dict) or (found.startswith(name) and len(found) < 200_000)
    assert json.dumps(found)


@fuzzed
@given(spoiled([ARKHAM_YAML, PATHFINDER, ARKHAM_YAML + PATHFINDER]))
def test_yaml(text: str) -> None:
    judged(text, "deck.yaml")


@fuzzed
@given(spoiled([ARKHAM_TEXT, PATHFINDER, "Knife\n2 Machete\n"]))
def test_text(text: str) -> None:
    judged(text, "deck.txt")


@fuzzed
@given(warped([ARKHAM_JSON, {**ARKHAM_JSON, "meta": json.dumps(ARKHAM_JSON["meta"])}]))
def test_json(value: Any) -> None:
    judged(as_json(value), "deck.json")


@fuzzed
@given(spoiled([json.dumps(ARKHAM_JSON), json.dumps(ARKHAM_JSON, indent=1)]))
def test_json_text(text: str) -> None:
    judged(text, "deck.json")


@fuzzed
@given(st.sampled_from(sorted(ARKHAM_JSON["meta"])), st.text("0123456789|,:- abx²٣\x00", max_size=40))  # type: ignore[call-overload]
def test_json_meta(key: str, text: str) -> None:
    judged(as_json({**ARKHAM_JSON, "meta": {**ARKHAM_JSON["meta"], key: text, "cus_" + text: text}}), "deck.json")  # type: ignore[dict-item]


@fuzzed
@given(spoiled([SHEET]))
def test_tainted_grail_sheet(text: str) -> None:
    judged(text, "sheet.yaml")


@fuzzed
@given(spoiled([POSITION, "set_points: {1: 4}\nplayers: [{name: Ada, vases: 1, jewelry: 1, statues: 1, looted: 9}]\n"]))
def test_luxor_position(text: str) -> None:
    with quick(text), contextlib.suppress(DeckFileError):
        score_position(luxor.read_position(parse_deck(text, "luxor.yaml")))


MANY = {f"{number:05}": 2 for number in range(40_000)}


@pytest.mark.parametrize(
    "change",
    [
        {"slots": {"01016": 10**9, "01086": 10**30, "02186": 10**9}}, {"slots": {"01016": -(10**30)}}, {"xp": "--5"}, {"xp": "9" * 5000},
        {"taboo_id": 10**30}, {"slots": MANY}, {"meta": {"extra_deck": "90025," * 100_000}}, {"exile_string": "01016," * 100_000},
        {"meta": {f"cus_{number:05}": "0|1" for number in range(20_000)}}, {"meta": {"cus_09021": "0|1," * 100_000}},
        {"meta": {"sealed_deck": "01016:" + "9" * 5000}}, {"meta": {"card_pool": "core," * 100_000}}, {"name": "\ud800"},
        {"meta": {"attachments_09077": "01016," * 100_000}}, {"meta": "[" * 100_000}, {"sideSlots": MANY}, {"ignoreDeckLimitSlots": MANY},
        {"meta": {"a\ud800": "\ud800", "cus_09021": "0|1|\ud800"}}, {"xp_adjustment": 10**400}, {"meta": {"deck_size_selected": "9" * 5000}},
    ],
)  # fmt: skip
def test_large_decks_take_no_time(change: dict[str, Any]) -> None:
    desk()("arkham")
    judged(as_json({**ARKHAM_JSON, **change}), "deck.json")


@pytest.mark.parametrize(
    "text",
    [
        '{"slots": {' + ", ".join(f'"k{n}": 1' for n in range(80_000)) + "}}",
        "{" + ", ".join(f'"k{n}": 1' for n in range(80_000)) + "}",
        "{" + ", ".join('"k": 1' for _ in range(80_000)) + "}",
        "game: mm\ncharacter: Estra\ncards:\n" + "- Dagger x99\n" * 40_000,
        "game: mm\ncharacter: Estra\ncards:\n" + "".join(f"- Card {n}\n" for n in range(40_000)),
        "game: arkham\ninvestigator: Roland Banks\ncards:\n" + "".join(f"  Card {n}: 2\n" for n in range(24_000)),
        "game: arkham\ninvestigator: Roland Banks\ncards:\n  Knife: 999999999999\n  Machete: 1" + "0" * 4000 + "\n",
        "Investigator: Daisy Walker\n" + "".join(f"2x Card {n}\n" for n in range(60_000)),
        "Investigator: Daisy Walker\n999999999999x Knife\n" + "9" * 5000 + "x Knife\n",
        "a: " + "[" * 900_000, "- " * 400_000, "{" * 900_000, '{"a":' * 150_000, '"' * 900_000, ": " * 400_000, "x" * 900_000, "\n" * 900_000,
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(1000)), "# " * 400_000 + "\nx", "(" * 900_000, "x2 " * 300_000,
    ],
    ids=str.__len__,
)  # fmt: skip
def test_large_texts_take_no_time(text: str) -> None:
    desk()("arkham"), desk()("pathfinder")
    for name in ("deck.yaml", "deck.txt", "deck.json"):
        judged(text, name)
