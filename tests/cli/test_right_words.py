"""A message about a wrong word suggests the right one."""

import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.extended
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
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "cardlore-kb[postgres]" in done.stderr
    assert "bug in kb" not in done.stderr


@pytest.mark.extended
def test_a_missing_comma_is_reported_as_one_problem(kb, tmp_path, monkeypatch):
    for part in ("content/pathfinder", "cards/pathfinder"):
        shutil.copytree(ROOT / part, tmp_path / part)
    file = tmp_path / "cards/pathfinder/rotr/weapon.json"
    lines = file.read_text("utf-8").split("\n")
    lines[2] = lines[2].replace(",", "", 1)
    file.write_text("\n".join(lines), "utf-8")
    monkeypatch.setenv("KB_SOURCES", str(tmp_path))
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    problems = kb("doctor --json").json["problems"]
    assert problems == ["cards/pathfinder/rotr/weapon.json:3: is not JSON: Expecting ',' delimiter"]
    assert kb("search villain").refusal.endswith("1 problem in the sources; nothing was built.\n")
