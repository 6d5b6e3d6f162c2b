"""Runs a reader on one input and says what is wrong: another error than a sentence, too long, too much memory, a write elsewhere."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.cli.terminal import visible
from kb.errors import KbError
from tests.fuzz.reader import Reader

MOST_SECONDS, CUT_OFF = 1.0, 20.0
MOST_MEMORY = 300
"""MB that an input may add to what the process had when its reader was ready."""
LONGEST_SENTENCE = 200_000
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
WRITES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.chmod"}
RUNS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class TooLong(BaseException):
    """The processor was busy with one input for `CUT_OFF` seconds."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong: by its `kind` two faults are told apart."""

    kind: str
    what: str


class Watch:
    """Watches a reader. `seconds` 0: its time is not watched (a plain test run: a busy machine is no fault)."""

    def __init__(self, reader: Reader, folder: Path, seconds: float) -> None:
        self.reader, self.seconds = reader, seconds
        self._may = tuple(f"{os.path.realpath(place)}{os.sep}" for place in (folder, *reader.also))
        self._outside: list[str] = []
        self._listening = False
        sys.addaudithook(self._heard)
        gc.collect()
        gc.freeze()
        self._memory = memory()
        self.slowest = 0.0

    def tried(self, data: bytes) -> Fault | None:
        """Read one input; what is wrong with how that went."""
        found, took = self._read(data)
        if found is None and self.seconds and took > self.seconds:
            again = [self._read(data)[1] for _ in range(2)]  # the machine may have been at something else
            took = min(took, *again)
            if took > self.seconds:
                found = Fault("slow", f"{took:.1f} s of the processor")
        self.slowest = max(self.slowest, took)
        grown = memory() - self._memory
        if found is None and grown > MOST_MEMORY:
            self._memory += grown
            found = Fault("memory", f"{grown} MB more than before")
        return found

    def _read(self, data: bytes) -> tuple[Fault | None, float]:
        self._outside.clear()
        told: Any = ""
        fault: Fault | None = None
        started = time.process_time()
        try:
            with limited():
                self._listening = True
                told = self.reader.read(data)
        except KbError as error:
            told = str(error)
            if not told.strip() or len(told) > LONGEST_SENTENCE:
                fault = Fault("sentence", f"{type(error).__name__} of {len(told)} characters")
        except (Exception, TooLong) as error:
            at = next(
                (row for row in reversed(traceback.extract_tb(error.__traceback__)) if "/kb/" in row.filename), None
            )
            place = f"{Path(at.filename).name}:{at.lineno}" if at else "?"
            fault = Fault(f"{type(error).__name__} at {place}", str(error)[:300])
        finally:
            self._listening = False
        took = time.process_time() - started
        if fault is None and self._outside:
            fault = Fault("outside", ", ".join(self._outside[:3]))
        if fault is None and OBEYED.search(visible(told if isinstance(told, str) else repr(told))):
            fault = Fault("obeyed", "a control character reaches the terminal")
        return fault, took

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        if not self._listening:
            return
        if event == "open":
            path, mode, flags = given
            writes = (isinstance(mode, str) and set(mode) & set("wax+")) or (flags or 0) & WRITING
            if isinstance(path, str | bytes) and writes and os.fsdecode(path) != os.devnull:
                self._note(event, path)
        elif event in WRITES:
            two = event in ("os.rename", "os.link")
            handles = [handle for handle in given[1:] if isinstance(handle, int)][-2 if two else -1 :]
            for path, handle in zip(given[: 2 if two else 1], handles, strict=False):
                if (
                    isinstance(path, str | bytes | os.PathLike) and handle == -1
                ):  # else below a folder that was opened before
                    self._note(event, path)
        elif event in RUNS:
            self._outside.append(f"{event} {str(given)[:100]}")

    def _note(self, event: str, path: Any) -> None:
        listening, self._listening = self._listening, False
        if not f"{Path(os.fsdecode(path)).absolute().parent.resolve()}{os.sep}".startswith(self._may):
            self._outside.append(f"{event} {os.fsdecode(path)}")
        self._listening = listening


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Cut off what keeps the processor busy for `CUT_OFF` seconds."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooLong(f"more than {CUT_OFF:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CUT_OFF)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def memory() -> int:
    """The most memory that this process had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def reduced(watch: Watch, data: bytes, kind: str, seconds: float = 15) -> bytes:
    """A smaller input with the same fault: pieces are left out, ever smaller ones, as long as it stays and there is time."""
    size, until = max(1, len(data) // 2), time.process_time() + seconds
    while size and time.process_time() < until:
        at, found = 0, False
        while at < len(data) and time.process_time() < until:
            shorter = data[:at] + data[at + size :]
            fault = watch.tried(shorter)
            if fault is not None and fault.kind == kind:
                data, found = shorter, True
            else:
                at += size
        if not found or size > len(data):
            size //= 2
    return data
