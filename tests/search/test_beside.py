"""An index that another process writes is the same, and neither process outlives what ends the other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kb.search import beside
from kb.search.beside import index_beside, index_here, is_worth_it
from kb.search.document import Document, Vocabulary
from kb.search.engine import SearchIndex
from tests.search.test_engine import DOCUMENTS, VOCABULARY

CARDS = [item for item in DOCUMENTS if item.kind == "card"]
OTHERS = [item for item in DOCUMENTS if item.kind != "card"]
LASTING = """
import sys, time
from pathlib import Path
from kb.search import beside
from kb.search.document import Vocabulary
made = beside.subprocess.Popen
def noted(*given, **options):
    process = made(*given, **options)
    print(process.pid, flush=True)
    return process
beside.subprocess.Popen = noted
def none():
    time.sleep(60)
    yield from ()
with beside.index_beside(Path(sys.argv[1]), none(), none(), Vocabulary(), None, lambda _share: None):
    pass
"""


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that are begun."""
    found: list[subprocess.Popen[bytes]] = []
    made = subprocess.Popen

    def noted(*given: Any, **options: Any) -> subprocess.Popen[bytes]:
        found.append(made(*given, **options))
        return found[-1]

    monkeypatch.setattr(beside.subprocess, "Popen", noted)
    return found


def test_the_bytes_are_those_that_one_process_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "BATCH", 2)
    shares: list[float] = []
    for name, write in (("here", index_here), ("beside", index_beside)):
        (tmp_path / name).mkdir()
        with write(tmp_path / name / "index", iter(CARDS), iter(OTHERS), VOCABULARY, None, shares.append):
            pass
    assert files(tmp_path / "beside") == files(tmp_path / "here")
    assert shares[-1] == 1.0
    with closing(SearchIndex(tmp_path / "beside" / "index")) as index:
        assert [hit.id for hit in index.search("trigger", within="arkham").hits] == ["arkham/aoo"]


def test_the_vocabulary_is_read_when_the_last_document_has_come(tmp_path: Path) -> None:
    synonyms: dict[str, list[list[str]]] = {}

    def others() -> Iterator[Document]:
        yield from OTHERS
        synonyms["arkham"] = [["provoke", "trigger"]]

    for number, write in enumerate((index_here, index_beside)):
        synonyms.clear()
        with write(tmp_path / str(number), CARDS, others(), Vocabulary(synonyms), None, lambda _share: None):
            pass
        with closing(SearchIndex(tmp_path / str(number))) as index:
            assert [hit.id for hit in index.search("trigger", within="arkham").hits] == ["arkham/aoo"]


def test_segments_are_taken_from_the_index_before(tmp_path: Path) -> None:
    changed = [replace(OTHERS[0], title="Attack by surprise"), *OTHERS[1:]]
    for name, given, previous in (("old", OTHERS, None), ("new", changed, tmp_path / "old"), ("anew", changed, None)):
        with index_beside(tmp_path / name, CARDS, given, VOCABULARY, previous, lambda _share: None):
            pass
    assert files(tmp_path / "new") == files(tmp_path / "anew") != files(tmp_path / "old")


def test_what_cannot_be_written_is_said_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    with (
        pytest.raises(FileExistsError) as raised,
        index_beside(tmp_path / "index", CARDS, OTHERS, VOCABULARY, None, lambda _share: None),
    ):
        pass
    assert raised.value.filename == str(tmp_path / "index")


@pytest.mark.parametrize(
    ("where", "what", "instead"),
    [(sys, "executable", "/nowhere/python3"), (beside, "BEGIN", "import kb_that_is_not_there")],
)
def test_where_no_process_can_be_begun_this_one_writes(
    where: object, what: str, instead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "BATCH", 1)
    monkeypatch.setattr(where, what, instead)
    for name, write in (("here", index_here), ("beside", index_beside)):
        with write(tmp_path / name, CARDS, OTHERS, VOCABULARY, None, lambda _share: None):
            pass
    assert files(tmp_path / "beside") == files(tmp_path / "here")


def test_a_fault_of_what_makes_documents_ends_both(tmp_path: Path, begun: list[subprocess.Popen[bytes]]) -> None:
    def broken() -> Iterator[Document]:
        yield OTHERS[0]
        raise ZeroDivisionError

    with (
        pytest.raises(ZeroDivisionError),
        index_beside(tmp_path / "index", CARDS, broken(), VOCABULARY, None, lambda _share: None),
    ):
        pass
    assert [process.poll() is not None for process in begun] == [True]


@pytest.mark.parametrize("late", [False, True])
def test_a_process_that_is_killed_is_told(late: bool, tmp_path: Path, begun: list[subprocess.Popen[bytes]]) -> None:
    def others() -> Iterator[Document]:
        if not late:
            begun[0].kill()
            begun[0].wait()
        yield from OTHERS

    def write() -> None:
        with index_beside(tmp_path / "index", CARDS, others(), VOCABULARY, None, lambda _share: None):
            begun[0].kill()

    with pytest.raises(ChildProcessError, match="was stopped"):
        write()


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX does")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_the_one_that_began_it(how: int, tmp_path: Path) -> None:
    first = subprocess.Popen([sys.executable, "-c", LASTING, str(tmp_path / "index")], stdout=-1, stderr=-3)
    assert first.stdout is not None
    other = int(first.stdout.readline())
    first.send_signal(how)
    first.wait()
    first.stdout.close()
    assert eventually(lambda: not runs(other))


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not (held := true()) and time.monotonic() < end:
        time.sleep(0.05)
    return held


def runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{number}/stat")
    return not (stat.is_file() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def test_small_sources_need_no_second_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 1}, raising=False)
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert is_worth_it(3_000_000)
    assert not is_worth_it(300_000)
    monkeypatch.setattr(sys, "executable", "/usr/bin/editor")  # which has Python in it
    assert not is_worth_it(3_000_000)
    monkeypatch.setattr(sys, "executable", "")
    assert not is_worth_it(3_000_000)
