"""Coroutines of tests, run in a thread of their own: a browser's event loop may run in the thread of the tests."""

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
LONGEST = 300
"""Seconds. Who is not done then is left behind: a client that waits for a program that hangs must not hang the tests."""


def run(work):
    """What the coroutine returns."""
    told = Future()

    def apart():
        try:
            told.set_result(asyncio.run(work))
        except BaseException as error:
            told.set_exception(error)

    Thread(target=apart, daemon=True).start()
    return told.result(LONGEST)
