"""Coroutines of tests, run in a thread of their own: a browser's event loop may run in the thread of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()
