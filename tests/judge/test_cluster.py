"""Judging on a Dask cluster with a real scheduler and two workers. The test kills one of the workers."""

import os
import subprocess
import sys
import time

import pytest

from tests.judge.conftest import ROOT, parts_in, start, verdicts

pytest.importorskip("distributed")


@pytest.fixture
def scheduler(here):
    """Start a scheduler and two workers in separate processes. The workers have no catalog of kb."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "KB_HOME": str(here / "nothing-here")}
    run = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    file = here / "scheduler.json"
    quiet = {"env": env, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    first = subprocess.Popen(
        [*run, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)], **quiet
    )
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny",
              "--no-dashboard", "--local-directory", str(here / "space")]  # fmt: skip
    for _ in range(600):
        if file.exists() and file.stat().st_size:
            break
        time.sleep(0.1)
    import json

    address = json.loads(file.read_text())["address"]
    workers = [subprocess.Popen(worker, **quiet) for _ in range(2)]
    try:
        yield address, workers
    finally:
        for process in (*workers, first):
            process.kill()
            process.wait()


def test_every_deck_gets_one_verdict_if_a_worker_is_killed(kb, here, scheduler, decks):
    address, workers = scheduler
    decks(8000)
    process = start("deck", "judge", "decks.jsonl", "--out", "verdicts.jsonl", "--cluster", address)
    while len(parts_in(here / "verdicts.jsonl")) < 2:
        assert process.poll() is None, process.communicate(timeout=60)
        time.sleep(0.01)
    workers[0].kill()
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert kb("deck judge decks.jsonl --out alone.jsonl").code == 0
    assert (here / "verdicts.jsonl").read_bytes() == (here / "alone.jsonl").read_bytes()
    assert len(verdicts(here / "verdicts.jsonl")) == 8000


def test_a_missing_scheduler_gives_an_error_message(kb, here, monkeypatch, decks):
    monkeypatch.setattr("kb.judge.workers.PATIENCE", 1)
    decks(3)
    before = sorted(here.iterdir())
    assert (
        "There is no Dask scheduler at tcp://"
        in kb("deck judge decks.jsonl --out v.jsonl --cluster tcp://127.0.0.1:9").refusal
    )
    assert sorted(here.iterdir()) == before


def test_an_invalid_scheduler_address_starts_no_cluster(kb, decks):
    decks(3)
    for address in ("processes", "127.0.0.1:8786", " "):
        assert "tls://HOST:8786" in kb("deck judge decks.jsonl --out v.jsonl --cluster {}", address).refusal


@pytest.mark.parametrize("option", ["--jobs 2", "--cluster tcp://127.0.0.1:9"])
def test_without_dask_the_extra_is_named(kb, decks, monkeypatch, option):
    decks(3)
    for name in ("dask", "dask.bag", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install 'cardlore-kb[many]'" in kb(f"deck judge decks.jsonl --out v.jsonl {option}").refusal
    assert kb("deck judge decks.jsonl --out v.jsonl").code == 0
