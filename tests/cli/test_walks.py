"""Five users at terminals of two widths: a player during a game, a player with an exported deck, an arbiter, a
contributor, and the host of a site.

The tests run kb in a pseudo-terminal and read the screen: words are not broken, no line is wider than the screen, and
the first screen contains the answer.
"""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cli.terminal import width_of, wrapped
from tests.cli.screen import ENTER, TAB, UP, Terminal, run

WIDTHS = (40, 80)
ROLAND = {"investigator_code": "01001", "name": "Mine", "slots": {"01020": 2, "01006": 1, "01007": 1, "01086": 5}}


@pytest.fixture(params=WIDTHS)
def width(request):
    return int(request.param)


@pytest.fixture
def terminal(own_home, tmp_path, width):
    """Return a function that runs `kb ARGS…` in a terminal of the given width, checks the wrapping, and returns the
    lines. Settings are separate from those of other tests.
    """
    own = {"KB_HOME": str(own_home)}
    (tmp_path / "here").mkdir()

    def walk(*args, codes=(0,), **env):
        ended, lines = run(*args, columns=width, folder=walk.here, env=own | env)
        assert ended in codes, lines
        unbroken(lines, width)
        return lines

    def opened(*args, **env):
        return Terminal(*args, columns=width, folder=walk.here, env=own | env)

    walk.here, walk.open = tmp_path / "here", opened
    return walk


def unbroken(lines, width):
    """Check that no word is cut at the right margin: a line must not consist of the first part of a word that continues
    on the next line.
    """
    for line, following in pairwise(lines):
        if len(line) < width or not line[-1].isalnum() or not following[:1].isalnum():
            continue
        last = re.split(r"[\s/_,-]", line)[-1]
        assert len(last) < width, (line, following)


def word_for_word(lines):
    return " ".join(" ".join(lines).split())


def test_a_player_between_two_scenarios(terminal):
    lines = terminal("ask", "how do I rebuild my deck", "--in", "rotr", codes=(0, 1))
    assert len(lines) <= 40
    assert "rebuild your character deck" in word_for_word(lines[:8])
    assert "pathfinder/rotr/rebuilding-your-deck" in "".join(lines).replace(" ", "")
    lines = terminal("deck", "new", "Lini", "--out", "lini.yaml")
    assert word_for_word(lines) == "Wrote lini.yaml."
    text = (terminal.here / "lini.yaml").read_text("utf-8")
    (terminal.here / "lini.yaml").write_text(text.replace("Detect Magic", "3x Detect Magic"), "utf-8")
    lines = terminal("deck", "check", "lini.yaml", codes=(1,))
    assert "is not legal" in word_for_word(lines)
    assert "pathfinder/rotr/cards-list" in "".join(lines).replace(" ", "")
    assert all(line.startswith(" ") for line in lines[2:]), "continuation lines are indented"
    terminal("deck", "show", "lini.yaml")


def test_a_player_with_an_exported_deck(terminal):
    (terminal.here / "mine.json").write_text(json.dumps(ROLAND), "utf-8")
    lines = terminal("deck", "check", "mine.json", codes=(1,))
    assert "Roland Banks is not legal" in word_for_word(lines)
    lines = terminal("deck", "convert", "mine.json", "--to", "text")
    assert any("Machete" in line for line in lines)
    for query in ("Machete", "type:asset"):
        lines = terminal("cards", query, "--limit", "3")
        assert re.search(r"arkham/cards/\d{5}", "".join(line.strip() for line in lines)), "the id is not cut"


def test_an_arbiter_in_the_middle_of_a_game(terminal):
    """The answer appears while the arbiter types the question; no other key is needed."""
    with terminal.open("search") as prompt:
        prompt.until("kb>")
        prompt.press("can I evade a villain")
        prompt.until(lambda text: "unless something lets you evade it" in " ".join(text.split()))
        assert prompt.keys == len("can I evade a villain")
        prompt.press(ENTER)
        prompt.until("Type a question")
        prompt.press("mulli")
        prompt.until("Mulligan")
        prompt.press(TAB)
        prompt.until(lambda text: "kb> Mulligan" in text)
        prompt.press(ENTER)
        prompt.until("Type a question")
        prompt.press("\x15" + UP)
        prompt.until("kb> Mulligan")
        prompt.press("\x15")
        prompt.press("/rotr" + ENTER)
        prompt.until("kb pathfinder/rotr>")
        prompt.press("\x04")
        assert prompt.end() == 0
    lines = terminal("search", "how do I close a location", "--in", "rotr")
    assert len(lines) <= 24, "the answer must fit on one screen"
    assert "Closing a location" in lines[0]


def test_a_contributor(terminal):
    for args in (["-h"], ["doctor", "-h"], ["cards", "-h"]):
        assert any("Usage: kb" in line for line in terminal(*args))
    lines = terminal("doctor")
    assert "No problems found." in lines[-1]
    lines = terminal("show", "no-such-entry-anywhere", codes=(1,))
    assert "Did you mean" in word_for_word(lines)


def test_a_host_reads_page_by_page(terminal):
    """Long output goes through the pager. Leaving the pager early is not an error. NO_COLOR turns off colours."""
    with terminal.open("show", "arkham/taboo", PAGER="less") as less:
        less.until(lambda text: text.endswith(":") and text.startswith("List of taboos"))
        less.press("q")
        assert less.end() == 0
    with terminal.open("deck", "check", "-", NO_COLOR="1", PAGER="cat") as plain:
        plain.press("game: pathfinder\nset: rotr\ncharacter: Lini\ncards: [Mace]\n\x04")
        assert plain.end() == 1
        assert not re.search(rb"\x1b\[[\d;]*3[0-7]m", plain.raw), "NO_COLOR must turn off colours"
        assert b"not legal" in plain.raw


def test_a_pipe_gets_neither_colours_nor_pages(kb, real):
    done = kb("search 'can I evade a villain' --in rotr")
    assert "\x1b" not in done.out
    assert len(re.findall(r"^ ?\d+  ", done.out, flags=re.M)) == 10


@given(st.text(alphabet="ab/- \u4e00e\u0301", max_size=300), st.integers(20, 90))
def test_wrapping_keeps_all_characters_and_the_width(text, width):
    lines = wrapped(text, width).split("\n")
    assert all(width_of(line.rstrip()) <= width or width_of(text) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
