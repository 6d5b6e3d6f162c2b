"""Problems in sources: kb reports the line of the key, and no value in a YAML file makes a command fail."""

import pytest

from kb.sources.content import load_sources
from kb.sources.problems import SourceError


def said(sources):
    with pytest.raises(SourceError) as caught:
        load_sources(sources.root)
    return list(map(str, caught.value.problems))


ENTRY = """\
---
asked:
  - "title: of what?"
  - kind
title: {title}
kind: {kind}
source: {{doc: book, page: {page}}}
history:
  - until: x
    text: y
---
See [[castling]].
"""


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        ({"kind": "wrong"}, 6, "it must be one of"),
        ({"page": "many"}, 7, "source.page"),
        ({"title": "[]"}, 5, "title"),
        ({"title": "''"}, 5, "title"),
        ({"kind": "rule\nkinds: [x]"}, 7, "`kinds` is not a key"),
    ],
)
def test_the_line_is_that_of_the_key(change, line, words, sources):
    sources.write("content/chess/bad.md", ENTRY.format(**{"title": "T", "kind": "rule", "page": "3"} | change))
    (problem,) = said(sources)
    assert problem.startswith(f"content/chess/bad.md:{line}: ")
    assert words in problem


def test_a_missing_key_is_reported_at_the_first_line_of_its_entry(sources):
    sources.write("content/chess/bad.md", "---\nkind: rule\nasked: [x]\nsource: {doc: book}\n---\nText.\n")
    sources.write(
        "content/chess/list.yaml",
        "title: L\nkind: rule\nsource: {doc: book}\nentries:\n- {id: a, title: A, body: 'id: b'}\n- id: b\n  body: text\n",
    )
    assert said(sources) == [
        "content/chess/bad.md:2: `title` is missing",
        "content/chess/list.yaml:6: `title` is missing",
    ]


@pytest.mark.extended
@pytest.mark.parametrize(
    "value",
    ["2019-13-05", "!!int x", "!!int ''", "!!bool maybe", "!!timestamp soon", "!!float x", "1" * 5000, "!!binary x", "!!set [a]",
     "!!python/object:os.system x", "{[a]: b}", "2019-02-30T25:00:00Z", "!!timestamp ''", "!!int 0x", "!!float ''", "!!omap x", "!!pairs x"],
)  # fmt: skip
def test_invalid_values_are_named_and_the_old_catalog_answers(value, sources, kb):
    assert kb("search castling").code == 0
    sources.write(
        "content/chess/fork.md",
        f"---\ntitle: Fork\nkind: term\nsource: {{doc: book}}\ndate: {value}\n---\nSee [[castling]].\n",
    )
    told = kb("search castling")
    assert (told.code, "Castling" in told.out) == (0, True)
    assert "content/chess/fork.md:5: " in told.err
    assert "bug in kb" not in told.err


@pytest.mark.parametrize(
    "rows",
    ["x", "\t\t\t\t", "a\tb\tc\td\t1\t2\t3", '"\tx\ty\tz\t1', "a\tb\tc\td\t٣", "a\tb\tc\td\t" + "9" * 5000, "\x0b"],
)
def test_odd_rows_of_an_outline_are_reported_or_accepted(rows, sources):
    sources.write(
        "content/chess/outline.tsv",
        f"id\ttitle\tkind\tsection\tpage\nch.castling\tC\trule\tM\t3\nch.fork\tF\tterm\tT\t\n{rows}\n",
    )
    try:
        load_sources(sources.root)
    except SourceError as error:
        assert any(problem.path.endswith("outline.tsv") for problem in error.problems)  # noqa: PT017 - either is right


@pytest.mark.parametrize("name", ["fork.md", "list.yaml", "sources.yaml", "changes.yaml", "game.yaml"])
def test_duplicate_keys_are_reported_in_every_file(name, sources):
    text = "a: 1\nb: 2\na: 3\n"
    sources.write(f"content/chess/{name}", f"---\n{text}---\nText.\n" if name.endswith(".md") else text)
    line = 4 if name.endswith(".md") else 3
    assert f"content/chess/{name}:{line}: the key 'a' occurs twice" in said(sources)
