"""Questions to the search, queries for cards, and what lies in the cache, spoiled."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.catalog.current import read_current, read_failure
from kb.retrieval.cards import CardQueryError, parse_query
from kb.retrieval.document import Document, Vocabulary
from kb.retrieval.engine import SearchIndex
from kb.retrieval.index import write_index
from tests.fuzz.conftest import fuzzed, quick
from tests.fuzz.hostile import TOKENS, as_json, spoiled, warped
from tests.fuzz.seeds import CARDS, CURRENT, QUERIES, QUESTIONS


@pytest.fixture(scope="module")
def index() -> Iterator[SearchIndex]:
    with tempfile.TemporaryDirectory() as folder:
        documents = [
            Document(
                f"chess/{n}",
                "chess",
                "rule",
                f"Title {n}",
                ("chess",),
                sentences=("You close a location when its deck runs out.",),
            )
            for n in range(30)
        ]
        write_index(Path(folder) / "i", documents, Vocabulary({"chess": [["close", "shut down"]]}))
        opened = SearchIndex(Path(folder) / "i")
        yield opened
        opened.close()


@fuzzed
@given(text=spoiled(QUESTIONS) | st.text(max_size=60))
def test_questions(index: SearchIndex, text: str) -> None:
    with quick(text):
        found = index.search(text)
    assert json.dumps([hit.snippet for hit in found.hits])


@fuzzed
@given(text=spoiled(QUERIES) | st.lists(st.sampled_from([*TOKENS, *QUERIES]), max_size=12).map(" ".join))
def test_queries_for_cards(text: str) -> None:
    with quick(text), contextlib.suppress(CardQueryError):
        fits = parse_query(text)
        for card in CARDS:
            assert fits(card) in (True, False)


@fuzzed
@given(text=spoiled([json.dumps(CURRENT)]) | warped([CURRENT]).map(as_json))
def test_what_lies_in_the_cache(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = Path(tempfile.gettempdir()) / "kb-fuzz-cache"
    folder.mkdir(exist_ok=True)
    for name in ("current.json", "failed.json"):
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    with quick(text):
        assert read_current(folder) is None
        failed: Any = read_failure(folder, "a")
    assert failed is None or isinstance(failed, list)


@pytest.mark.parametrize(
    "text",
    ["(" * 200_000, "-" * 200_000, "a " * 100_000, '"' * 100_000, "x" * 1_000_000, "name:" * 100_000],
)
def test_long_ones_take_no_time(text: str, index: SearchIndex) -> None:
    with quick(text[:20]):
        index.search(text)
    with quick(text[:20]), contextlib.suppress(CardQueryError):
        parse_query(text)
