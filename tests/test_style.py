"""The style of docs/style.md, as far as a program can check it: banned phrases, long sentences, how docstrings begin."""

import ast
import re

import pytest

from tests.conftest import ROOT

BANNED = re.compile(
    r"\b(?:what is no|(?:is|are) told by|as it is told|stands? (?:there|beside|above|below|in the)|unbidden|for want of|so many of|"
    r"with no \w+ at all|whosoever|mends? it|mended|be the tools|comes? true|go together|(?:is|are) none of|"
    r"beside (?:the|it|them|each|our|yours)|rests? on|gives? away a campaign|nothing lies|to whom|parted by|at the most|"
    r"take[sn]? it along|taken along)\b",
    re.I,
)
HEADLESS = re.compile(r"(?:What|Whether|Those|Whose|Whom|Who|Which|That which)\b")
MOST_WORDS = 40
PROSE = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "site/using")
    for path in (ROOT / folder).glob("*.md")
    if not path.name.startswith(("json", "api", "NOTICE", "CODE_OF"))
)
"""Texts for users and contributors. The JSON and API references are generated from docstrings."""
LABELS = sorted(
    path
    for folder in ("site/templates", "site/theme")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".j2", ".html", ".js")
)
ROOMS = ["kb/cli", "tools", "cardlore_kb.py"]
"""Code that has been rewritten. The rest of `kb` still has to be: add a room when its docstrings follow the style."""
MODULES = sorted(
    path for room in ROOMS for path in ((ROOT / room).rglob("*.py") if (ROOT / room).is_dir() else [ROOT / room])
)


def sentences(text):
    """The sentences of a text in Markdown, without code and tables."""
    text = re.sub(r"^ *```.*?^ *```$|^ *\|.*$|<!--.*?-->|````.*?````", "", text, flags=re.S | re.M)
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", " ", text)
    for block in re.split(r"\n\s*\n|\n\s*(?:[*-]|\d+\.)\s", text):
        yield from re.split(r"(?<=[.!?:])\s+", " ".join(block.split()))


def labels(path):
    """The words that a template or script shows: the text of HTML and strings with a blank, without comments and code."""
    text = re.sub(r"\{#.*?#\}|/\*.*?\*/|<!--.*?-->", "", path.read_text("utf-8"), flags=re.S)
    if path.suffix == ".js":
        return "\n".join(re.findall(r"[\"`'][^\"`'\n]* [^\"`'\n]*[\"`']", text))
    shown = re.findall(r"(?:aria-label|placeholder|title)=\"([^\"{]*)\"", text)
    literals = re.findall(r"\"([^\"\n]* [^\"\n]*)\"", " ".join(re.findall(r"\{[{%].*?[}%]\}", text, flags=re.S)))
    return "\n".join([*shown, *literals, re.sub(r"\{[{%].*?[}%]\}|<[^>]*>|^%.*$", " ", text, flags=re.S | re.M)])


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


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_labels_of_the_site_are_plain(path):
    assert BANNED.findall(labels(path)) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_docstrings_of_rewritten_code_begin_with_a_verb_or_noun(path):
    wrong = [
        (name, text.partition("\n")[0])
        for name, text in docstrings(path)
        if HEADLESS.match(text) or BANNED.search(text)
    ]
    assert wrong == []
