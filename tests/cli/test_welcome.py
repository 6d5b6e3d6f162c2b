"""`kb` without arguments, `kb --version`, and the notice after an update."""

import json
import re
from pathlib import Path

import pytest

from kb.settings import last_deck


def test_kb_without_arguments_says_what_to_do_next(kb, sources, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = kb()
    assert done.code == 0
    assert "kb use NAME makes one your default" in done.out
    assert done.out.count("  kb ") == 3
    kb("use chess")
    Path("mine.yaml").write_text("game: nothing\n", "utf-8")
    kb("deck check mine.yaml")
    done = kb()
    assert "Your default game is chess" in done.out
    assert "kb deck check mine.yaml" in done.out
    Path("mine.yaml").unlink()
    assert last_deck() is None, "kb does not name a deleted deck"
    assert "kb deck new NAME" in kb().out


def test_the_version_names_the_documents(kb, real):
    printed = kb("--version").out.splitlines()
    assert printed[0].startswith("kb ")
    assert any("Frequently Asked Questions: version 2.5, 2026-02" in line for line in printed)
    assert any("Rise of the Runelords rulebook" in line for line in printed)


@pytest.mark.extended
def test_an_update_is_told_once(own_home):
    from tests.cli.screen import run

    env = {"KB_HOME": str(own_home)}
    assert run("use", env=env)[1] == run("use", env=env)[1]
    settings = own_home / "settings.json"
    seen = json.loads(settings.read_text("utf-8"))
    seen["seen"]["catalog"] = "of another day"
    seen["seen"]["documents"]["arkham/faq"] = "FAQ 2.4"
    seen["seen"]["entries"] -= 2
    del seen["checksum"]  # as in a settings file written by hand
    settings.write_text(json.dumps(seen), "utf-8")
    told = " ".join(run("use", env=env, columns=200)[1])
    assert re.search(r"New in this version of kb: FAQ 2\.5[^;]*, 2 new entries\.", told)
    assert not any("New in this version" in line for line in run("use", env=env)[1])
