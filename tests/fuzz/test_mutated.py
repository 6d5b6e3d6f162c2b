"""A short run of tests/fuzz/long.py: sixty spoiled inputs for each reader; and that its watch sees what it looks for."""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from kb.errors import KbError
from tests.fuzz.hostile import TEXTS
from tests.fuzz.long import run
from tests.fuzz.mutate import Corpus, mutated
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.fuzz.watch import Watch, reduced

INPUTS, SEED = 60, 11


@pytest.fixture(autouse=True)
def own_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run changes for its process is put back."""
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())
    for name in ("KB_HOME", "KB_SOURCES"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.delenv("KB_SOURCES")
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)


@pytest.mark.parametrize("name", READERS)
def test_spoiled_inputs_get_an_answer_or_a_sentence(name: str, tmp_path: Path) -> None:
    done = run(READERS[name], INPUTS, SEED, tmp_path, seconds=0)
    assert not done.found, [(fault, data[:2000]) for fault, data, _number in done.found.values()]


def watched(read: Any, folder: Path) -> Watch:
    return Watch(Reader(Corpus.of(["x"]), read), folder, seconds=0.2)


def sentence(_data: bytes) -> None:
    raise KbError("That is no deck.")


def nothing_said(_data: bytes) -> None:
    raise KbError("")


def busy(_data: bytes) -> None:
    until = time.process_time() + 0.3
    while time.process_time() < until:
        pass


def test_the_watch_sees_each_kind_of_fault(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    (tmp_path / "there").write_text("x")

    def kind(read: Any) -> str | None:
        fault = watched(read, inside).tried(b"abc")
        return fault.kind.partition(" ")[0] if fault else None

    assert kind(sentence) is None
    assert kind(lambda data: data.decode()) is None
    assert kind(lambda _data: (inside / "x").write_text("x")) is None
    assert kind(nothing_said) == "sentence"
    assert kind(lambda _data: {}["x"]) == "KeyError"
    assert kind(lambda _data: (outside / "..").resolve() and (tmp_path / "x").write_text("x")) == "outside"
    assert kind(lambda _data: (tmp_path / "there").unlink()) == "outside"
    assert kind(lambda _data: outside.mkdir()) == "outside"
    assert kind(busy) == "slow"


def test_an_input_is_made_small(tmp_path: Path) -> None:
    def read(data: bytes) -> None:
        if b"7" in data and b"9" in data:
            raise ZeroDivisionError

    watch = watched(read, tmp_path)
    assert reduced(watch, b"0123456789" * 20, "ZeroDivisionError at ?") in (b"79", b"97")


def test_no_input_changes_what_the_next_ones_are_made_of() -> None:
    corpus, texts = Corpus.of(['{"a": [1, "x"]}', '{"b": null}'], "json"), [*TEXTS]
    for number in range(4_000):
        mutated(corpus, 3, number)
    assert texts == TEXTS
    assert corpus.values == [{"a": [1, "x"]}, {"b": None}]


def test_the_same_number_is_the_same_input() -> None:
    corpus = Corpus.of(['{"a": [1, "x"]}', '{"b": null}'], "json")
    random.seed(1)
    first = [mutated(corpus, 3, number) for number in range(50)]
    random.seed(2)
    assert first == [mutated(corpus, 3, number) for number in range(50)]
    assert len(set(first)) > 30
