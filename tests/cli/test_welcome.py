"""`kb` alone, `kb --version`, and what an update has brought."""

import json
from pathlib import Path

import pytest

from kb.cli.welcome import news
from kb.settings import last_deck

BEFORE = {"catalog": "a", "documents": {"chess/book": "Book 1 (2024)", "chess/faq": "FAQ"}, "entries": 10}


def test_kb_alone_says_what_to_do_next(kb, sources, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = kb()
    assert done.code == 0
    assert "No game is chosen" in done.out
    assert done.out.count("  kb ") == 3
    kb("use chess")
    Path("mine.yaml").write_text("game: nothing\n", "utf-8")
    kb("deck check mine.yaml")
    done = kb()
    assert "You play chess" in done.out
    assert "kb deck check mine.yaml" in done.out
    Path("mine.yaml").unlink()
    assert last_deck() is None, "a deck that has gone is not named"
    assert "kb deck new NAME" in kb().out


def test_the_version_names_the_documents(kb, real):
    printed = kb("--version").out.splitlines()
    assert printed[0].startswith("kb ")
    assert any("Frequently Asked Questions: version 2.5, 2026-02" in line for line in printed)
    assert any("Rise of the Runelords rulebook" in line for line in printed)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({"documents": BEFORE["documents"], "entries": 99}, ""),
        (
            {"documents": {"chess/book": "Book 2 (2025)", "chess/faq": "FAQ"}, "entries": 12},
            "Book 2 (2025); 2 entries more.",
        ),
        ({"documents": {"chess/book": "Book 1 (2024)", "chess/go": "Go"}, "entries": 3}, "since the last time: Go."),
    ],
)
def test_what_is_new_is_what_a_document_changed(now, said):
    assert news({}, now) == "", "who begins has missed nothing"
    told = news(BEFORE, now)
    assert said in told
    assert bool(said) == bool(told)


def test_an_update_is_told_once(own_home):
    from tests.cli.screen import run

    env = {"KB_HOME": str(own_home)}
    assert run("use", env=env)[1] == run("use", env=env)[1]
    settings = own_home / "settings.json"
    seen = json.loads(settings.read_text("utf-8"))
    seen["seen"]["catalog"] = "of another day"
    seen["seen"]["documents"]["arkham/faq"] = "FAQ 2.4"
    del seen["checksum"]  # written by hand
    settings.write_text(json.dumps(seen), "utf-8")
    assert any("New in kb since the last time: FAQ 2.5" in line for line in run("use", env=env)[1])
    assert not any("New in kb" in line for line in run("use", env=env)[1])
