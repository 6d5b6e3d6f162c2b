"""Inputs of a megabyte, and numbers with thousands of digits: kb gives a report or an error message within seconds,
without a traceback.
"""

import contextlib
import json
import sys
from functools import cache

import pytest

from kb.api.session import Session
from kb.citation import Citations
from kb.decks.contract import check_file
from kb.decks.games import DeckRules
from kb.decks.nodes import DeckFileError
from kb.decks.reading import deck_in
from kb.retrieval.cards import CardQueryError, parse_query
from kb.sources.content import load_sources
from tests.conftest import ROOT

ARKHAM_JSON = json.loads((ROOT / "tests/data/fuzz/decks/arkham-object.json").read_text("utf-8"))


@cache
def rules_of():
    """Return a function that returns a game's deck rules with the repository's card facts."""
    _content, facts = load_sources(ROOT)
    return DeckRules(lambda game, kind: facts.records.get(game, {}).get(kind, [])).game


def judged(text, name):
    """Check the deck in `text`, in a file called `name`. Fails unless kb returns a report that can be written as JSON,
    or an error message.
    """
    try:
        found = check_file(deck_in(text, name), rules_of(), {}).as_json(Citations())
    except DeckFileError as error:
        found = str(error)
    assert isinstance(found, dict) or (found.startswith(name) and len(found) < 200_000)
    assert json.dumps(found)


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
def test_large_decks(change):
    sys.set_int_max_str_digits(0)  # otherwise Python refuses to print such large numbers
    try:
        text = json.dumps({**ARKHAM_JSON, **change})
    finally:
        sys.set_int_max_str_digits(4300)
    judged(text, "deck.json")


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
def test_large_texts(text):
    for name in ("deck.yaml", "deck.txt", "deck.json"):
        judged(text, name)


@pytest.mark.parametrize(
    "text",
    ["(" * 200_000, "-" * 200_000, "a " * 100_000, '"' * 100_000, "x" * 1_000_000, "name:" * 100_000],
)
def test_long_questions_and_queries(text, real):
    with Session(own=False) as session:
        session.search(text)
    with contextlib.suppress(CardQueryError):
        parse_query(text)
