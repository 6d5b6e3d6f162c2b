"""Coroutines of tests, run in a thread of their own: a browser's event loop may run in the thread of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
LONGEST = 300
"""Seconds. Who is not done then is left behind: a client that waits for a program that hangs must not hang the tests."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns."""
    told: Future[T] = Future()

    def apart() -> None:
        try:
            told.set_result(asyncio.run(work))
        except BaseException as error:
            told.set_exception(error)

    Thread(target=apart, daemon=True).start()
    return told.result(LONGEST)
