"""Measures how many decks per second kb judges, and how much more processor time several processes need than one.

    python tests/benchmarks/bench_archives.py [DECKS] [JOBS]

The script writes an archive of Roland Banks decks, some of them with missing cards. It judges the archive in one
process, then in JOBS processes of a local Dask cluster. Processor time includes all processes that kb starts. The
script only prints figures; no figure makes it fail.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.judge.conftest import write_decks  # noqa: E402  (the repository comes first on the path)


def run(*words):
    """Run `kb WORDS…`, and return the elapsed time and the processor time, both in seconds."""
    before, began = getrusage(RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "kb", *words],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    after = getrusage(RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, used


def main(decks, jobs):
    """Judge an archive of `decks` decks in one process and in `jobs` processes, and print the figures of both runs."""
    with tempfile.TemporaryDirectory() as folder:
        archive, out = Path(folder, "decks.jsonl"), str(Path(folder, "verdicts.jsonl"))
        write_decks(archive, decks)
        few = write_decks(Path(folder, "one.jsonl"), 1)
        alone = 0.0
        for name, more in (
            ("one process", ()),
            (f"{jobs} processes", ("--jobs", str(jobs))),
        ):
            started = run("deck", "judge", str(few), "--out", out, "--force", *more)
            clock, used = run("deck", "judge", str(archive), "--out", out, "--force", *more)
            clock, used = clock - started[0], used - started[1]
            alone = alone or used
            print(
                f"{name}: {decks / clock:,.0f} decks/s, {decks / used:,.0f} per second of processor time "
                f"({used / alone - 1:+.0%} processor time); start-up takes {started[0]:.1f} s, "
                f"{started[1]:.1f} s of processor time"
            )


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:3]]
    main(*(given + [20_000, 2][len(given) :]))
