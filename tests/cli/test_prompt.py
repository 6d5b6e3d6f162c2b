"""The prompt of `kb search`: results appear while you type, and Enter shows an answer or opens a result. /game
changes the game, and kb keeps a history of questions.
"""

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kb.api.session import Session
from kb.cli.prompt import Hits, run_prompt

LEAVE = "\x04"


@pytest.fixture
def hits(sources):
    with Session() as session:
        yield Hits(session, None, None, True)


def listed(hits, text):
    return [each.text for each in hits.get_completions(Document(text), CompleteEvent())]


def typed(keys):
    """Type `keys` at the prompt, then leave the prompt."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()), Session() as session:
        pipe.send_text(keys + LEAVE)
        run_prompt(session, None, None, True)


@pytest.mark.extended
@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("castling\r", "You cannot castle out of check."),
        ("zzzqqq\r", "No answer found"),
        ("\r", ""),
        ("/nowhere\rcastling\r", "You cannot castle out of check."),
        ("/chess\r", "Searching chess until you leave."),
        ("/game chess\r/all\r", "Searching all games."),
    ],
)
def test_keys_at_the_prompt(sources, keys, said, capsys):
    typed(keys)
    assert said in " ".join(capsys.readouterr().out.split())


def test_hits_come_as_you_type(hits, capsys):
    assert "Type a question" in hits.says("", 80).replace("\n", " ")
    for text in ("castling", "castlng", "cast"):
        assert listed(hits, text)[0] == "Castling"
    assert "cannot castle out of check" in hits.says("Castling", 400), (
        "the answer appears while the question is still in the input line"
    )
    for width in (20, 40, 120):
        assert all(len(line) <= width for line in hits.says("Castling", width).split("\n"))
    hits.enter("Castling")
    assert "See also" in capsys.readouterr().out, "the chosen result is shown in full"
    assert listed(hits, "zzzqqq") == []
    assert "Nothing found" in hits.says("", 80)
    assert "/chess" in listed(hits, "/ch")


def test_the_prompt_keeps_questions_in_its_history(sources):
    from prompt_toolkit.history import FileHistory

    from kb.paths import settings_file

    typed("castling\rfork\r")
    kept = FileHistory(str(settings_file().with_name("questions.txt")))
    assert [*kept.load_history_strings()] == ["fork", "castling"]


def test_a_spoiler_stays_covered_until_it_is_opened(sources, capsys):
    sources.entry("chess/end", "The last move", "The butler moved the king.", spoiler="The Game", covers="[]")
    with Session() as session:
        hits = Hits(session, None, None, None)
        first = listed(hits, "butler king moved")[0]
        assert first == "Spoiler for The Game"
        assert "Spoiler for The Game" in hits.says(first, 80)
        hits.enter("butler king moved")
        assert "butler moved" not in capsys.readouterr().out
        hits.enter(first)
        assert "butler moved" in capsys.readouterr().out
