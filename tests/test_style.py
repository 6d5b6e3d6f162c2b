"""Style rules of docs/style.md: banned phrases, sentence length, and the first words of docstrings."""

import ast
import re
from itertools import pairwise

import pytest

from tests.conftest import ROOT

ALWAYS = (
    r"what is no|(?:is|are) told by|as it is told|stands there|unbidden|for want of|so many of|with no \w+ at all|whosoever|mends? it|"
    r"be the tools"
)
BANNED = re.compile(rf"\b(?:{ALWAYS})\b", re.I)
"""Phrases that read as translated."""
BANNED_TO_READERS = re.compile(
    rf"\b(?:{ALWAYS}|stands? (?:beside|above|below|in the)|mended|comes? true|go together|(?:is|are) none of|"
    r"beside (?:the|it|them|each|our|yours)|rests? on|gives? away a campaign|nothing lies|to whom|parted by|at the most|"
    r"take[sn]? it along|taken along)\b",
    re.I,
)
"""Phrases that are banned in texts and labels for users and contributors: those of ALWAYS and further ones."""
HEADLESS = re.compile(r"(?:What|Whether|Those|Whose|Whom|Who|Which|That which)\b")
MOST_WORDS = 40
PROSE = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "site/using")
    for path in (ROOT / folder).glob("*.md")
    if not path.name.startswith(("json", "api", "NOTICE", "CODE_OF"))
)
"""Texts for users and contributors, except the JSON and API references, which are generated from docstrings."""
LABELS = sorted(
    path
    for folder in ("site/templates", "site/theme")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".j2", ".html", ".js")
)
ROOMS = ["kb", "tests", "tools", "cardlore_kb.py"]
"""Folders and files whose docstrings must follow the style."""
MODULES = sorted(
    path for room in ROOMS for path in ((ROOT / room).rglob("*.py") if (ROOT / room).is_dir() else [ROOT / room])
)


def sentences(text):
    """Yield the sentences of a Markdown text, without code and tables."""
    text = re.sub(r"^ *```.*?^ *```$|^ *\|.*$|<!--.*?-->|````.*?````", "", text, flags=re.S | re.M)
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", " ", text)
    for block in re.split(r"\n\s*\n|\n\s*(?:[*-]|\d+\.)\s", text):
        yield from re.split(r"(?<=[.!?:])\s+", " ".join(block.split()))


def labels(path):
    """Return the words that a template or script shows: the text of its HTML and its strings that contain a space,
    without comments and code.
    """
    text = re.sub(r"\{#.*?#\}|/\*.*?\*/|<!--.*?-->", "", path.read_text("utf-8"), flags=re.S)
    if path.suffix == ".js":
        return "\n".join(re.findall(r"[\"`'][^\"`'\n]* [^\"`'\n]*[\"`']", text))
    shown = re.findall(r"(?:aria-label|placeholder|title)=\"([^\"{]*)\"", text)
    literals = re.findall(r"\"([^\"\n]* [^\"\n]*)\"", " ".join(re.findall(r"\{[{%].*?[}%]\}", text, flags=re.S)))
    return "\n".join([*shown, *literals, re.sub(r"\{[{%].*?[}%]\}|<[^>]*>|^%.*$", " ", text, flags=re.S | re.M)])


def docstrings(path):
    """Yield (name, docstring) for each docstring in a module. The name is that of the module, class, function or
    attribute.
    """
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
    assert BANNED_TO_READERS.findall(prose) == []
    assert [each for each in sentences(text) if len(each.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_labels_of_the_site_are_plain(path):
    assert BANNED_TO_READERS.findall(labels(path)) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_docstrings_of_rewritten_code_begin_with_a_verb_or_noun(path):
    wrong = [
        (name, text.partition("\n")[0])
        for name, text in docstrings(path)
        if HEADLESS.match(text) or BANNED.search(text)
    ]
    assert wrong == []
