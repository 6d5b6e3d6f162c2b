"""What a reader is to the fuzzing: where its inputs come from, and what is done with one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz.mutate import Corpus


@dataclass(frozen=True, slots=True)
class Reader:
    """`read` takes an input and gives what is told of it (anything that holds the texts that people see); a KbError is an answer too.

    `also` are places besides the run's own folder that it may write to.
    """

    corpus: Corpus
    read: Callable[[bytes], Any]
    also: tuple[Path, ...] = ()


Opener = Callable[[Path], Reader]
"""Makes a reader ready, with a folder of its own to write to."""
