"""The style of docs/style.md, as far as a program can check it: banned phrases, long sentences, how docstrings begin."""

import ast
import re

import pytest

from tests.conftest import ROOT

BANNED = re.compile(
    r"\b(?:what is no|is told by|are told by|as it is told|stands there|unbidden|for want of|so many of|with no \w+ at all|"
    r"whosoever|mends? it|be the tools)\b",
    re.I,
)
HEADLESS = re.compile(r"(?:What|Whether|Those|Whose|Whom|Who|Which|That which)\b")
MOST_WORDS = 40
PROSE = ["README.md", "docs/style.md", "docs/benchmarks.md", "docs/publishing.md", "docs/successors.md", "site/using/commands.md",
         "site/using/other-tools.md", "site/using/own-site.md"]  # fmt: skip
"""Texts that have been rewritten; add yours."""
ROOMS = [
    "kb/cli",
    "kb/decks",
    "kb/campaigns",
    "kb/games/arkham",
    "kb/games/pathfinder",
    "kb/games/tainted_grail",
    "kb/games/luxor",
    "tools",
    "cardlore_kb.py",
]
"""Code that has been rewritten. The rest of `kb` still has to be: add a room when its docstrings follow the style."""
MODULES = sorted(
    path for room in ROOMS for path in ((ROOT / room).rglob("*.py") if (ROOT / room).is_dir() else [ROOT / room])
)


def sentences(text):
    """The sentences of a text in Markdown, without code and tables."""
    text = re.sub(r"^```.*?^```$|^\|.*$|<!--.*?-->", "", text, flags=re.S | re.M)
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", " ", text)
    for block in re.split(r"\n\s*\n|\n\s*(?:[*-]|\d+\.)\s", text):
        yield from re.split(r"(?<=[.!?:])\s+", " ".join(block.split()))


def docstrings(path):
    """The docstrings of a module with the names of what they describe."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            yield getattr(node, "name", path.stem), text


@pytest.mark.parametrize("name", PROSE)
def test_rewritten_texts_stay_plain(name):
    text = (ROOT / name).read_text("utf-8")
    prose = text if name != "docs/style.md" else text.partition("| not this")[0]
    assert BANNED.findall(prose) == []
    assert [each for each in sentences(text) if len(each.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_docstrings_of_rewritten_code_begin_with_a_verb_or_noun(path):
    wrong = [
        (name, text.partition("\n")[0])
        for name, text in docstrings(path)
        if HEADLESS.match(text) or BANNED.search(text)
    ]
    assert wrong == []
