"""Who judges: this process, several processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Protocol

from kb.api.deck_jobs import StoppedError, end_with_parent, interrupts_waiting
from kb.archives.judging import Judge, Judged, Rules
from kb.archives.rows import ArchiveError, Row

LOCAL = "local"
PATIENCE = 20  # seconds for a scheduler to answer
_AHEAD = 3  # chunks a process: one that it judges, one that waits for it, one that is being read
Ask = Callable[[list[Row]], Callable[[], Judged]]
"""Hands rows out to be judged; what it gives waits for the verdicts."""


class _Pending(Protocol):
    def result(self) -> Any: ...


def in_order(chunks: Iterable[list[Row]], ask: Ask, ahead: int) -> Iterator[tuple[list[Row], Judged]]:
    """The chunks with their verdicts, in their order, at most `ahead` of them under way: memory does not grow with the archive."""
    waiting: deque[tuple[list[Row], Callable[[], Judged]]] = deque()
    for chunk in chunks:
        waiting.append((chunk, ask(chunk)))
        if len(waiting) > ahead:
            first, verdicts = waiting.popleft()
            yield first, verdicts()
    while waiting:
        first, verdicts = waiting.popleft()
        yield first, verdicts()


@contextmanager
def here(judge: Judge) -> Iterator[tuple[Ask, int]]:
    """This process judges."""

    def ask(rows: list[Row]) -> Callable[[], Judged]:
        return lambda: judge(rows)

    yield ask, 0


@contextmanager
def processes(rules: Rules, jobs: int) -> Iterator[tuple[Ask, int]]:
    """Processes of this machine judge; each opens the rules once. They end when this one does, however that happens."""
    threading.excepthook = lambda _failure: None  # Ctrl-C ends the pool's own thread too, which would say so
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(rules,)) as pool:

        def ask(rows: list[Row]) -> Callable[[], Judged]:
            try:
                with interrupts_waiting():
                    asked: Future[Judged] = pool.submit(_judged, rows)
            except BrokenProcessPool:
                raise _stopped() from None

            def wait() -> Judged:
                try:
                    return asked.result()
                except BrokenProcessPool:
                    raise _stopped() from None

            return wait

        try:
            yield ask, jobs * _AHEAD
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _stopped() -> StoppedError:
    return StoppedError(
        "A process that judged decks was stopped, perhaps for want of memory; the same command goes on from there."
    )


_judge: Judge | None = None


def _begin(rules: Rules) -> None:
    global _judge
    end_with_parent()
    _judge = rules.judge()


def _judged(rows: list[Row]) -> Judged:
    assert _judge is not None
    return _judge(rows)


@contextmanager
def cluster(rules: Rules, address: str, jobs: int) -> Iterator[tuple[Ask, int]]:
    """The workers of a Dask cluster judge: of the scheduler at an address, or (`local`) of `jobs` processes begun for this run.

    The rules go to each worker once, also to one that comes later. A worker that is lost costs nothing but time: what it had
    is judged by another one, and written once. Raises ArchiveError.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ArchiveError("--dask needs Dask: pip install 'cardlore-kb[cluster]'.") from None
    from kb.archives.plugin import RulesPlugin, judged_by_worker

    try:
        local = (
            LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR)
            if address == LOCAL
            else None
        )
        client = Client(local or address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ArchiveError(f"There is no Dask scheduler at {address}: {reason.rstrip('.')}.") from None
    try:
        client.register_plugin(RulesPlugin(rules))

        def ask(rows: list[Row]) -> Callable[[], Judged]:
            asked = client.submit(judged_by_worker, rules.hash, rows, pure=False)
            return lambda: _of_cluster(asked)

        yield ask, max(2, sum(client.nthreads().values())) * _AHEAD
    finally:
        client.close()
        if local is not None:
            local.close()


def _of_cluster(asked: _Pending) -> Judged:
    from distributed import CancelledError, KilledWorker

    try:
        found: Judged = asked.result()
    except KilledWorker:
        raise StoppedError(
            "Several workers of the cluster were lost over the same decks, perhaps for want of memory; the same command goes on from there."
        ) from None
    except (CancelledError, TimeoutError, OSError):
        raise StoppedError("The scheduler of the cluster has gone; the same command goes on from there.") from None
    return found
