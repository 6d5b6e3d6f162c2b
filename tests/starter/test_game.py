"""A new game made by `kb new game`: searches, deck checks, the site and its own tests work at once, and it can be
installed as a package.
"""

import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.starter.game import StarterError, colours_of, new_game
from tests.conftest import ROOT, Outcome

READ_AGAIN = (("content", "copies.md"), ("cards", "cards.json"))


@pytest.fixture
def made(sources, tmp_path, kb):
    done = kb("new game sea-chess --title {} --colour #123456 --out", 'Sea "Chess"', tmp_path)
    assert done.code == 0, done.err
    return tmp_path / "kb-sea-chess"


def run(made, *words):
    environment = {
        **os.environ,
        "KB_SOURCES": os.pathsep.join([os.environ["KB_SOURCES"], str(made)]),
        "PYTHONPATH": str(ROOT),
    }
    program = [sys.executable, "-c", "from kb.cli import run; run()", *words]
    done = subprocess.run(program, capture_output=True, text=True, env=environment, cwd=made, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_a_new_game_works_as_a_folder(made):
    hits = run(made, "search", "--json", "how many copies of a card may I have").json["hits"]
    assert hits[0]["id"] == "sea-chess/copies"
    assert run(made, "show", "chess/castling").code == 0  # kb also reads the sources in KB_SOURCES
    assert run(made, "deck", "check", "deck.yaml").code == 0
    cards = run(made, "cards", "--json", "game:sea-chess").json["cards"]
    assert len(cards) == 10
    new = "game: sea-chess\nleader: Captain\ndeck: []\n"
    assert (
        run(made, "deck", "new", "Captain").out == run(made, "deck", "new", "Captain", "--in", "sea-chess").out == new
    )
    assert "Did you mean Captain?" in run(made, "deck", "new", "Captian", "--in", "sea-chess").refusal


@pytest.mark.extended
def test_a_new_game_does_not_support_own_cards(made):
    (made / "mine.csv").write_text("name,copies\nLantern,3\n")
    for words in (("mine.csv", "--game", "sea-chess"), ("--template", "sea-chess")):
        assert 'Sea "Chess" does not support cards of your own' in run(made, "import", "cards", *words).refusal


@pytest.mark.extended
def test_its_checks_cite_its_entries(made):
    (made / "deck.yaml").write_text("game: sea-chess\nleader: Rope\ndeck: [9x Guard, Witch]\n")
    (report,) = run(made, "deck", "check", "--json", "deck.yaml").json
    assert [(finding["check"], finding["cites"][0]["title"]) for finding in report["findings"]] == [
        ("deck-size", "Building a deck"),
        ("copies", "Copies of a card"),
        ("one-leader", "Building a deck"),
        ("one-leader", "Building a deck"),
    ]
    (made / "deck.yaml").write_text("leader: Captain\ndeck: [3x Scout, 2x Guard, 2x Lantern, Rope]\n")
    (report,) = run(made, "deck", "check", "--json", "deck.yaml").json
    assert [remedy["text"] for finding in report["findings"] for remedy in finding["remedies"]] == ["remove 1x Scout"]
    (made / "deck.yaml").write_text("leader: Captian\ndeck: [Gard]\nsize: 3\n")
    wrong = run(made, "deck", "check", "deck.yaml").refusal
    assert "deck.yaml:1: Unknown card 'Captian'. Did you mean Captain?" in wrong
    assert "deck.yaml:3" in wrong


@pytest.mark.extended
def test_it_is_on_the_site_in_its_colour(made, tmp_path):
    built = run(made, "site", "build", "--out", str(tmp_path / "site"))
    assert built.code == 0, built.err
    assert "two copies of the same card" in (tmp_path / "site" / "sea-chess" / "copies.html").read_text("utf-8")
    styles = "".join(path.read_text("utf-8") for path in (tmp_path / "site" / "assets").rglob("*.css"))
    assert "--kb-sea-chess: light-dark(#123456" in styles
    assert "Sea &quot;Chess&quot;" in (tmp_path / "site" / "index.html").read_text("utf-8").replace("&#34;", "&quot;")


@pytest.mark.extended
def test_its_own_tests_pass(made):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(made)])}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=made,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout


def test_it_is_a_package_with_an_entry_point(made):
    import tomllib

    told = tomllib.loads((made / "pyproject.toml").read_text("utf-8"))
    assert told["project"]["entry-points"]["kb.games"] == {"sea-chess": "kb_sea_chess"}
    assert told["project"]["description"] == 'Sea "Chess" for kb'


@pytest.mark.extended
def test_a_check_that_cites_no_entry_is_named(made):
    assert run(made, "doctor").code == 0
    rules = made / "kb_sea_chess" / "decks.py"
    rules.write_text(rules.read_text("utf-8").replace('"sea-chess/copies"', '"sea-chess/copy"'), "utf-8")
    told = run(made, "doctor")
    assert told.code == 1
    assert (
        "The check copies of sea-chess cites sea-chess/copy, which does not exist. Cite an existing entry"
        in " ".join(told.out.split())
    )


@pytest.mark.extended
def test_doctor_checks_a_single_file_of_a_new_game(made):
    entry, cards = (made / "kb_sea_chess" / part / "sea-chess" / name for part, name in READ_AGAIN)
    assert run(made, "doctor", "--content", str(entry)).out.startswith("1 entry, ")
    entry.write_text(entry.read_text("utf-8").replace("sea-chess.copies", "sea-chess.copees"), "utf-8")
    cards.write_text(cards.read_text("utf-8").replace('"item"', '"itm"', 1), "utf-8")
    told = run(made, "doctor", "--content", str(entry)).out
    assert "copies.md:" in told
    assert "(a new one is a line of the document's outline.tsv); did you mean sea-chess.copies?" in told
    assert "cards.json" not in told
    told = run(made, "doctor", "--content", str(cards)).out
    assert "cards.json:8: the type of Lantern is one of leader, ally, item; kb_sea_chess/cards.py lists them" in told
    assert "cards.json:8: the type of Lantern" in run(made, "deck", "check", "deck.yaml").refusal


@pytest.mark.extended
def test_a_game_that_kb_sources_does_not_name_is_gone(made):
    assert run(made, "show", "sea-chess/copies").code == 0
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-c", "from kb.cli import run; run()", "show", "sea-chess/copies"]
    assert subprocess.run(program, capture_output=True, env=environment, check=False).returncode == 1


@pytest.mark.posix
@pytest.mark.extended
def test_the_tutorial_runs_from_an_empty_folder_to_a_site(sources, tmp_path):
    """Runs every block of the tutorial in order. Commands run in one shell; files are written to its folder."""
    page = (ROOT / "site" / "using" / "new-game.md").read_text("utf-8")
    steps = []
    for kind, name, text in re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", page, flags=re.S | re.M):
        steps.append(text if kind == "sh" else f"cat > {name} <<'WHOLE'\n{text}WHOLE\n")
    program = tmp_path / "kb"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from kb.cli import run; run()" "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        ["bash", "-eu"], input="\n".join(steps), cwd=tmp_path / "empty", env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Captain is legal" in done.stdout
    assert "one card in each turn" in done.stdout
    assert "No problems found." in done.stdout
    public = tmp_path / "empty" / "kb-lakes" / "public"
    assert "one card in each turn" in (public / "lakes" / "turn.html").read_text("utf-8")
    assert "an-animal" in (public / "checks" / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "name", ["", "Chess", "../x", "a b", "con", "a/b", "arkham", "api", "all", "9x", "-a", "a--b", "x" * 50]
)
def test_an_invalid_game_name_gives_an_error_message(tmp_path, name):
    with pytest.raises(StarterError, match=r"\.$"):
        new_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("class", "Python"),
        ("con", "Windows"),
        ("x" * 41, "41 characters; a game name has at most 40"),
        ("api", "reserved"),
        ("arkham", "already a game"),
        ("Chess", "lower-case"),
    ],
)
def test_a_refused_game_name_comes_with_its_reason(tmp_path, name, reason):
    with pytest.raises(StarterError, match=reason):
        new_game(name, tmp_path)


def test_existing_files_are_not_overwritten(tmp_path):
    new_game("chess-two", tmp_path)
    with pytest.raises(StarterError, match="already exists"):
        new_game("chess-two", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kb-chess-two"]


def test_invalid_colours_are_refused(tmp_path):
    with pytest.raises(StarterError, match="is not a colour"):
        new_game("chess-two", tmp_path, colour="red; } body { display: none")


def share(colour):
    """Return the relative luminance (WCAG 2.2) of a colour such as `#1a2b3c`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(st.from_regex(r"[a-z][a-z0-9]{0,20}", fullmatch=True))
def test_derived_colours_have_enough_contrast(name):
    light, dark = colours_of(None, name)
    assert (share("#fdfcf9") + 0.05) / (share(light) + 0.05) >= 4.5
    assert (share(dark) + 0.05) / (share("#15181d") + 0.05) >= 4.5


@pytest.mark.extended
def test_a_folder_named_like_another_package_gives_an_error_message(sources, tmp_path):
    other = tmp_path / "json"
    other.mkdir()
    (other / "game.yaml").write_text("id: other\ntitle: Other\nmarks: [other]\n")
    (tmp_path / "d.yaml").write_text("other: 1\n")
    failed = run(other, "deck", "check", str(tmp_path / "d.yaml"))
    assert "has the same name as another Python package" in failed.refusal


@pytest.mark.extended
def test_a_game_that_becomes_unusable_is_reported_and_the_old_catalog_answers(made):
    assert run(made, "search", "castling").code == 0
    (made / "kb_sea_chess/cards.py").write_text("  cards = []\n", "utf-8")
    with (made / "kb_sea_chess/content/sea-chess/copies.md").open("a", encoding="utf-8") as entry:
        entry.write("\nOne more sentence.\n")
    done = run(made, "search", "castling")
    assert done.code == 0, done.err
    assert "cards.py:1: IndentationError" in done.err
    assert "bug in kb" not in done.err
