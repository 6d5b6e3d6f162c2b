"""Answer the questions of the service in a separate process. The process is ended if an answer takes too long."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from kb.api.searching import NoSuchPlace
from kb.api.session import Session
from kb.api.showing import Ambiguous, Named, NotFound
from kb.catalog.postgres import DatabaseError, without_secrets
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.errors import KbError
from kb.frozen import frozen
from kb.shapes import Jsonable, key

Answered = tuple[int, bytes]
"""An answer: the HTTP status, and JSON."""


@frozen
class Error(Jsonable):
    """The answer to a request that failed."""

    error: str
    """The message, as a sentence."""
    candidates: Sequence[Named] = key("optional", default=())
    """The entries and cards with this name, if there are several."""
    problems: Sequence[DeckProblem] = key("optional", default=())
    """The reasons why the deck cannot be read."""


def answered(session: Session, question: Callable[..., Any], arguments: Mapping[str, Any]) -> Answered:
    """Return the answer to `question(session, **arguments)`. An error is converted to its status and a sentence."""
    try:
        return 200, encoded(session.as_json(question(session, **arguments)))
    except Exception as error:  # one failed request must not stop the others
        return failure(error)


def failure(error: Exception) -> Answered:
    """Return the HTTP status and the JSON for an error.

    404: nothing has the requested name. 409: the name is ambiguous. 422: the deck cannot be read. 503: the catalog
    cannot be read. 500: a bug in kb. 400: any other mistake in the question.
    """
    from kb.sources.problems import SourceError

    status, answer = 400, Error(str(error))
    if isinstance(error, Ambiguous):
        status, answer = 409, Error(str(error), candidates=list(starmap(Named, error.candidates)))
    elif isinstance(error, NotFound | NoSuchPlace):
        status = 404
    elif isinstance(error, DeckFileError):
        status, answer = 422, Error(str(error), problems=error.problems)
    elif isinstance(error, DatabaseError):
        print(f"kb serve: {error}", file=sys.stderr)
        status, answer = 503, Error("The catalog cannot be read at the moment. Try again later.")
    elif not isinstance(error, KbError) or isinstance(error, SourceError):
        print(f"kb serve: {type(error).__name__}: {without_secrets(error)[:300]}", file=sys.stderr)
        status, answer = 500, Error("This is a bug in kb. The log has the details.")
    return status, encoded(answer.as_json({}))


def encoded(value: Any) -> bytes:
    """Encode a value as JSON in UTF-8. Unpaired surrogates, which UTF-8 cannot represent, are escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


MOST_WAITING = 20
STARTING = 60.0
LEAST = 0.2
"""The smallest time limit for answering a question, in seconds, even if the question has waited a long time.
Restarting the process would delay the other questions more.
"""


class BusyError(KbError):
    """Too many questions are waiting, or a question took too long. The message is written for users."""


class Helper:
    """A process that keeps a session open and answers questions one after another.

    `seconds` is the longest time for a question, including the time spent waiting. `waiting` is the greatest number of
    waiting questions.
    """

    def __init__(self, seconds: float, waiting: int = MOST_WAITING) -> None:
        self.seconds = seconds
        self.waiting = waiting
        self._lock = asyncio.Lock()
        self._waiting = 0
        self._process: Any = None
        self._pipe: Connection | None = None

    async def ask(self, question: Callable[..., Any], /, **arguments: Any) -> Answered:
        """Answer `question(session, **arguments)` in the helper process. Function and arguments must be picklable.

        Raises BusyError if too many questions are waiting, or if the answer takes too long. The time spent waiting for
        other questions counts.
        """
        if self._waiting >= self.waiting:
            raise BusyError("Too many requests are waiting. Try again in a moment.")
        self._waiting += 1
        clock = asyncio.get_running_loop().time
        until = clock() + self.seconds
        try:
            async with asyncio.timeout(self.seconds):
                await self._lock.acquire()
            try:
                return await asyncio.to_thread(self._ask, (question, arguments), max(until - clock(), LEAST))
            finally:
                self._lock.release()
        except TimeoutError:
            raise BusyError(f"Other requests took {self.seconds:g} seconds. Try again in a moment.") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the helper process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _ask(self, asked: tuple[Callable[..., Any], dict[str, Any]], seconds: float) -> Answered:
        try:
            pipe = self._opened()
            pipe.send(asked)
            if pipe.poll(seconds):
                answer: Answered = pipe.recv()
                return answer
        except (EOFError, OSError):
            self.close()
            raise BusyError("The worker process has ended. Try again.") from None
        self.close()
        raise BusyError(f"This takes longer than the limit of {self.seconds:g} seconds.")

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
                self.close()  # otherwise the late message "ready" would be read as the first answer
                raise BusyError("The worker process has not started yet. Try again in a moment.")
            self._pipe.recv()
        return self._pipe


def settle() -> None:
    """Make garbage collection rarer, because one collection takes as long as many searches.

    Objects that exist now stay in use, and each request frees its own objects.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _serve(pipe: Connection) -> None:
    """Answer the questions that arrive through `pipe` until it is closed."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Session(own=False, files=False) as session:
        pipe.send("ready")
        settle()
        while True:
            try:
                question, arguments = pipe.recv()
            except (EOFError, OSError):
                return
            pipe.send(answered(session, question, arguments))
