"""Checks many decks in several processes, each with a catalog and facts of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from kb.catalog.store import open_catalog
from kb.decks.contract import check_one
from kb.decks.deckfile import deck_paths
from kb.decks.games import Table
from kb.decks.nodes import DeckFileError
from kb.decks.reading import read_each
from kb.decks.report import Report
from kb.errors import KbError

_PARTS_A_PROCESS = 4
Checked = Report | DeckFileError


class StoppedError(KbError, RuntimeError):
    """A process that checked decks has gone."""


def check_in_processes(files: Iterable[str], options: Mapping[str, Any], jobs: int, own: bool) -> Iterator[Checked]:
    """The report on each deck in their order, or why there is none. The catalog (with the
    user's `own` cards) must be built. Raises StoppedError."""
    paths: list[str] = []
    for argument in files:
        try:
            paths += deck_paths([argument])
        except DeckFileError as error:
            yield error
    size = max(1, -(-len(paths) // (jobs * _PARTS_A_PROCESS)))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    # Ctrl-C ends the pool's own thread too, which would say so; whatever else befalls it reaches us as BrokenProcessPool.
    threading.excepthook = lambda _failure: None
    with ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=end_with_parent
    ) as pool:
        with interrupts_waiting():
            done = pool.map(_check_part, parts, [dict(options)] * len(parts), [own] * len(parts))
        try:
            for found in done:
                yield from found
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        except BrokenProcessPool:
            raise StoppedError(
                "A process that checked decks was stopped, perhaps for want of memory; try fewer --jobs."
            ) from None


@contextmanager
def interrupts_waiting() -> Iterator[None]:
    """Processes that begin now are told of a Ctrl-C when they have begun, and so is this one afterwards: none says anything of its own,
    and it is not lost. Where signals cannot wait (Windows) it is."""
    if sys.platform == "win32":
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """What a process does first: Ctrl-C ends it quietly (only the first says something), and so does the end of the first.

    A process that is killed outright tells nobody. The system does: it closes the pipe of which each other process holds the end.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as the first does in a script's background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _check_part(paths: list[str], options: dict[str, Any], own: bool) -> list[Checked]:
    """Reports on some files, in a process of its own."""
    with open_catalog(own=own) as catalog:
        table = Table(catalog.records)
        return [check_one(file, table, options) for file in read_each(paths)]
