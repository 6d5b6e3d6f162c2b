"""Decks written for these tests (tests/data/decks): for every deck check, some that it reports and some that it
accepts. The first line of a deck names the checks that must report it:

    # finds: ["copies-by-title"]
    # options: {"environment": "current"}      (only if the check needs options)

With these decks, a plain clone of the repository tests each check both ways.
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
# Checks of parties and of steps between two scenarios have separate tests.
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
def test_every_check_has_a_deck_that_it_reports_and_one_that_it_accepts(game):
    """If you add a check, add a deck that it reports to `tests/data/decks/<game>/`. Write the check's id into the first
    line, `# finds: [...]`.
    """
    rulesets = decks_of(game).rulesets()
    checks = {check.id for name, each in rulesets.items() if not name.endswith(OTHERS) for check in each.checks}
    checks -= OF_SEVERAL
    found = [set(told(path, "finds")) for path in PATHS if path.parent.name == game]
    assert checks
    assert checks - set().union(*found) == set(), "no deck in tests/data/decks is reported by these checks"
    assert checks & set.intersection(*found) == set(), "these checks report every deck"
    assert set() in found, "every deck has a finding"


@pytest.mark.parametrize("game", [about.id for about in with_decks()])
def test_every_check_of_parties_and_steps_is_named_in_tests(game):
    """These checks compare several decks, or a deck before and after a step. Their cases are in the tests of each game,
    so this test only looks for their ids there.
    """
    package = games()[game].package.rpartition(".")[2]
    files = [*(ROOT / "tests/games" / package).rglob("*.py"), *(ROOT / "tests/data").rglob(f"*{game}-*.yaml")]
    said = "".join(path.read_text("utf-8") for path in files)
    rulesets = decks_of(game).rulesets()
    checks = {check.id for name, each in rulesets.items() if name.endswith(OTHERS) for check in each.checks}
    checks |= OF_SEVERAL & {check.id for each in rulesets.values() for check in each.checks}
    assert {check for check in checks if not re.search(rf'["\[{{ ]{check}["\],:}}]', said)} == set()
