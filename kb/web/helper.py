"""Long work in a process of its own, which is ended when it takes too long: an answer is bounded in time, whatever is asked."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from kb.api.session import Session
from kb.errors import KbError
from kb.web.work import Answered, answered

MOST_WAITING = 20
STARTING = 60.0
LEAST = 0.2
"""Seconds that the last in the queue still has: an ended process costs all others more than they."""


class BusyError(KbError):
    """Too much is waiting, or the work took too long; the message is a sentence."""


class Helper:
    """A process that holds a session open and does one thing after the other. `seconds` bounds each with its wait,
    `waiting` how many may wait."""

    def __init__(self, seconds: float, waiting: int = MOST_WAITING) -> None:
        self.seconds = seconds
        self.waiting = waiting
        self._lock = asyncio.Lock()
        self._waiting = 0
        self._process: Any = None
        self._pipe: Connection | None = None

    async def ask(self, work: Callable[..., Any], *given: Any) -> Answered:
        """The answer that `work(session, *given)` makes (both cross to the process). Raises BusyError.

        The time that it waits for others counts.
        """
        if self._waiting >= self.waiting:
            raise BusyError("Too many are waiting; ask again in a moment.")
        self._waiting += 1
        clock = asyncio.get_running_loop().time
        until = clock() + self.seconds
        try:
            async with asyncio.timeout(self.seconds):
                await self._lock.acquire()
            try:
                return await asyncio.to_thread(self._ask, work, given, max(until - clock(), LEAST))
            finally:
                self._lock.release()
        except TimeoutError:
            raise BusyError(f"Others were before this for {self.seconds:g} seconds; ask again in a moment.") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _ask(self, work: Callable[..., Any], given: tuple[Any, ...], seconds: float) -> Answered:
        try:
            pipe = self._opened()
            pipe.send((work, given))
            if pipe.poll(seconds):
                found: Answered = pipe.recv()
                return found
        except (EOFError, OSError):
            self.close()
            raise BusyError("The process that does this has gone; ask again.") from None
        self.close()
        raise BusyError(f"This takes longer than {self.seconds:g} seconds, which is the limit.")

    def _opened(self) -> Connection:
        if self._process is not None and not self._process.is_alive():
            self.close()
        if self._pipe is None:
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(STARTING):
                self.close()  # else what it says of itself when it is ready would be taken for the first answer
                raise BusyError("The process that does this has not started yet; ask again in a moment.")
            self._pipe.recv()
        return self._pipe


def settle() -> None:
    """Look through memory for rubbish less often: what is open stays, what a request makes is gone with it, and a look takes as long
    as many searches."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _serve(pipe: Connection) -> None:
    """Do what comes through the pipe until it closes."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Session(own=False, files=False) as session:
        pipe.send("ready")
        settle()
        while True:
            try:
                work, given = pipe.recv()
            except (EOFError, OSError):
                return
            pipe.send(answered(session, work, *given))
