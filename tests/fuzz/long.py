"""The long run of the fuzzing, by hand: `python -m tests.fuzz.long --reader NAME --inputs 100000 --seed 1`.

Every reader of kb gets real inputs that were spoiled (tests/fuzz/mutate.py). It may answer or say a sentence (a KbError); anything else
is a fault, and so are more than a second of the processor, 300 MB, a write outside its folder, and control characters on a terminal.
Faults are printed, each kind once, with an input that was made as small as possible and is kept in the folder --save.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.mutate import mutated
from tests.fuzz.reader import Opener
from tests.fuzz.readers import READERS
from tests.fuzz.watch import MOST_SECONDS, Fault, Watch, memory, reduced

SHOWN = 300


@dataclass(frozen=True, slots=True)
class Run:
    """A run: who watched it, for each kind of fault one with its input and number, how often each came, and seconds of the processor."""

    watch: Watch
    found: dict[str, tuple[Fault, bytes, int]]
    often: Counter[str]
    took: float


def run(opener: Opener, inputs: int, seed: int, folder: Path, seconds: float, first: int = 0) -> Run:
    """Try a number of inputs. What a reader writes, its cache and what is temporary too, has to lie in `folder`."""
    tempfile.tempdir = str(folder)
    os.environ["KB_HOME"] = str(folder / "home")
    watch = Watch(opener(folder), folder, seconds)
    found: dict[str, tuple[Fault, bytes, int]] = {}
    often: Counter[str] = Counter()
    started = time.process_time()
    for number in range(first, first + inputs):
        data = mutated(watch.reader.corpus, seed, number)
        if (fault := watch.tried(data)) is not None:
            often[fault.kind] += 1
            found.setdefault(fault.kind, (fault, data, number))
    return Run(watch, found, often, time.process_time() - started)


def scratch() -> str | None:
    """A folder in memory where there is one: the run is about kb, not about the disk."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main() -> int:
    """Run what the command line asks for; exit code 1 when there was a fault."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--reader", action="append", choices=sorted(READERS), help="a reader; all of them by default")
    asked.add_argument("--inputs", type=int, default=100_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--first", type=int, default=0, help="the number of the first input (to try one again)")
    asked.add_argument(
        "--seconds", type=float, default=MOST_SECONDS, help="most seconds of the processor for one input"
    )
    asked.add_argument("--save", type=Path, default=Path(tempfile.gettempdir()) / "kb-fuzz")
    given = asked.parse_args()
    bad = 0
    for name in given.reader or READERS:
        with tempfile.TemporaryDirectory(dir=scratch(), prefix="kb-fuzz-") as folder:
            done = run(READERS[name], given.inputs, given.seed, Path(folder), given.seconds, given.first)
            print(
                f"{name}: {given.inputs:,} inputs, seed {given.seed}: {done.took:.0f} s, slowest {done.watch.slowest:.2f} s, "
                f"{memory()} MB, {done.often.total()} faults of {len(done.found)} kinds",
                flush=True,
            )
            for kind, (fault, data, number) in done.found.items():
                small = reduced(done.watch, data, kind)
                given.save.mkdir(parents=True, exist_ok=True)
                place = given.save / f"{name}-{given.seed}-{number}"
                place.write_bytes(small)
                print(f"  {done.often[kind]}x {kind}: {fault.what}")
                print(f"    {place} ({len(small):,} bytes): {small[:SHOWN]!r}", flush=True)
            bad += len(done.found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
