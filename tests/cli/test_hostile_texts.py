"""A terminal never executes control characters from files."""

import pytest

from kb.cli.terminal import tell
from tests.conftest import ROOT


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\u200f", "\x00"])
def test_a_source_with_a_hidden_character_is_named_with_its_line(sign, sources, kb):
    kb("search castling")
    sources.entry("chess/fork", "Fork", f"One piece attacks two.\n\nSee [[castling]]{sign}.")
    told = kb("search castling")
    assert f"content/chess/fork.md:8: the character U+{ord(sign):04X} is invisible" in told.err
    assert told.code == 0  # the catalog built before answers


def test_a_byte_order_mark_at_the_beginning_does_no_harm(sources, kb):
    path = sources.root / "content/chess/fork.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert kb("doctor").code == 0


def test_what_people_read_has_no_control_characters_but_ours(capsys):
    tell("\x1b[1mtitle\x1b[22m \x1b]0;owned\x07 \x9b31m \u202eback \x1b[2Jcleared\ttab")
    out = capsys.readouterr().out
    assert out == "title \\x1b]0;owned\\x07 \\x9b31m \\u202eback \\x1b[2Jcleared\ttab\n"


def test_every_command_prints_through_the_one_function():
    for path in (ROOT / "kb").rglob("cli/**/*.py"):
        if path.name not in {"terminal.py", "__init__.py"}:
            assert "typer.echo" not in path.read_text("utf-8"), f"{path} prints past kb.cli.terminal.tell"
