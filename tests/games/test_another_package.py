"""A game in another Python package (tests/data/pebbles, found by its entry point) works in every part of kb."""

import json
import os
import subprocess
import sys
from textwrap import dedent

import pytest

from tests.conftest import ROOT, Outcome, words_of

PACKAGE = ROOT / "tests" / "data" / "pebbles"
LEGAL = "pouch: [Agate, Basalt, Chert, Flint]\n"


@pytest.fixture
def here(sources, tmp_path, monkeypatch):
    """Make the package of the game available, with small sources of another game, and return the folder to work in."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE), str(ROOT)]))
    return tmp_path


def kb(line, *values):
    program = [sys.executable, "-c", "from kb.cli import run; run()", *words_of(line, *values)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return Outcome(done.returncode, done.stdout, done.stderr)


def python(script, *values):
    """Run a script in a new process that has the package, and return the JSON that it prints."""
    program = [sys.executable, "-c", dedent(script), *map(json.dumps, values)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def install(folder, told):
    """Write a package called `twin_kb` with a game into `folder`. `told` is the text of its game.yaml."""
    (folder / "twin_kb").mkdir(parents=True)
    (folder / "twin_kb" / "__init__.py").touch()
    (folder / "twin_kb" / "game.yaml").write_text(told)
    facts = folder / "twin_kb-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: twin-kb\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[kb.games]\ntwin = twin_kb\n")


def test_its_rules_and_cards_are_found(here):
    hits = kb("search --json 'how heavy may my stones be'").json["hits"]
    assert hits[0]["id"] == "pebbles/weight"
    assert kb("search --json --in pebbles heron").json["hits"][0]["id"] == "pebbles/events/heron"
    assert kb("search --json granite").json["hits"][0]["id"] == "pebbles/stones/granite"
    assert [card["name"] for card in kb("cards --json 'type:gem game:pebbles trait:rough'").json["cards"]] == [
        "Agate",
        "Jasper",
    ]
    heavy = kb("cards --json weight>=9").json["cards"]  # `weight` is a query field that the game adds
    assert [card["name"] for card in heavy] == ["Obsidian", "Quartz"]


@pytest.mark.extended
def test_its_decks_are_checked_and_its_command_is_there(here):
    (here / "pouch.yaml").write_text(LEGAL)
    checked = kb("deck check --json", here / "pouch.yaml")
    (report,) = checked.json
    assert (checked.code, report["game"], report["legal"]) == (1, "pebbles", False)
    assert [(finding["check"], finding["cites"][0]["title"]) for finding in report["findings"]] == [
        ("enough-stones", "The pouch")
    ]
    assert kb("deck check --short", here / "pouch.yaml").code == 0
    assert "Pebbles: the short game" in " ".join(kb("deck check --help").out.split())
    assert kb("deck count", here / "pouch.yaml").out.endswith("pouch.yaml: 4 stones\n")
    page = kb("deck page", here / "pouch.yaml")
    assert page.code == 0, page.err
    assert "a pouch holds 7" in page.out


FINAL = "game: pebbles\nbounces: {Ada: 12, Ben: 12, Cleo: 3}\n"
BEGUN = "game: pebbles\nbounces: {Ada: 12, Ben: }\n"


def test_its_final_positions_are_scored_in_the_terminal(here):
    final, begun, game_elsewhere = (here / f"{name}.yaml" for name in ("final", "begun", "elsewhere"))
    final.write_text(FINAL)
    begun.write_text(BEGUN)
    game_elsewhere.write_text(FINAL.replace("game: pebbles\n", ""))
    whole = kb("score", final)
    assert (whole.code, whole.out.splitlines()) == (
        0,
        [
            *("Ada: 12 points", "  bounces         12  after seven turns  [Winning: pebbles/win]"),
            *("Ben: 12 points", "  bounces         12  after seven turns  [Winning: pebbles/win]"),
            *("Cleo: 3 points", "  bounces          3  after seven turns  [Winning: pebbles/win]"),
            "Most points: Ada and Ben (12).",
            "  The game ends in a tie. The lighter pouch wins.",
        ],
    )
    asked = kb("score --json", begun)
    assert (asked.code, asked.json["game"], asked.json["complete"], asked.json["players"][0]["points"]) == (
        1,
        "pebbles",
        False,
        12,
    )
    assert kb("score Pebbles", game_elsewhere).code == 0
    assert "Begin the file with `game: luxor` or `game: pebbles`" in kb("score", game_elsewhere).refusal
    assert "Did you mean pebbles?" in kb("score peebles", final).refusal
    assert "kb does not score final positions of 'arkham'. It scores" in kb("score arkham", final).refusal


def test_its_final_positions_are_scored_by_the_library_and_the_page(here):
    score = """
        import json, sys, kb
        from kb.site.checker.worker import Checker
        library = kb.score(text=json.loads(sys.argv[1]))
        data = {"records": {}, "cites": [["pebbles/win", "Winning", "Leaflet"]], "links": {"pebbles/win": "win.html"}}
        page = [json.loads(Checker(data).answer(each)) for each in sys.argv[2:]]
        print(json.dumps([kb.as_json(library), *page]))
    """
    request = {"do": "score", "game": "pebbles"}
    read = {**request, "text": FINAL}
    typed = {**request, "answers": {"players": "Ada, Ben", "bounces/Ada": "12"}}
    asked = {**request, "answers": {"players": ""}}
    wrong = {**request, "text": FINAL.replace("3", "three")}
    elsewhere = {**request, "game": "chess"}
    library, read, typed, asked, wrong, elsewhere = python(score, FINAL, read, typed, asked, wrong, elsewhere)
    assert library["most_points"] == ["Ada", "Ben"]
    assert [player["points"] for player in read["score"]["players"]] == [12, 12, 3]
    assert (read["on_tie"], read["links"]) == ("The lighter pouch wins.", {"pebbles/win": "win.html"})
    assert read["answers"]["bounces/Cleo"] == "3"
    assert [each["text"] for each in typed["questions"]] == [
        "Who threw stones?",
        "How many bounces did Ada count?",
        "How many bounces did Ben count?",
    ]
    (line,) = typed["score"]["players"][1]["lines"]
    assert (line["points"], line["ask"], line["question"]) == (None, "Ben counted no bounces.", "bounces/Ben")
    assert "score" not in asked
    assert "kb does not score final positions of 'chess'" in elsewhere["problem"]
    assert "`Cleo` must be a whole number" in wrong["problem"]


HEAVIER = LEGAL.replace("Flint", "Granite")


def test_its_upgrades_are_priced_in_the_terminal(here):
    old, new, lost = (here / f"{name}.yaml" for name in ("old", "new", "lost"))
    old.write_text(LEGAL)
    new.write_text(HEAVIER)
    lost.write_text("pouch: [Agate, Granite]\n")
    step = kb("deck upgrade --short --xp 8", old, new)
    assert (step.code, step.out.splitlines()) == (
        0,
        [
            f"{old} -> {new}: the pouch, 6 bounces of 8 available, 2 left: legal.",
            "  Buy Granite: 6 (its weight). [pebbles/weight]",
        ],
    )
    broken = kb("deck upgrade --short --json", old, new, lost)
    assert (broken.code, broken.json["cost"], broken.json["legal"]) == (1, 6, False)
    assert [(each["step"], each["check"]) for each in broken.json["findings"]] == [(2, "enough-stones")]
    assert "--taboo cannot be used" in kb("deck upgrade --taboo none", old, new).refusal
    lost.write_text("investigator: Roland Banks\ncards: [Guts]\n")
    assert "are decks for different games" in kb("deck upgrade", old, lost).refusal
    assert "A trade needs two pouches" in kb("deck upgrade", old).refusal
    assert "there is no `kb deck plan` for Pebbles" in kb("deck plan --want Granite", old).refusal


def test_its_upgrades_are_priced_by_the_library_and_recorded_on_the_page(here):
    script = """
        import json, sys, kb
        from kb.site.checker.worker import Checker
        old, new = json.loads(sys.argv[1]), json.loads(sys.argv[2])
        library = kb.Deck(old).upgrade_to(kb.Deck(new), earned=8, short=True)
        with kb.open_catalog() as catalog:
            records = {"pebbles": {"card": catalog.records("pebbles", "card")}}
        cites = [[f"pebbles/{name}", name, "Leaflet"] for name in ("pouch", "weight", "win")]
        checker = Checker({"records": records, "cites": cites, "links": {"pebbles/weight": "weight.html"}})
        ask = lambda what, **more: json.loads(checker.answer(json.dumps({"do": what, "options": {"short": True}, **more})))
        begun = ask("upgrade", text=old)
        step = {"old": begun["old"], "earned": 8}
        changes = [{"card": "Flint", "copies": 0}, {"card": "Granite", "copies": 1}]
        bought = ask("form", text=begun["text"], changes=changes, **step)
        prices = ask("prices", text=bought["text"], keys=["Granite"], **step)
        recorded = ask("record", text=bought["text"], **step)
        again = ask("upgrade", text=recorded["text"])
        broken = ask("record", text="pouch: [Agate]", **step)
        print(json.dumps([kb.as_json(library), bought, prices, recorded, again, broken]))
    """
    library, bought, prices, recorded, again, broken = python(script, LEGAL, HEAVIER)
    assert (library["cost"], library["unspent"], library["legal"]) == (6, 2, True)
    assert (bought["step"]["cost"], bought["step"]["lines"][0]["text"]) == (6, library["lines"][0]["text"])
    assert bought["step"]["bought"] == [
        {
            "text": "Buy Granite: 6 (its weight).",
            "links": [{"title": "weight", "url": "weight.html"}],
            "changes": [{"card": "Granite", "copies": 0}],
        }
    ]
    assert prices["prices"]["Granite"]["cost"] == 6
    assert (recorded["steps"], recorded["upgrades"]) == (["6 bounces paid."], True)
    assert (again["steps"], again["step"]["cost"]) == ([], 0)
    assert "1 stones; a pouch holds 4." in broken["problem"]


@pytest.mark.extended
def test_it_is_on_the_site(here):
    built = kb("site build --out", here / "out")
    assert built.code == 0, built.err
    stones = (here / "out" / "pebbles" / "stones" / "index.html").read_text("utf-8")
    assert "Granite weighs 6" in stones
    assert "bounces" in (here / "out" / "pebbles" / "skip.html").read_text("utf-8")
    assert 'href="stones/index.html"' in (here / "out" / "pebbles" / "index.html").read_text("utf-8")
    assert "enough-stones" in (here / "out" / "checks" / "index.html").read_text("utf-8")
    assert "Ten stones and a pouch" in (here / "out" / "index.html").read_text("utf-8")


@pytest.mark.extended
def test_removing_the_package_removes_its_game(here, monkeypatch):
    assert kb("show pebbles/pond").code == 0
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert kb("show pebbles/pond").code == 1
    assert kb("show chess/castling").code == 0


def test_two_games_with_one_id_give_an_error_message(here, tmp_path, monkeypatch):
    twin = tmp_path / "twin"
    install(twin, "id: pebbles\ntitle: Twin\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE), str(twin), str(ROOT)]))
    refusal = kb("deck check x.yaml").refusal
    assert "both provide a game 'pebbles'" in refusal
    assert all(str(folder) in refusal for folder in (PACKAGE, twin))


def test_two_folders_with_one_game_are_both_named(here, tmp_path, monkeypatch):
    folders = [tmp_path / name for name in ("old", "new")]
    for folder in folders:
        (folder / "kb_twin").mkdir(parents=True)
        (folder / "kb_twin" / "game.yaml").write_text("id: twin\ntitle: Twin\n", "utf-8")
        (folder / "kb_twin" / "game.py").write_text("", "utf-8")
    monkeypatch.setenv("KB_SOURCES", os.pathsep.join([str(ROOT), *map(str, folders)]))
    refusal = kb("deck check x.yaml").refusal
    assert all(str(folder) in refusal for folder in folders)


@pytest.mark.extended
@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("title: [1", "not valid YAML"),
        ("title: Twin\nquery: 7", "`query` is not a key of a game, or its value is wrong"),
        ("title: Twin\nquery: {fields: [1]}", "`query` is no"),
        ("title: Twin\nquery: {signs: [a]}", "`query` is no"),
        ("title: Twin\ntypo: 1", "`typo` is no"),
        ("title: Twin\ncolour: red", "`colour` must look like"),
        ("title: Twin\neditions: {old: {title: Old rules}}", "`editions` is no"),
    ],
)
def test_a_broken_game_gives_an_error_message(told, wrong, sources, tmp_path, monkeypatch):
    install(tmp_path, f"id: twin\n{told}\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    failed = kb("--version").refusal
    assert "game.yaml" in failed
    assert wrong in failed
    assert "bug in kb" not in failed


@pytest.fixture
def zoo(sources, tmp_path, monkeypatch):
    """Create a new game `zoo`, and return the folder of its Python code."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)
    assert kb("new game zoo").code == 0
    monkeypatch.setenv("KB_SOURCES", str(tmp_path / "kb-zoo"))
    return tmp_path / "kb-zoo" / "kb_zoo"


@pytest.mark.extended
@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("game.py", "raise ValueError('x')\n", "game.py:1: ValueError: x"),
        ("game.py", "import sys\nsys.exit(3)\n", "game.py:2: SystemExit: 3"),
        ("decks.py", "\ndef (\n", "decks.py:2: SyntaxError"),
        ("game.py", "", "cannot be used: "),
        ("game.py", "game = 5\n", "kb has no game 'zoo' with cards"),
    ],
)
def test_an_error_in_a_games_python_code_is_reported_with_its_line(file, text, said, zoo):
    (zoo / file).write_text(text)
    failed = kb("deck check kb-zoo/deck.yaml").refusal
    assert said in failed
    assert "bug in kb" not in failed


@pytest.mark.extended
def test_an_error_in_a_games_check_is_reported(zoo):
    rules = zoo / "decks.py"
    rules.write_text(
        rules.read_text().replace("def check(", "def check(*_given, **_more):\n    return 1 / 0\n\n\ndef _other(")
    )
    assert "in a game of your own: ZeroDivisionError" in kb("deck check kb-zoo/deck.yaml").refusal
