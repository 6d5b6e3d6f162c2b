"""Commands, and the processes that they start, open no server unless the user asks for one."""

import json
import os
import shlex
import subprocess
import sys

import pytest
import typer

from kb.cli import app, register_commands
from tests.cli.test_printed import CAMPAIGN, RUN, write_files
from tests.conftest import ROOT, chess
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
SERVERS = {"serve", "site serve"}
LINES = {
    **{name: lines[0] for name, lines in RUN.items()},
    "deck judge": "many.jsonl --out many.out.jsonl --jobs 2",
    "deck check": "kyra.yaml",
    "deck show": "kyra.yaml",
    "deck new": "Kyra --out new.yaml",
    "deck page": "kyra.yaml --out deck.html",
    "deck party": "kyra.yaml",
    "deck convert": "roland.yaml --to text",
    "party new": "kyra.yaml --out party.yaml",
    "campaign record": "camp --yes --say scenario=1.1 --say won=yes",
    "campaign undo": "camp --yes",
    "campaign page": "camp --out page.html",
    "site build": "--out site",
    "new game": "draughts",
    "build": "",
    "use": "mm",
    "mcp": "",
}
SMALL = ("doctor", "export", "build", "site build", "new game")
"""Commands that run with small sources, because they would take too long with the repository's content."""
ALONE = (*SMALL, "deck judge", "import arkhamdb", "mcp")
"""Commands that run in a process of their own: with other sources, with child processes, or with other card data."""
ONE_BY_ONE = """
import json, sys
from kb.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["kb", *words]
    try:
        main()
    except SystemExit as ended:
        assert ended.code in (0, 1, None), words
"""
"""Runs the commands in the JSON argument one after another."""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
ASKED = [
    {"id": 0, "method": "initialize", "params": HELLO},
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "mulligan"}}},
]


@pytest.fixture
def listened(tmp_path, monkeypatch):
    """Return a function that runs Python with some arguments in a separate process. It returns the finished process,
    and a text that lists the addresses on which the process and its child processes listened.
    """
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH, "utf-8")
    monkeypatch.chdir(tmp_path)
    listening = tmp_path / "listening.txt"

    def run(*words):
        listening.write_text("")
        places = os.pathsep.join([str(tmp_path / "watch"), str(ROOT)])
        env = {**os.environ, "PYTHONPATH": places, "KB_TEST_LISTENED": str(listening)}
        asked = "".join(f"{json.dumps({'jsonrpc': '2.0', **each})}\n" for each in ASKED) if "mcp" in words else ""
        words = [sys.executable, *words]
        done = subprocess.run(words, env=env, input=asked, capture_output=True, text=True, timeout=300)
        return done, listening.read_text("utf-8")

    return run


def commands(group, before=""):
    """Yield the full name of every command in a Typer group, including hidden commands. `before` is the group's own
    name with a space.
    """
    for name, each in group.commands.items():
        yield from commands(each, f"{before}{name} ") if hasattr(each, "commands") else [f"{before}{name}"]


def test_every_command_is_in_the_table():
    register_commands()
    assert set(LINES) | SERVERS == set(commands(typer.main.get_command(app)))


@pytest.fixture
def inputs(own_home, tmp_path, monkeypatch):
    """The files that the commands read, and a KB_HOME with the existing catalog."""
    write_files(tmp_path)
    monkeypatch.setenv("KB_HOME", str(own_home))


@pytest.mark.extended
@pytest.mark.parametrize("command", ALONE)
def test_no_command_listens(command, listened, inputs, tmp_path, monkeypatch):
    if command in SMALL:
        monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("KB_SOURCES", str(chess(tmp_path / "sources").root))
    if command == "deck judge":
        write_decks(tmp_path / "many.jsonl", 2500)
    done, places = listened("-m", "kb", *command.split(), *shlex.split(LINES[command]))
    assert done.returncode in (0, 1), done
    assert "bug in kb" not in done.stderr
    assert places == ""


@pytest.mark.extended
def test_no_other_command_listens(listened, inputs):
    others = [[*name.split(), *shlex.split(LINES[name])] for name in sorted(LINES) if name not in ALONE]
    first = ["campaign", "new", "camp", *CAMPAIGN.split()]
    done, places = listened("-c", ONE_BY_ONE, json.dumps([first, *others]))
    assert (done.returncode, places) == (0, ""), done
    assert "bug in kb" not in done.stderr


@pytest.mark.extended
def test_a_single_judging_process_does_not_listen(listened, real, tmp_path):
    write_decks(tmp_path / "decks.jsonl", 2500)
    done, places = listened("-m", "kb", "deck", "judge", "decks.jsonl", "--out", "one.jsonl")
    assert (done.returncode, places) == (0, "")


def test_the_test_notices_a_server_in_a_child_process(listened):
    starts = "import multiprocessing as m; m.set_start_method('forkserver'); p = m.Process(target=print); p.start(); p.join()"
    assert "listen" in listened("-c", starts)[1]
