"""Checks the style of docs/style.md: banned phrases, long sentences, and the first words of docstrings."""

import ast
import re
from itertools import pairwise

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
"""Rewritten texts; add yours."""
ROOMS = ["kb", "tests", "tools", "cardlore_kb.py"]
"""Code whose docstrings follow the style."""
MODULES = sorted(
    path for room in ROOMS for path in ((ROOT / room).rglob("*.py") if (ROOT / room).is_dir() else [ROOT / room])
)


def sentences(text):
    """Yield the sentences of a text in Markdown, without code and tables."""
    text = re.sub(r"^```.*?^```$|^\|.*$|<!--.*?-->", "", text, flags=re.S | re.M)
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", " ", text)
    for block in re.split(r"\n\s*\n|\n\s*(?:[*-]|\d+\.)\s", text):
        yield from re.split(r"(?<=[.!?:])\s+", " ".join(block.split()))


def docstrings(path):
    """Yield the docstrings of a module, each with the name of its class, function or attribute."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if text := ast.get_docstring(node):
                yield getattr(node, "name", path.stem), text
            for attribute, below in pairwise(node.body):
                if isinstance(attribute, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr):
                    yield ast.unparse(attribute).partition("\n")[0], str(getattr(below.value, "value", ""))


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
