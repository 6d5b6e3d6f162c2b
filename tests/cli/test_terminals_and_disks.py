"""kb with unusual terminals, closed pipes and full disks. The tests run the program `kb`, as a user does."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.screen import Terminal
from tests.conftest import ROOT

KB = [sys.executable, "-c", "from kb.cli import run; run()"]
ESCAPES = (
    '{"investigator_code":"01001","name":"\\u001b[2Jevil\\u009b31m\\u202e","slots":{"\\u001b]0;x\\u0007":1,"01006":1}}'
)
HALF = '{"investigator_code":"01001","name":"half \\ud800","slots":{"\\udfff":1,"01006":1}}'


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Return environment variables for `kb`: KB_SOURCES with the smallest game and the Arkham Horror card facts, and a
    new KB_HOME.
    """
    sources = tmp_path_factory.mktemp("sources")
    shutil.copytree(ROOT / "content/luxor", sources / "content/luxor")
    shutil.copytree(ROOT / "cards/arkham", sources / "cards/arkham")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("KB_")}
    home = str(tmp_path_factory.mktemp("home"))
    return kept | {
        "KB_SOURCES": str(sources),
        "KB_HOME": home,
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
        "KB_PAGER": "cat",
    }


@pytest.fixture
def program(environment, tmp_path):
    """Return a function that runs `kb ARGS…` in a separate process, in an empty folder. The captured output is
    bytes.
    """

    def run(*args, **rest):
        env = environment | dict(rest.pop("env", {}))
        return subprocess.run([*KB, *args], cwd=tmp_path, env=env, timeout=120, capture_output=True, **rest)

    return run


def on_terminal(environment, folder, *args):
    """Run `kb ARGS…` in a pseudo-terminal, and return the output as bytes."""
    with Terminal(*args, folder=folder, env=environment) as terminal:
        terminal.end()
        return terminal.raw


@pytest.mark.parametrize(
    "args",
    [
        ("check", "d.json"),
        ("check", "--json", "d.json"),
        ("show", "d.json"),
        ("party", "d.json"),
        ("check", "n\x1b[2J.txt"),
    ]
    + [("convert", "d.json", "--to", to) for to in ("text", "yaml", "arkhamdb")],
)
def test_a_terminal_gets_no_control_characters_of_a_deck(environment, tmp_path, args):
    (tmp_path / "d.json").write_text(ESCAPES)
    (tmp_path / "n\x1b[2J.txt").write_text("nothing: here\n")
    printed = on_terminal(environment, tmp_path, "deck", *args)
    assert printed.strip()
    for hostile in (b"\x1b[2J", b"\x1b]0;", b"\x07", "\x9b".encode(), "\u202e".encode()):
        assert hostile not in printed


@pytest.mark.parametrize("to", ["text", "yaml", "arkhamdb", "arkham.build"])
def test_an_incomplete_character_in_a_deck_is_harmless(program, tmp_path, to):
    (tmp_path / "d.json").write_text(HALF)
    done = program("deck", "convert", "d.json", "--to", to, "--out", "out")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert "half ?" in (tmp_path / "out").read_text("utf-8")
    assert program("deck", "show", "d.json").returncode == 0
    checked = program("deck", "check", "--json", "d.json")
    assert checked.returncode == 1
    assert json.loads(checked.stdout)[0]["legal"] is False


def test_a_dumb_terminal_gets_plain_text(environment, tmp_path):
    assert b"\x1b" not in on_terminal(environment | {"TERM": "dumb"}, tmp_path, "show", "luxor/scarab")


def test_output_spells_characters_that_its_encoding_lacks(environment, tmp_path):
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    printed = on_terminal(environment | ascii_only, tmp_path, "cards", "type:investigator Patel")
    assert b"Andr\\xe9" in printed


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_closed_streams_are_not_an_error(program, closed):
    done = program("deck", "check", "-", preexec_fn=lambda: os.close(closed))
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert closed == 2 or b"is empty" in done.stderr


def test_a_closed_pipe_is_not_an_error(environment, tmp_path):
    command = [*KB, "cards", "type:asset", "--limit", "5000"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(120) == 0


def test_a_full_disk_gives_an_error_message(program):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*KB, "--version"],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (2, b"Standard output: No space left on device.\n")


@pytest.mark.parametrize("home", ["file", "file/below", "x" * 300, "~nobody-of-this-name/x"])
def test_a_home_that_cannot_be_used(program, tmp_path, home):
    (tmp_path / "file").write_text("")
    done = program("search", "scarab", env={"KB_HOME": home})
    assert b"Traceback" not in done.stderr
    assert b"damaged" not in done.stderr
    if home.startswith("file"):
        assert done.returncode == 2
        assert b"cannot be written to" in done.stderr
        assert b"KB_HOME" in done.stderr


def test_a_bug_in_kb_gives_a_message_and_exit_code_2(environment, tmp_path):
    failing = "import kb.cli; kb.cli.main = lambda: 1 / 0; kb.cli.run()"
    done = subprocess.run(
        [sys.executable, "-c", failing], env=environment, cwd=tmp_path, capture_output=True, timeout=60
    )
    assert done.returncode == 2
    assert b"ZeroDivisionError" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_site_does_not_replace_a_pipe(program, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = program("site", "build", "--out", "pipe")
    assert (done.returncode, b"pipe" in done.stderr) == (2, True)
    assert (tmp_path / "pipe").is_fifo()
