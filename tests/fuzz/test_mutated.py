"""Every reader of kb gets real inputs that were spoiled: it answers or says a sentence, writes nowhere else and obeys nothing.

`KB_FUZZ_INPUTS=100000 pytest -m extended tests/fuzz/test_mutated.py -k tables` tries more of them on one reader.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from kb.cli.terminal import visible
from kb.errors import KbError
from tests.fuzz import of_decks, of_imports, of_questions, of_sources
from tests.fuzz.mutate import Reader, mutated

INPUTS, SEED = int(os.environ.get("KB_FUZZ_INPUTS", "60")), int(os.environ.get("KB_FUZZ_SEED", "11"))
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
READERS = {
    f"{module.__name__.rpartition('_')[2]}-{name}": made
    for module in (of_decks, of_imports, of_questions, of_sources)
    for name, made in vars(module).items()
    if getattr(made, "__annotations__", {}).get("return") == "Reader" and len(made.__annotations__) == 2
}


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """What the process has written outside the test's folder or started since the list was emptied."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KB_SOURCES", "")
    monkeypatch.delenv("KB_SOURCES")
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    found: list[str] | None = []

    def heard(event: str, given: tuple[Any, ...]) -> None:
        if found is None:
            return
        if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect"):
            found.append(f"{event} {given}")
        wrote = event in ("os.mkdir", "os.rename", "shutil.rmtree", "os.link", "os.chmod")
        # rmtree, which is heard itself, removes by names within an open folder.
        wrote |= event in ("os.remove", "os.rmdir") and given[1] == -1
        wrote |= event == "open" and bool((given[2] or 0) & WRITING)
        if wrote and isinstance(given[0], str) and not given[0].startswith((str(tmp_path), os.devnull)):
            found.append(f"{event} {given[0]}")

    sys.addaudithook(heard)
    yield found
    found = None


@pytest.mark.parametrize("name", READERS)
def test_spoiled_inputs_get_an_answer_or_a_sentence(name: str, tmp_path: Path, outside: list[str]) -> None:
    reader: Reader = READERS[name](tmp_path)
    for number in range(INPUTS):
        data = mutated(reader.corpus, SEED, number)
        outside.clear()
        try:
            told = reader.read(data)
        except KbError as error:
            told = str(error)
            assert 0 < len(told.strip()) < 200_000, data[:2000]
        except Exception as error:
            raise AssertionError(f"input {number}: {data[:2000]!r}") from error
        assert outside == [], data[:2000]
        assert not OBEYED.search(visible(told if isinstance(told, str) else repr(told))), data[:2000]
