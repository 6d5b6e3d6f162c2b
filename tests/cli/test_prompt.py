"""The prompt of `kb search`: it stays; Enter opens, Escape comes back, Tab completes, Up recalls, /game switches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kb.api.searching import Place
from kb.api.session import Session
from kb.cli.prompt import SearchPrompt, run_prompt, screen
from kb.cli.terminal import width_of

DOWN, UP, TAB, LEAVE = "\x1b[B", "\x1b[A", "\t", "\x03"


def typed(keys: str) -> str | None:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()), Session() as session:
        pipe.send_text(keys + LEAVE)
        return run_prompt(session, None, None, True)


@pytest.fixture
def state(sources: Any, tmp_path: Path) -> Iterator[SearchPrompt]:
    with Session() as session:
        yield SearchPrompt(session, Place(), None, True, tmp_path / "questions.txt")


def shown(state: SearchPrompt, width: int = 80, height: int = 24) -> str:
    return "\n".join(screen(state, width, height))


@pytest.mark.parametrize(
    ("keys", "opened"),
    [
        ("castling\r", "chess/castling"),
        ("castling" + DOWN + "\r", "chess/fork"),
        ("castling" + DOWN + DOWN + DOWN + "\r", "chess/fork"),
        ("castling", None),
        ("zzzqqq\r", None),
        ("", None),
        ("cast" + TAB + "\r", "chess/castling"),
        ("fork\r\x7f" + "x" * 9 + "\x15" + UP + "\r", "chess/fork"),  # the question of before is there again
        ("/nowhere\rcastling\r", "chess/castling"),
        ("/chess\rfork\r", "chess/fork"),
        ("/quit\rcastling\r", None),
    ],
)
def test_keys(sources: Any, keys: str, opened: str | None) -> None:
    assert typed(keys) == opened


def test_what_is_shown(state: SearchPrompt) -> None:
    assert "Type a question" in shown(state)
    state.typed("castlng")
    assert "Searched for castling" in shown(state)
    assert "You cannot castle out of check." in " ".join(shown(state).split()), (
        "the answer is there without leaving the list"
    )
    assert "chess/castling" in shown(state)
    state.typed("zzzqqq")
    assert "Nothing found" in shown(state)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
@pytest.mark.parametrize("height", [8, 24, 50])
def test_it_fits_every_screen(state: SearchPrompt, width: int, height: int) -> None:
    state.typed("castling")
    for _ in range(2):
        lines = screen(state, width, height)
        assert len(lines) <= height
        assert all(width_of(line) <= width for line in lines)
        state.open()


def test_what_is_opened_is_read_and_closed(state: SearchPrompt) -> None:
    state.typed("castling")
    state.open()
    assert "may the king swap with the tower" in shown(state, 60, 30)
    state.top = 500
    assert "See also" in shown(state, 60, 6) or "fork" in shown(state, 60, 6), "no further than the end"
    assert state.close()
    assert "> Castling" in shown(state), "the question and the list are there again"
    assert not state.close()


def test_tab_goes_through_what_the_text_may_become(state: SearchPrompt) -> None:
    state.typed("cas")
    first = state.complete()
    assert first == "Castling"
    state.typed(first)
    ways = {first}
    while (way := state.complete()) is not None and way not in ways:
        ways.add(way)
        state.typed(way)
    assert "cas" in ways, "Tab comes round to what was typed"
    state.typed("/ch")
    assert state.complete() == "/chess"


def test_questions_are_kept_for_the_next_time(state: SearchPrompt, tmp_path: Path) -> None:
    for question in ("castling", "fork", "castling"):
        state.typed(question)
        state.open()
    with Session() as session:
        state = SearchPrompt(session, Place(), memory=tmp_path / "questions.txt")
    assert (state.recall(1), state.recall(1), state.recall(1)) == ("castling", "fork", None)
    assert state.recall(-1) == "castling"
    assert state.recall(-1) == ""


def test_a_spoiler_stays_covered_until_it_is_opened(sources: Any) -> None:
    sources.entry("chess/end", "The last move", "The butler moved the king.", spoiler="The Game", covers="[]")
    with Session() as session:
        state = SearchPrompt(session, Place())
        state.typed("butler king moved")
        assert state.hits[0].spoiler == "The Game"
        assert "The butler moved" not in shown(state)
        assert "The last move" not in shown(state)
