"""Writes an index in a process of its own, while this one goes on making documents: of tens of thousands each takes half of the time."""

from __future__ import annotations

import gc
import json
import marshal
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import ECHILD, EIO
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from kb.search.document import VALUES, Document, Vocabulary
from kb.search.index import update_index

# Sources of fewer bytes are written down before another Python has started.
WORTH_IT = 2_000_000
BATCH = 500
# What the other process runs; it finds kb, and whatever this one found, where this one does.
BEGIN = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from kb.search.beside import serve; serve()"
Documents = Iterable[Document]
Message = tuple[Any, ...]
END: Message = ()
READY: Message = ("ready",)
Progress = Callable[[float], None]


def is_worth_it(size: int) -> bool:
    """Whether to write the index of sources of so many bytes in a process of its own: with a processor for it, and a Python to run."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return size >= WORTH_IT and cores > 1 and Path(sys.executable or "").name.startswith("python")


@contextmanager
def index_here(
    folder: Path, cards: Documents, others: Documents, vocabulary: Vocabulary, previous: Path | None, progress: Progress
) -> Iterator[None]:
    """Write the index of cards and other documents (see kb.search.index.update_index), then let the caller go on."""
    update_index(folder, others, vocabulary, previous, progress, cards)
    yield


@contextmanager
def index_beside(
    folder: Path, cards: Documents, others: Documents, vocabulary: Vocabulary, previous: Path | None, progress: Progress
) -> Iterator[None]:
    """Write the index of cards and other documents (see kb.search.index.update_index) in a process of its own: the caller goes on when the
    last has come, and the index is there at the end. `vocabulary` is read when the last has come.

    Documents wait beside `folder`, in files that go when they are read: neither process holds many, nor waits for the other. Where none can
    be begun this one writes. Raises OSError as writing does, and ChildProcessError when the process is stopped.
    """
    process = begun()
    try:
        left = map(VALUES, cards)
        first = list(islice(left, BATCH))  # the cards are read while the other process begins
        given = chain(first, left)
        if process is None or not is_ready(process):
            with index_here(folder, (Document(*values) for values in given), others, vocabulary, previous, progress):
                yield
            return
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            tell(process.stdin, (str(folder), str(previous or "")))
            for name, documents in (("cards", given), ("others", map(VALUES, others))):
                for number, batch in enumerate(batches(documents)):
                    place = folder.with_name(f"{folder.name}-{name}-{number}")
                    with place.open("wb") as file:
                        marshal.dump(batch, file)
                    tell(process.stdin, (str(place),))
                tell(process.stdin, END)
            tell(process.stdin, (vocabulary.synonyms, vocabulary.called))
        except EOFError:
            for _share in told(process.stdout):  # it says why it has gone, when it can
                pass
        yield
        for share in told(process.stdout):
            progress(share)
    finally:
        if process is not None:
            end(process)
    progress(1.0)


def begun() -> subprocess.Popen[bytes] | None:
    """The other process; None where the system begins none (its limit is reached, or Python has been moved)."""
    command = [sys.executable, "-P", "-c", BEGIN, json.dumps(sys.path)]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)
    except OSError:
        return None


def is_ready(process: subprocess.Popen[bytes]) -> bool:
    """Whether the other process has found kb; it says so when it has begun."""
    assert process.stdout is not None
    try:
        return bool(marshal.load(process.stdout) == READY)
    except (EOFError, ValueError, TypeError):
        return False


def end(process: subprocess.Popen[bytes]) -> None:
    """End the other process, wherever it is."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what it was still to be told
            if pipe is not None:
                pipe.close()
    process.wait()


def batches(values: Iterator[Message]) -> Iterator[list[Message]]:
    """The values, some at a time."""
    while batch := list(islice(values, BATCH)):
        yield batch


def tell(pipe: IO[bytes], message: Message) -> None:
    """Say something to the other process. Raises EOFError when it has gone."""
    try:
        marshal.dump(message, pipe)
        pipe.flush()
    except OSError:
        raise EOFError from None


def told(pipe: IO[bytes]) -> Iterator[float]:
    """The shares that the other process says are done, until all is. Raises what it could not do, and ChildProcessError when it has gone."""
    while True:
        try:
            share, number, reason, place = marshal.load(pipe)
        except (EOFError, ValueError, TypeError):
            raise ChildProcessError(
                ECHILD, "the process that wrote the search index was stopped, perhaps for want of memory"
            ) from None
        if number:
            raise OSError(number, reason, place or None)
        if reason:
            raise RuntimeError(reason)
        if share >= 1:
            return
        yield share


def serve() -> None:
    """What the other process does: write the index that it is told of, and say how far it is. It ends with the one that began it."""
    gc.disable()  # as the first has (kb.catalog.refresh.uncollected)
    import_module("pydantic_core")  # see kb.search.document.json_bytes
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first ends it, whatever ends that
    messages: SimpleQueue[Message] = SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, messages), daemon=True).start()
    out = sys.stdout.buffer
    tell(out, READY)
    folder, previous = messages.get()
    synonyms: dict[str, Any] = {}
    called: dict[str, Any] = {}

    def others() -> Iterator[Document]:
        yield from coming(messages)
        for mine, given in zip((synonyms, called), messages.get(), strict=True):
            mine.update(given)

    def progress(share: float) -> None:
        tell(out, (min(share, 0.99), 0, "", ""))

    before, vocabulary = Path(previous) if previous else None, Vocabulary(synonyms, called)
    try:
        update_index(Path(folder), others(), vocabulary, before, progress, coming(messages))
    except OSError as error:
        tell(out, (0.0, error.errno or EIO, error.strerror or str(error), str(error.filename or "")))
    except Exception as error:
        tell(out, (0.0, 0, f"{type(error).__name__}: {error}", ""))
    else:
        tell(out, (1.0, 0, "", ""))


def listen(pipe: IO[bytes], messages: SimpleQueue[Message]) -> None:
    """Take what the first process says until it has gone: then nobody wants what is written here."""
    try:
        while True:
            messages.put(marshal.load(pipe))
    except (EOFError, OSError, ValueError, TypeError):
        os._exit(1)


def coming(messages: SimpleQueue[Message]) -> Iterator[Document]:
    """The documents that come, until it is said that they end."""
    while message := messages.get():
        place = Path(message[0])
        with place.open("rb") as file:
            batch = marshal.load(file)
        place.unlink()
        for values in batch:
            yield Document(*values)
