"""`kb deck`: the JSON contract, exit codes, and that nothing is overwritten or lost."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pathfinder_only(tmp_path_factory):
    """KB_SOURCES and KB_HOME of a catalog of the Pathfinder content alone, built once."""
    sources = tmp_path_factory.mktemp("sources")
    shutil.copytree(ROOT / "content/pathfinder", sources / "content/pathfinder")
    shutil.copytree(ROOT / "cards/pathfinder", sources / "cards/pathfinder")
    return {"KB_SOURCES": str(sources), "KB_HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture
def deck(kb, pathfinder_only, monkeypatch, tmp_path):
    """Run `kb deck ARGS…` in an empty folder."""
    for key, value in pathfinder_only.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    return partial(kb, "deck")


LEGAL = (
    "character: Lini\n2x Cure\nDetect Magic\nGuidance\nSanctuary\nStrength\n"
    "Potion of Fortitude\nSage's Journal\nCrow\n2x Dog\n4x Blessing of the Gods\n"
)
ILLEGAL = LEGAL.replace("Crow\n", "Holy Light\n")


def test_json_contract(deck):
    Path("bad.txt").write_text(ILLEGAL)
    result = deck("check", "bad.txt", "--json")
    assert result.code == 1
    (report,) = json.loads(result.out)
    assert list(report) == ["file", "game", "character", "legal", "findings", "details"]
    assert [report[key] for key in ("file", "game", "character", "legal")] == ["bad.txt", "pathfinder", "Lini", False]
    for finding in report["findings"]:
        assert list(finding) == [
            "code",
            "check",
            "family",
            "severity",
            "message",
            "cards",
            "count",
            "limit",
            "cites",
            "fix",
        ]
        assert all(list(cite) == ["id", "title", "source"] for cite in finding["cites"])
    access = next(finding for finding in report["findings"] if finding["check"] == "new-deck")
    assert (access["family"], access["severity"], access["cards"]) == ("access", "error", ["Holy Light"])
    assert access["cites"][0]["id"] == "pathfinder/rotr/building-your-deck"
    assert "Rise of the Runelords rulebook" in access["cites"][0]["source"]
    assert {finding["check"] for finding in report["findings"]} == {"cards-list", "new-deck"}


def test_a_legal_deck(deck):
    Path("good.txt").write_text(LEGAL)
    result = deck("check", "good.txt")
    assert (result.code, result.out) == (0, "good.txt: Lini is legal.\n")
    assert json.loads(deck("check", "good.txt", "--json").out)[0]["findings"] == []


def test_a_warning_leaves_a_deck_legal(deck):
    text = LEGAL.replace("character: Lini\n", "character: Lini\nadventure: 6\npower_feats: 5\n")
    result = deck("check", "-", input=text)
    assert result.code == 0
    assert "-: Lini is legal (1 warning)." in result.out


def test_findings_for_people_say_what_is_wrong_what_to_do_and_which_rule(deck):
    result = deck("check", "-", input=ILLEGAL)
    assert result.code == 1
    assert "-: Lini is not legal (3 errors)." in result.out
    assert "error  Holy Light is not Basic" in result.out
    assert "Fix: Remove 1 of the 7 spells: 2x Cure" in result.out
    assert "Rule: Cards List, Rise of the Runelords rulebook" in result.out
    assert "\x1b" not in result.out


def test_files_that_cannot_be_read_do_not_hide_the_others(deck):
    Path("decks").mkdir()
    Path("decks/a.txt").write_text(LEGAL)
    Path("decks/b.txt").write_text("character: Lini\n2x Cuer\n")
    Path("decks/c.yaml").write_text("character: [\n")
    Path("decks/d.yaml").write_text("game: chess\n")
    Path("decks/e.txt").write_text(ILLEGAL)
    result = deck("check", "decks", "none.yaml", "--json")
    assert result.code == 2
    assert [(report["file"], report["legal"]) for report in json.loads(result.out)] == [
        ("decks/a.txt", True),
        ("decks/b.txt", None),
        ("decks/c.yaml", None),
        ("decks/d.yaml", None),
        ("decks/e.txt", False),
        ("none.yaml", None),
    ]
    assert "decks/b.txt:2: There is no card 'Cuer' in Rise of the Runelords. Did you mean Cure?" in result.err
    assert "decks/c.yaml:2: is not YAML" in result.err
    assert "decks/d.yaml:1: Unknown game 'chess'." in result.err
    assert "none.yaml: cannot be read: No such file or directory." in result.err
    assert "Traceback" not in result.err


def test_new_writes_the_suggested_deck_and_never_overwrites(deck):
    assert deck("new", "Lini").out.startswith("game: pathfinder\nset: rotr")
    assert deck("new", "lini", "--out", "lini.yaml").code == 0
    assert deck("check", "lini.yaml").code == 0
    Path("lini.yaml").write_text("mine")
    refused = deck("new", "lini", "--out", "lini.yaml")
    assert (refused.code, refused.err) == (2, "lini.yaml exists; --force overwrites it.\n")
    assert Path("lini.yaml").read_text() == "mine"
    assert deck("new", "lini", "--out", "lini.yaml", "--force").code == 0
    assert Path("lini.yaml").read_text().startswith("game: pathfinder")
    assert "cannot be written" in deck("new", "lini", "--out", "no/lini.yaml").err


def test_new_asks_for_the_set_where_a_name_is_in_several(deck):
    result = deck("new", "Ezren")
    assert (result.code, result.err) == (
        2,
        "Ezren is in several sets. Name one as `set` (`--set`): mm or rotr.\n",
    ) or result.err == ("Ezren is in several sets. Name one as `set` (`--set`): rotr or mm.\n")
    assert "Torch" in deck("new", "Ezren", "--set", "mm").out
    assert "Did you mean Lini?" in deck("new", "Lyni").err
    assert "There is no such set" in deck("new", "Lini", "--set", "sns").err
    assert deck("new", "Nobody At All").code == 2


def test_a_check_imports_nothing_heavy(deck, pathfinder_only, tmp_path):
    # Typer from 0.29 on loads Pydantic itself, for options that are numbers; kb's own use of it is kb.sources.validation.
    deck("check", "-", input=LEGAL)
    code = (
        "import sys\nfrom kb.cli.deck import app\nsys.argv = ['deck', 'check', '-']\n"
        "try:\n    app()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('sqlmodel', 'sqlalchemy', 'kb.sources.validation', 'whoosh', 'rich', 'jinja2') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=LEGAL, capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, **pathfinder_only, "PYTHONPATH": str(ROOT)}, check=True,
    )  # fmt: skip
    assert done.stdout == "-: Lini is legal.\n[]\n"


def test_json_names_what_cannot_be_read(deck):
    Path("good.txt").write_text("character: Lini\ncards: [Cure]\n")
    Path("bad.yaml").write_text("character: Lini\ncards: [Cuer]\nadventure: 9\n")
    result = deck("check", "bad.yaml", "good.txt", "--json")
    assert result.code == 2
    bad, good = json.loads(result.out)
    assert (bad["file"], bad["legal"], bad["findings"]) == ("bad.yaml", None, [])
    assert [problem["line"] for problem in bad["problems"]] == [2, 3]
    assert "Did you mean Cure?" in bad["problems"][0]["message"]
    assert (good["file"], good["legal"]) == ("good.txt", False)
    assert "bad.yaml:2: There is no card 'Cuer'" in result.err
