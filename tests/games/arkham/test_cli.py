"""`kb deck upgrade`, `convert`, `weakness`, `party`: JSON, exit codes, and error messages for bad input."""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.deck_writing import write_deck
from tests.games.arkham.decks.conftest import AGNES, DAISY, FACTS, HAUNTED, deck
from tests.games.arkham.decks.upgrade.steps import put
from tests.walks import walks

OLD = deck(AGNES, {"Shrivelling": 2})
NEW = put(OLD, {"Shrivelling": 1, "Shrivelling (3)": 1})
DECKS = {
    "old": OLD,
    "new": NEW,
    "poor": replace(NEW, experience=2),
    "exiled": replace(NEW, exiled=("02114",)),
    "daisy": deck(DAISY, {HAUNTED: 0, "Amnesia": 1}),
    "unlucky": put(OLD, {HAUNTED: 0}),
    "campaign/c": put(OLD, {"Shrivelling": 0, "Shrivelling (3)": 2}, id="x3", previous="x2", experience=4),
    "campaign/a": replace(OLD, id="x1"),
    "campaign/b": replace(NEW, id="x2", previous="x1", experience=4),
}


@pytest.fixture
def saved(real, tmp_path):
    """The decks as files."""
    (tmp_path / "campaign").mkdir()
    for name, one in DECKS.items():
        (tmp_path / f"{name}.json").write_text(write_deck(one, "arkham.build", FACTS).text, "utf-8")
    return tmp_path


test_commands = walks("arkham", "saved")


def test_weaknesses_are_drawn_again_with_the_seed(kb, saved):
    mine = saved / "unlucky.json"
    first = kb("deck weakness {} --owned core --json", mine)
    report = first.json
    assert (first.code, report["pool"], len(report["drawn"])) == (0, 10, 1)
    assert kb("deck weakness {} --owned core --json --seed", mine, report["seed"]).json == report
