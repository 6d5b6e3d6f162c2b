"""`kb deck upgrade`, `convert`, `weakness`, `party`: JSON, exit codes, and sentences for bad input."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from kb.games.arkham.decks.adapter import write_deck
from tests.games.arkham.decks.conftest import AGNES, DAISY, FACTS, HAUNTED, deck
from tests.games.arkham.decks.upgrade.steps import put

OLD = deck(AGNES, {"Shrivelling": 2})
NEW = put(OLD, {"Shrivelling": 1, "Shrivelling (3)": 1})

pytestmark = pytest.mark.usefixtures("real")


@pytest.fixture
def saved(tmp_path):
    """Write a deck file; its name."""

    def save(name, one, **fields):
        path = tmp_path / f"{name}.json"
        path.write_text(write_deck(replace(one, **fields), "arkham.build", FACTS).text, encoding="utf-8")
        return str(path)

    return save


def test_a_step_in_json(kb, saved):
    run = kb("deck upgrade {} {} --xp 4 --json", saved("old", OLD), saved("new", NEW))
    step = run.json
    assert run.code == 0
    assert (step["cost"], step["legal"], step["available"], step["unspent"]) == (3, True, 4, 1)
    (line,) = step["lines"]
    assert (line["action"], line["card"], line["from"]) == ("upgrade", "Shrivelling (3) [02154]", "Shrivelling [01060]")
    assert line["cites"][0]["title"] == "Upgrading a card"
    assert step["findings"] == []


def test_not_enough_experience(kb, saved):
    run = kb("deck upgrade", saved("old", OLD), saved("new", NEW, experience=2))
    assert run.code == 1
    assert "not legal" in run.out
    assert "costs at least 3 experience, there is 2" in run.out


def test_a_folder_is_a_campaign_in_the_order_of_previous_decks(kb, saved, tmp_path):
    saved("c", put(OLD, {"Shrivelling": 0, "Shrivelling (3)": 2}), id="x3", previous="x2", experience=4)
    saved("a", OLD, id="x1")
    saved("b", NEW, id="x2", previous="x1", experience=4)
    run = kb("deck upgrade {} --json", tmp_path)
    report = run.json
    assert run.code == 0
    assert [(step["cost"], step["available"]) for step in report["steps"]] == [(3, 4), (3, 4)]
    assert (report["cost"], report["legal"], report["unspent"]) == (6, True, 1)
    assert {line["step"] for line in report["lines"]} == {1, 2}


def test_input_that_is_no_step(kb, saved, tmp_path):
    one = saved("old", OLD)
    assert kb("deck upgrade", one).code == 2
    run = kb("deck upgrade", one, tmp_path / "none.json")
    assert run.code == 2
    assert "none.json" in run.err
    other = tmp_path / "other.yaml"
    other.write_text("game: pathfinder\ncharacter: Lini\ncards: []\n")
    run = kb("deck upgrade", one, other)
    assert run.code == 2
    assert "Arkham Horror" in run.err
    assert kb("deck upgrade {} {} --xp 1 --xp 1", one, one).code == 2


def test_convert_and_back(kb, saved, tmp_path):
    source, out = saved("deck", NEW, experience=3), tmp_path / "deck.yaml"
    assert kb("deck convert {} --to yaml --out", source, out).code == 0
    run = kb("deck convert {} --to arkhamdb", out)
    assert run.code == 0
    assert run.err == ""
    assert run.json["slots"] == json.loads(Path(source).read_text())["slots"]
    assert kb("deck convert {} --to yaml --out", source, out).code == 2
    assert kb("deck convert {} --to yaml --out {} --force", source, out).code == 0


def test_convert_says_what_is_lost(kb, saved):
    run = kb("deck convert {} --to text", saved("deck", NEW, exiled=("02114",)))
    assert run.code == 0
    assert "exiled cards" in run.err
    assert kb("deck convert {} --to pdf", saved("deck", NEW)).code == 2


def test_weaknesses_are_drawn_again_with_the_seed(kb, saved):
    mine = saved("deck", put(OLD, {HAUNTED: 0}))
    first = kb("deck weakness {} --owned core --json", mine)
    report = first.json
    assert (first.code, report["pool"], len(report["drawn"])) == (0, 10, 1)
    again = kb("deck weakness {} --owned core --json --seed", mine, report["seed"])
    assert again.json == report
    less = kb("deck weakness {} --owned 'Core Set' --drawn Amnesia --seed 1 --json", saved("other", OLD))
    assert less.json["pool"] == 8


@pytest.mark.parametrize(
    "args",
    [("-n", "11", "--owned", "core"), ("--owned", "nothing"), ("--drawn", "Nobody"), ("--investigator", "Nobody")],
)
def test_draws_that_cannot_be_made(kb, args):
    run = kb(["deck", "weakness", *args])
    assert run.code == 2
    assert run.err.strip()


def test_a_party(kb, saved):
    agnes, daisy = saved("agnes", OLD), saved("daisy", deck(DAISY, {HAUNTED: 0, "Amnesia": 1}))
    run = kb("deck party {} {} --json", agnes, daisy)
    assert run.code == 0
    assert run.json["legal"]
    run = kb("deck party {} {} --out 'Daisy Walker' --json", agnes, daisy)
    assert run.code == 1
    assert [finding["check"] for finding in run.json["findings"]] == ["nobody-out-of-the-campaign"]
    assert kb("deck party {} --owned nothing", agnes).code == 2


def test_json_is_one_deck_a_line_and_names_an_unreadable_one(kb, monkeypatch):
    line = json.dumps({"investigator_code": "01001", "slots": {"01016": 2}})
    text = f"{line}\nnothing\n{line}\n".encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    done = kb("deck check - --json")
    found = done.json
    assert done.code == 2
    assert [(each["file"], each["legal"]) for each in found] == [("-:1", False), ("-:2", None), ("-:3", False)]
    assert len(done.out.splitlines()) == 5
    assert "-:2: Nothing says which game" in done.err


def test_by_which_rules_decks_are_judged_is_said_once_and_where_it_changes(kb, tmp_path):
    files = []
    for name, rules in (("a", "grimoire"), ("b", "grimoire"), ("c", "faq"), ("d", "grimoire")):
        file = tmp_path / f"{name}.yaml"
        file.write_text(f"game: arkham\nrules: {rules}\ninvestigator: Roland Banks\ncards: {{Machete (01020): 2}}\n")
        files.append(str(file))
    said = [line.split(";")[0] for line in kb(["deck", "check", *files]).out.splitlines() if "Judged by" in line]
    by = ("  Judged by: Arkham Grimoire 1.1", "  Judged by: Rules Reference with FAQ 2.5")
    assert said == [by[0], by[1], by[0]]
