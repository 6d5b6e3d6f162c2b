"""A game in another Python package (tests/data/pebbles, found by its entry point) works in every part of kb."""

import os
import subprocess
import sys

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
