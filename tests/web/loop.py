"""Runs coroutines of tests in a separate thread, because the tests' own thread may be running a browser's event
loop.
"""

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
LONGEST = 300
"""Time limit in seconds. After it, the thread is abandoned, so that a hanging program does not block the tests."""


def run(work):
    """Run the coroutine `work` in a separate thread, and return its result. Fails after LONGEST seconds."""
    told = Future()

    def apart():
        try:
            told.set_result(asyncio.run(work))
        except BaseException as error:
            told.set_exception(error)

    Thread(target=apart, daemon=True).start()
    return told.result(LONGEST)
