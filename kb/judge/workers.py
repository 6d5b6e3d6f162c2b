"""Judge decks in this process, in several processes on this machine, or on the workers of a Dask cluster.

Processes on this machine communicate through pipes. There is no socket that other users of the machine could connect
to.
"""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from kb.files.bounded import follow_parent
from kb.frozen import frozen
from kb.judge.archive import ArchiveError, ArchiveRow
from kb.judge.verdicts import JudgeRules, judge_rows

PATIENCE = 20  # seconds for a scheduler to answer
NEEDS_DASK = "`kb deck judge` needs Dask for {}: pip install 'cardlore-kb[many]'."
Part = list[ArchiveRow]
Verdicts = tuple[bytes, list[str]]
"""The verdicts on a part, and messages about unreadable decks: the result of `judge_rows`."""


@frozen
class Workers:
    """A group of `many` workers. `judge` yields the verdicts on each part in order, and raises ArchiveError."""

    many: int
    judge: Callable[[list[Part]], Iterable[Verdicts]]


@contextmanager
def workers(jobs: int, cluster: str | None, rules: JudgeRules) -> Iterator[Workers]:
    """Yield workers that judge decks by `rules`.

    They are the workers of the Dask cluster at the address `cluster`, or else `jobs` processes on this machine. Raises
    ArchiveError.
    """
    if cluster is not None:
        with _cluster(cluster, rules) as made:
            yield made
    elif jobs > 1:
        with _processes(jobs, rules) as made:
            yield made
    else:
        yield Workers(1, partial(map, partial(judge_rows, rules=rules)))


@contextmanager
def _processes(jobs: int, rules: JudgeRules) -> Iterator[Workers]:
    """Yield `jobs` worker processes on this machine. They end with the run, even if the run is killed."""
    try:
        from dask.bag import from_sequence
    except ImportError:
        raise ArchiveError(NEEDS_DASK.format("--jobs")) from None
    # `spawn` communicates through pipes; `forkserver` would listen on a socket.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (rules,))

    def judge(parts: list[Part]) -> list[Verdicts]:
        with _stops("A process that judges decks"):
            bag = from_sequence(parts, npartitions=len(parts))  # type: ignore[no-untyped-call]
            return list(bag.map(_judge).compute(scheduler="processes", pool=pool, chunksize=1))

    try:
        yield Workers(jobs, judge)
    finally:
        pool.shutdown(cancel_futures=True)


_rules: JudgeRules | None = None
"""The rules that this process judges by, if it is one of several worker processes."""


def _begin(rules: JudgeRules) -> None:
    """Prepare a worker process: store the rules, ignore Ctrl-C (the command handles it), and end when the command ends."""
    global _rules
    _rules = rules
    follow_parent()


def _judge(part: Part) -> Verdicts:
    """Judge a part by the rules that `_begin` stored in this process."""
    assert _rules is not None
    return judge_rows(part, _rules)


@contextmanager
def _cluster(address: str, rules: JudgeRules) -> Iterator[Workers]:
    """Yield the workers of the Dask scheduler at `address`. Certificates come from Dask's own configuration."""
    try:
        from dask.bag import from_sequence
        from dask.delayed import delayed
        from distributed import Client
    except ImportError:
        raise ArchiveError(NEEDS_DASK.format("--cluster")) from None
    if "://" not in address:  # for an empty address, Dask would start a cluster itself
        raise ArchiveError(f"{address!r} is not the address of a Dask scheduler, such as tls://HOST:8786.")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # Dask raises various errors if it cannot start
        raise ArchiveError(f"There is no Dask scheduler at {address}: {_reason(error)}.") from None
    with client:
        with _stops("The Dask cluster"):
            sent: Any = client.persist(delayed(rules, traverse=False))  # a worker that loses the rules gets them again
            many = max(1, sum(client.nthreads().values()))

        def judge(parts: list[Part]) -> list[Verdicts]:
            with _stops("The Dask cluster"):
                bag = from_sequence(parts, npartitions=len(parts))  # type: ignore[no-untyped-call]
                return list(client.compute(bag.map(judge_rows, sent)).result())

        yield Workers(many, judge)


@contextmanager
def _stops(what: str) -> Iterator[None]:
    """Convert any error of a worker inside the `with` block to an ArchiveError. `what` is the subject of its message."""
    try:
        yield
    except ArchiveError:
        raise
    except (Exception, CancelledError) as error:
        raise ArchiveError(
            f"{what} has stopped ({type(error).__name__}: {_reason(error)}). Run the same command to continue."
        ) from error


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split())[:250].rstrip(".")
