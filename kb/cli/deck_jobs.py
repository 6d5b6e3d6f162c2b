"""Checks many decks in several processes, each with a catalog and facts of its own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

import typer

from kb.cli.deck_files import UNREADABLE, catalog_here, check_one, read_each
from kb.cli.terminal import warn
from kb.decks.nodes import DeckFileError
from kb.decks.report import Report
from kb.decks.table import Table

_PARTS_A_PROCESS = 4
Checked = Report | DeckFileError


def check_in_processes(files: list[str], options: dict[str, Any], jobs: int) -> Iterator[Checked]:
    """The report on each deck in their order, or why there is none. Standard input stays in one process."""
    from kb.decks.deckfile import deck_paths

    paths: list[str] = []
    for argument in files:
        try:
            paths += deck_paths([argument])
        except DeckFileError as error:
            yield error
    with catalog_here():
        pass  # built once, before every process looks for it
    size = max(1, -(-len(paths) // (jobs * _PARTS_A_PROCESS)))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    # Ctrl-C ends the pool's own thread too, which would say so; whatever else befalls it reaches us as BrokenProcessPool.
    threading.excepthook = lambda _failure: None
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_quietly) as pool:
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what a process inherits until it has begun
        try:
            done = pool.map(_check_part, parts, [options] * len(parts))
        finally:
            signal.signal(signal.SIGINT, handler)
        try:
            for found in done:
                yield from found
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        except BrokenProcessPool:
            warn("A process that checked decks was stopped, perhaps for want of memory; try fewer --jobs.")
            raise typer.Exit(UNREADABLE) from None


def _end_quietly() -> None:
    """Ctrl-C reaches every process: only the first says something about it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _check_part(paths: list[str], options: dict[str, Any]) -> list[Checked]:
    """Reports on some files, in a process of its own."""
    with catalog_here() as catalog:
        table = Table(catalog.records)
        return [check_one(file, table, options) for file in read_each(paths)]
