"""No command overwrites its own input, with or without --force, even if the output is another path to that file (such
as a link).
"""

import hashlib
import os

import pytest


@pytest.fixture
def here(real_home, tmp_path, kb, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(real_home))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    assert kb("deck new Lini --out decks/lini.yaml").code == 0
    (tmp_path / "decks" / "v.jsonl").write_text('{"game": "rotr", "character": "Lini"}\n')
    for name in ("lini.yaml", "v.jsonl"):
        (tmp_path / f"soft-{name}").symlink_to(f"decks/{name}")
        os.link(f"decks/{name}", f"hard-{name}")
    return tmp_path


def state(folder):
    """Return the hash of every file in a folder, and the target of every link, by relative path."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if not path.is_dir()
    }


COMMANDS = (
    ("deck", "page", "IN", "--out", "OUT"),
    ("deck", "pull", "IN", "--print", "OUT"),
    ("deck", "stats", "IN", "--against", "own", "--picture", "OUT"),
)


@pytest.mark.extended
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[1])
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_no_command_writes_over_its_input(command, force, here, kb):
    name = "v.jsonl" if command[1] == "stats" else "lini.yaml"
    before = state(here)
    for out in (
        f"decks/{name}",
        f"./decks/../decks/{name}",
        str(here / "decks" / name),
        f"soft-{name}",
        f"hard-{name}",
    ):
        done = kb([*({"IN": f"decks/{name}", "OUT": out}.get(word, word) for word in command), *force]).refusal
        assert "is read by this command" in done
        assert "Traceback" not in done
        assert state(here) == before


def test_an_export_does_not_overwrite_the_older_export_that_it_compares(here, kb):
    (here / "data").mkdir()
    before = state(here)
    assert "is read by this command" in kb("export data --since ./data").refusal
    assert state(here) == before
