"""The prompt of `kb search`: results as you type, arrow keys, Enter opens."""

from __future__ import annotations

from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kb.api.places import Place
from kb.catalog.store import open_catalog
from kb.cli.prompt import SearchPrompt, run_prompt
from kb.search.engine import SearchIndex

DOWN, ESCAPE = "\x1b[B", "\x1b"


def typed(keys: str) -> str | None:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        return run_prompt(open_catalog, None, None, True)


@pytest.mark.parametrize(
    ("keys", "opened"),
    [
        ("castling\r", "chess/castling"),
        ("castling" + DOWN + "\r", "chess/fork"),
        ("castling" + DOWN + DOWN + DOWN + "\r", "chess/fork"),
        ("castling" + ESCAPE, None),
        ("zzzqqq\r", None),
        ("\x03", None),
    ],
)
def test_keys(sources: Any, keys: str, opened: str | None) -> None:
    assert typed(keys) == opened


def test_what_is_shown(sources: Any) -> None:
    with open_catalog() as catalog:
        index = SearchIndex(catalog.index_folder)
    state = SearchPrompt(index, Place(), None, True)

    def shown() -> str:
        return "".join(part[1] for part in state.lines())

    assert "Type a question" in shown()
    state.buffer.text = "castlng"
    assert "Searched for castling" in shown()
    assert "Castling" in shown()
    assert "You cannot castle out of check." in shown(), "the chosen hit shows its answer"
    state.buffer.text = "zzzqqq"
    assert "Nothing found" in shown()
    index.close()
