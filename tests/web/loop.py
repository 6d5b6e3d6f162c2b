"""Runs coroutines of tests in a separate thread, as a browser's event loop may run in the thread of the tests."""

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
LONGEST = 300
"""Time limit in seconds. Later a thread is abandoned: a client that waits for a hanging program must not block the tests."""


def run(work):
    """Run a coroutine, and return its result."""
    told = Future()

    def apart():
        try:
            told.set_result(asyncio.run(work))
        except BaseException as error:
            told.set_exception(error)

    Thread(target=apart, daemon=True).start()
    return told.result(LONGEST)
