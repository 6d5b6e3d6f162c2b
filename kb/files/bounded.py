"""Read untrusted files in a separate process, which is stopped if it uses too much time or memory."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from kb.errors import KbError
from kb.frozen import frozen

Tell = Callable[[float], None]
"""A function that is called with the finished share of the work (0 to 1)."""


class TooMuchWorkError(KbError):
    """The work exceeded its limits of time or memory. The message is written for users."""


@frozen
class Limits:
    """The limits of a process: time in seconds, and memory in bytes (address space, on systems that can limit it)."""

    seconds: float
    memory: int


def bounded(work: Callable[..., Any], *given: Any, limits: Limits, tell: Tell | None = None) -> Any:
    """Run `work(*given, tell)` in a separate process and return its result. Functions, arguments and results must be
    picklable.

    Raises TooMuchWorkError if a limit is reached or the process dies. If `work` raises KbError or OSError, that error
    is raised here.
    """
    with _started(work, given, limits) as pipe:
        until = time.monotonic() + limits.seconds
        while pipe.poll(max(0.0, until - time.monotonic())):
            done, value = _received(pipe)
            if done:
                return value
            if tell:
                tell(value)
    raise TooMuchWorkError(f"This takes longer than {limits.seconds:g} seconds to read.")


def each_bounded(work: Callable[..., Any], *given: Any, limits: Limits) -> Iterator[Any]:
    """Run `work(*given, send)` in a separate process, and yield each value that it passes to `send`. The process waits
    until a value is used.

    `limits.seconds` is the time for each value. Raises the same errors as `bounded`.
    """
    with _started(work, given, limits) as pipe:
        while pipe.poll(limits.seconds):
            done, value = _received(pipe)
            if done:
                return
            yield value
    raise TooMuchWorkError(f"The next part takes longer than {limits.seconds:g} seconds to read.")


@contextlib.contextmanager
def _started(work: Callable[..., Any], given: tuple[Any, ...], limits: Limits) -> Iterator[Connection]:
    """Start the process and yield the pipe that it sends on. The process is ended after the `with` block."""
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, work, given, limits.memory), daemon=True)
    process.start()
    theirs.close()
    try:
        yield pipe
    except EOFError:
        raise TooMuchWorkError(
            f"This is damaged, or takes more than {limits.memory // 1_000_000:,} MB of memory to read."
        ) from None
    finally:
        process.kill()
        process.join()
        pipe.close()


def _received(pipe: Connection) -> tuple[bool, Any]:
    """Return a message from the process: True with its result, or False with a value that it sent earlier. Raises the
    error that the work raised.
    """
    kind, value = pipe.recv()
    if kind == "error":
        raise value
    return kind == "done", value


def _run(pipe: Connection, work: Callable[..., Any], given: tuple[Any, ...], memory: int) -> None:
    """Do the work in the separate process and send its result to `pipe`."""
    follow_parent()
    if sys.platform not in {"win32", "emscripten"}:
        import resource

        with contextlib.suppress(ValueError, OSError):  # a lower limit is already set
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer = "done", work(*given, lambda value: pipe.send(("sent", value)))
    except MemoryError:
        os._exit(1)
    except Exception as error:
        answer = "error", error
    with contextlib.suppress(BrokenPipeError):
        pipe.send(answer)


def follow_parent() -> None:
    """Ignore Ctrl-C, which the parent process handles. End this process as soon as the parent has ended for any reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := multiprocessing.parent_process():

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()
