"""`kb deck` on character sheets, `kb deck advance` and `kb score luxor`: output, JSON contracts, exit codes."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def two_games(tmp_path_factory):
    """KB_SOURCES and KB_HOME of a catalog of these two games alone, built once."""
    sources = tmp_path_factory.mktemp("sources")
    for game in ("tainted-grail", "luxor"):
        shutil.copytree(ROOT / "content" / game, sources / "content" / game)
    (sources / "cards").mkdir()
    return {"KB_SOURCES": str(sources), "KB_HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture
def run(kb, two_games, monkeypatch, tmp_path):
    """Run `kb ARGS…` in an empty folder."""
    for key, value in two_games.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    return kb


SHEET = """\
game: tainted-grail
character: Beor
experience_spent: 6
starting_attributes: {aggression: 2, courage: 1}
attributes: {aggression: 3, courage: 1}
skills: {aggression: 12}
resources: {food: 4, experience: 9}
combat: 1-15
diplomacy: 1-15
"""
FINAL = """\
game: luxor
set_points: {1: 4}
players:
  - {name: Ada, vases: 2, jewelry: 1, wild_cards: 1, looted: 23, keys: [2], scarabs: [3], locations: [4, 7]}
  - {name: Ben, looted: 20, locations: [5], sarcophagi: [first, second]}
"""


def test_a_legal_sheet(run):
    Path("beor.yaml").write_text(SHEET)
    result = run("deck check beor.yaml")
    assert (result.code, result.out) == (0, "beor.yaml: Beor is legal.\n")


def test_an_illegal_sheet_says_what_which_rule_and_what_to_do(run):
    result = run("deck check -", input=SHEET.replace("food: 4", "food: 21").replace("spent: 6", "spent: 5"))
    assert result.code == 1
    assert "-: Beor is not legal (2 errors)." in result.out
    assert "21 food are carried; the limit is 20." in result.out
    assert "Rule: Carrying limit: 20 of each resource, " in result.out
    assert "(tainted-grail/carrying-limit)" in result.out
    assert "at least 6 EXP (aggression and empathy from 2 to 3 points 6), but only 5 were spent." in result.out


def test_new_and_show(run):
    assert run("deck new niamh -o niamh.yaml").code == 0
    assert run("deck check niamh.yaml").code == 0
    shown = run("deck show niamh.yaml")
    assert shown.code == 0
    assert "combat deck     15      1-15/25" in shown.out


def test_advance_names_every_next_step(run):
    Path("beor.yaml").write_text(SHEET)
    result = run("deck advance beor.yaml")
    assert result.code == 0
    assert "beor.yaml: Beor, standard mode, 9 EXP to spend." in result.out
    step = (
        "    8 EXP  aggression from 3 to 4 (4th point of aggression and empathy), and 1 skill card to choose  enough\n"
    )
    assert step in result.out
    assert "    2 EXP  a diplomacy card (draw 3 of the pool, pick 1)  enough\n" in result.out
    assert "(tainted-grail/advance-your-character)" in result.out


def test_advance_says_whether_the_experience_suffices(run):
    Path("beor.yaml").write_text(SHEET)
    enough = run("deck advance beor.yaml --attribute courage --to 2 --card combat -c diplomacy")
    assert enough.code == 0
    assert "    8 EXP  in all: enough, 1 left\n" in enough.out
    short = run("deck advance beor.yaml -a courage -a aggression")
    assert short.code == 1
    assert "   12 EXP  in all: not enough, 3 missing\n" in short.out
    more = run("deck advance beor.yaml -a courage -a aggression --experience 12")
    assert (more.code, "enough, 0 left" in more.out) == (0, True)
    unknown = run("deck advance - -a courage", input=SHEET.replace(", experience: 9", ""))
    assert unknown.code == 0
    assert "the sheet does not say how much EXP there is" in unknown.out


def test_advance_json(run):
    Path("beor.yaml").write_text(SHEET)
    found = run("deck advance beor.yaml -a aggression --to 4 --json").json
    assert [found[key] for key in ("character", "mode", "experience", "cost", "enough")] == [
        "Beor",
        "standard",
        9,
        8,
        True,
    ]
    (step,) = found["steps"]
    assert list(step) == ["step", "cost", "skills", "cites"]
    assert step["cites"][0]["title"] == "Advancing attributes"
    single = run("deck advance beor.yaml --json").json
    assert (single["cost"], single["enough"], len(single["steps"])) == (None, None, 8)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("-a agression", "Unknown attribute 'agression'. Did you mean aggression?"),
        ("-c Cleave", "Unknown deck for --card 'Cleave'. Known are combat, diplomacy."),
        ("-a courage --to 2 --to 3", "Give one --to for each --attribute"),
        ("--to 2", "Give one --to for each --attribute"),
        ("-a courage --to 1", "Courage is 1 already; it cannot be raised to 1."),
    ],
)
def test_advance_refuses_with_a_sentence(run, args, message):
    Path("beor.yaml").write_text(SHEET)
    result = run(f"deck advance beor.yaml {args}")
    assert result.code == 2
    assert message in result.err
    assert result.out == ""


def test_advance_is_for_sheets(run):
    result = run("deck advance -", input="game: pathfinder\ncharacter: Lini\n")
    assert result.code == 2
    assert "is a deck of Pathfinder Adventure Card Game; `kb deck advance` is for character sheets" in result.err
    assert run("deck advance none.yaml").err == "none.yaml: cannot be read: No such file or directory.\n"


def test_score_luxor(run):
    Path("final.yaml").write_text(FINAL)
    result = run("score luxor final.yaml")
    assert result.code == 0
    assert "Ada: 43 points\n" in result.out
    assert "  treasure sets    4  1 set (1 with 1 wild card), 1 tile left over  [Scoring: treasure sets: " in result.out
    assert "Ben: 33 points\n" in result.out
    assert "Most points: Ada (43).\n" in result.out


def test_score_luxor_json(run):
    found = run("score luxor - --json", input=FINAL).json
    assert list(found) == ["file", "game", "complete", "players", "most_points", "tie"]
    assert (found["complete"], found["most_points"]) == (True, ["Ada"])
    ada = found["players"][0]
    assert list(ada) == ["name", "points", "complete", "lines"]
    for line in ada["lines"]:
        assert list(line) == ["line", "points", "detail", "ask", "cites"]
        assert all(cite["source"].startswith("Luxor rules summary") for cite in line["cites"])
