"""Wrong words get the right ones."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Roland", "Roland Banks"), ("roland", "Roland Banks"), ("Linni", "Lini"), ("Zoey", "Zoey Samaras")],
)
def test_a_character_that_there_is_not_has_a_suggestion(kb, real, typed, meant):
    done = kb("deck new", typed)
    assert done.code == 2
    assert f"Did you mean {meant}" in done.err


def test_products_that_are_owned_twice_count_twice(kb, real, tmp_path):
    """As for the decks of a table, whether repeated or with commas."""
    deck = tmp_path / "r.json"
    deck.write_text(json.dumps({"investigator_code": "01001", "name": "R", "slots": {"01020": 2}}), encoding="utf-8")

    def few(*owned):
        return "the products owned hold 1" in kb(["deck", "check", str(deck), *owned]).out

    assert few("--owned", "core")
    assert not few("--owned", "core", "--owned", "core")
    assert not few("--owned", "core,core")
    assert not few("--owned", "core", "--owned", "Core Set")


def test_suggestions_keep_their_capitals(kb, real, tmp_path):
    deck = tmp_path / "r.yaml"
    deck.write_text("game: arkham\ninvestigator: Roland Banks\ncards: [Machette]\n", encoding="utf-8")
    assert "Did you mean Machete" in kb("deck check", deck).err


def test_one_card_is_one_card(kb, real):
    assert "\n1 card.\n" in kb("cards name:Machete set:core").out


def test_a_server_without_its_driver_names_the_extra(sources, tmp_path):
    program = (
        "import sys; sys.modules['psycopg'] = None; sys.argv = ['kb', 'search', 'fork']; from kb.cli import run; run()"
    )
    env = {
        "KB_DATABASE_URL": "postgresql://nobody@localhost/none",
        "KB_SOURCES": str(sources.root),
        "KB_HOME": str(tmp_path / "h"),
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=env,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "cardlore-kb[postgres]" in done.stderr
    assert "bug in kb" not in done.stderr


def test_a_link_that_leads_nowhere_suggests_the_nearest(kb, sources):
    sources.entry(
        "chess/pin", "Pin", "As [[castlings]] and [[rulebook/forks]]. Not [[zzz]].", covers="[]", see="[chess/castlng]"
    )
    done = kb("doctor --content", sources.root / "content")
    assert "[[castlings]] leads nowhere; did you mean chess/castling?" in done.out
    assert "[[rulebook/forks]] leads nowhere; did you mean chess/fork?" in done.out
    assert "there is no entry 'chess/castlng'; did you mean chess/castling?" in done.out
    assert "[[zzz]] leads nowhere\n" in done.out


def test_the_doctor_lists_folders_and_scopes(kb, sources, tmp_path):
    printed = kb("doctor").out
    for part in ("sources ", "catalog ", "your data", "settings ", "scope     chess"):
        assert part in printed
    assert "chess" in kb("doctor --json").json["scopes"]


def test_one_missing_comma_is_one_mistake(kb, tmp_path, monkeypatch):
    root = Path(__file__).resolve().parents[2]
    for part in ("content/pathfinder", "cards/pathfinder"):
        shutil.copytree(root / part, tmp_path / part)
    file = tmp_path / "cards/pathfinder/rotr/weapon.json"
    lines = file.read_text(encoding="utf-8").split("\n")
    lines[2] = lines[2].replace(",", "", 1)
    file.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("KB_SOURCES", str(tmp_path))
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    problems = kb("doctor --json").json["problems"]
    assert problems == ["cards/pathfinder/rotr/weapon.json:3: is not JSON: Expecting ',' delimiter"]
    done = kb("search villain")
    assert done.code == 2
    assert done.err.endswith("1 problem in the sources; nothing was built.\n")
