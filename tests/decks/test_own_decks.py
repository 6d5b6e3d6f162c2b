"""Decks of our own for every check of every game. The first line of a deck names what the checks find:

    # finds: ["copies-by-title"]
    # options: {"environment": "current"}      (if the deck is judged in a frame)

They are made for these tests, so that a plain clone sees each check both ways: decks in which it finds a problem, and
the others, in which it finds none.
"""

import json
import re

import pytest

from kb.decks.contract import check_file
from kb.decks.deckfile import parse_deck
from kb.decks.games import DeckRules, decks_of, with_decks
from kb.registry import games
from tests.conftest import ROOT

DECKS = ROOT / "tests" / "data" / "decks"
PATHS = sorted(DECKS.glob("*/*"))
# The decks of a party, and steps between two scenarios, have separate tests.
OTHERS = ("upgrade", "party")
OF_SEVERAL = {"one-box", "one-adventure", "what-is-given-is-received"}


def told(path, key):
    text = path.read_text("utf-8")
    if path.suffix == ".json":  # JSON has no comments
        return json.loads(text).get(key)
    found = re.search(rf"^# {key}: (.*)$", text, re.M)
    return json.loads(found[1]) if found else None


@pytest.fixture
def rules_of(real):
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        yield DeckRules(catalog.records).game


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_deck_of_our_own(path, rules_of):
    file = parse_deck(path.read_text("utf-8"), path.name)
    report = check_file(file, rules_of, told(path, "options") or {})
    assert sorted({finding.check.id for finding in report.findings}) == told(path, "finds")
    assert report.game == path.parent.name


@pytest.mark.parametrize("game", [about.id for about in with_decks()])
def test_every_check_has_a_deck_that_it_finds_fault_with_and_one_that_it_lets_pass(game):
    """Fails for a new check until `tests/data/decks/<game>/` contains a deck for it, with its name and its findings."""
    rulesets = decks_of(game).rulesets()
    checks = {check.id for name, each in rulesets.items() if not name.endswith(OTHERS) for check in each.checks}
    checks -= OF_SEVERAL
    found = [set(told(path, "finds")) for path in PATHS if path.parent.name == game]
    assert checks
    assert checks - set().union(*found) == set(), "no deck for these"
    assert checks & set.intersection(*found) == set(), "no deck that these let pass"
    assert set() in found, "no deck without any finding"


@pytest.mark.parametrize("game", [about.id for about in with_decks()])
def test_every_check_of_tables_and_steps_is_named_in_tests(game):
    """Cases of these checks need several decks, or two states of one, so they are in the tests of the game."""
    package = games()[game].package.rpartition(".")[2]
    files = [*(ROOT / "tests/games" / package).rglob("*.py"), *(ROOT / "tests/data").rglob(f"*{game}-*.yaml")]
    said = "".join(path.read_text("utf-8") for path in files)
    rulesets = decks_of(game).rulesets()
    checks = {check.id for name, each in rulesets.items() if name.endswith(OTHERS) for check in each.checks}
    checks |= OF_SEVERAL & {check.id for each in rulesets.values() for check in each.checks}
    assert {check for check in checks if not re.search(rf'["\[{{ ]{check}["\],:}}]', said)} == set()
