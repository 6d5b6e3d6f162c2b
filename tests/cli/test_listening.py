"""Commands, and the processes that they start, listen for connections only on request."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.judge.conftest import write_decks

WATCH = """
import os, socket
for name in ("bind", "listen"):
    def watched(self, *given, real=getattr(socket.socket, name), name=name):
        with open(os.environ["KB_TEST_LISTENED"], "a") as file:
            print(name, self.family, *given, file=file)
        return real(self, *given)
    setattr(socket.socket, name, watched)
"""
COMMANDS = (
    "deck judge decks.jsonl --out one.jsonl",
    "deck judge decks.jsonl --out two.jsonl --jobs 2",
    "deck check decks.jsonl",
    "build",
    "mcp",
    "search hunter",
    "export all",
    "doctor",
)


@pytest.fixture
def listened(real, tmp_path, monkeypatch):
    """Run kb in a separate process; return the addresses on which it and its child processes listen."""
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH, "utf-8")
    monkeypatch.chdir(tmp_path)
    listening = tmp_path / "listening.txt"

    def run(*words):
        listening.write_text("")
        places = os.pathsep.join([str(tmp_path / "watch"), str(ROOT)])
        env = {**os.environ, "PYTHONPATH": places, "KB_TEST_LISTENED": str(listening)}
        words = [sys.executable, *words]
        done = subprocess.run(words, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        return done, listening.read_text("utf-8")

    return run


@pytest.mark.extended
@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_listens(listened, tmp_path, line):
    write_decks(tmp_path / "decks.jsonl", 2500)
    done, places = listened("-m", "kb", *line.split())
    assert done.returncode in (0, 1), done
    assert places == ""


def test_the_watch_notices_a_server_of_a_child(listened):
    starts = "import multiprocessing as m; m.set_start_method('forkserver'); p = m.Process(target=print); p.start(); p.join()"
    assert "listen" in listened("-c", starts)[1]
