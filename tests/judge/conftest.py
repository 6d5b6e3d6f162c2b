import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import ROOT


def deck(number, **more):
    """Return a deck of Roland Banks as a dict in ArkhamDB's export format. The deck is legal if `number % 3` is 2;
    otherwise it lacks one or two cards. `more` are further keys.
    """
    slots = {
        "01006": 1,
        "01007": 1,
        "01000": 1,
        **{f"010{code}": 2 for code in (*range(16, 26), *range(31, 35))},
        "01030": number % 3,
    }
    return {"id": number, "name": f"Deck {number}", "investigator_code": "01001", "slots": slots, **more}


def write_decks(path, many):
    path.write_text("".join(json.dumps(deck(number)) + "\n" for number in range(1, many + 1)), "utf-8")
    return path


def verdicts(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def here(real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def decks(here):
    """Return a function that writes an archive with the given number of decks."""
    return lambda many: write_decks(here / "decks.jsonl", many)


def start(*words, **more):
    """Start `kb WORDS…` in a separate process, and return the process. `more` are arguments of Popen."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", "kb", *words], env=env, text=True, stderr=subprocess.PIPE, **more)


def parts_in(out):
    """Return the paths of the parts of the output file `out` that a run has finished so far."""
    return list(out.with_name(f"{out.name}.parts").glob("part-*.jsonl"))


def kill_when(process, out, many):
    """Kill a process when it has finished `many` parts of the output file `out`. Return False if the process ended
    first.
    """
    for _ in range(12000):
        if process.poll() is not None:
            return False
        if len(parts_in(out)) >= many:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.01)
    raise AssertionError("the process wrote too few parts within two minutes")
