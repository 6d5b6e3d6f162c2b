"""Checks many decks in several processes, each with a catalog and facts of its own."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

import typer

from kb.cli.deck_files import UNREADABLE, catalog_here, check_one, read_all
from kb.cli.terminal import warn
from kb.decks.report import Report
from kb.decks.table import Table

_PARTS_A_PROCESS = 4
Checked = tuple[list[Report], bool]


def check_in_processes(files: list[str], options: dict[str, Any], jobs: int) -> Checked:
    """Reports on all decks in their order, and whether something could not be read. Standard input stays in one process."""
    from kb.decks.deckfile import deck_paths
    from kb.decks.nodes import DeckFileError

    paths: list[str] = []
    unreadable = False
    for argument in files:
        try:
            paths += deck_paths([argument])
        except DeckFileError as error:
            warn(str(error))
            unreadable = True
    with catalog_here():
        pass  # built once, before every process looks for it
    size = max(1, -(-len(paths) // (jobs * _PARTS_A_PROCESS)))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    reports: list[Report] = []
    # Ctrl-C ends the pool's own thread too, which would say so; whatever else befalls it reaches us as BrokenProcessPool.
    threading.excepthook = lambda _failure: None
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_quietly) as pool:
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what a process inherits until it has begun
        try:
            done = pool.map(_check_part, parts, [options] * len(parts))
        finally:
            signal.signal(signal.SIGINT, handler)
        try:
            for found, failed in done:
                reports += found
                unreadable = unreadable or failed
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        except BrokenProcessPool:
            warn("A process that checked decks was stopped, perhaps for want of memory; try fewer --jobs.")
            raise typer.Exit(UNREADABLE) from None
    return reports, unreadable


def _end_quietly() -> None:
    """Ctrl-C reaches every process: only the first says something about it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _check_part(paths: list[str], options: dict[str, Any]) -> Checked:
    """Reports on some files, in a process of its own."""
    with catalog_here() as catalog:
        table = Table(catalog.records)
        found = [check_one(file, table, options) for file in read_all(paths)]
    return [report for report in found if report is not None], None in found
