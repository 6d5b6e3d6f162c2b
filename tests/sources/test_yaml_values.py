"""One reader of YAML: the values of yaml.safe_load, every key once, and nothing that grows beyond its text."""

from contextlib import nullcontext

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from kb.files.safe_yaml import SafeLoader, YamlError, load_yaml

SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=["C"]), max_size=8),
    st.sampled_from(
        ["yes", "No", "~", "null", "012", "1_000", "1.5", ".inf", "2020-01-02", "1:30", "=", "<<", "0x1f", "''"]
    ),
    st.sampled_from(["!!str 1", "!!int 7", "- a"]),
)
TEXTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.dictionaries(SCALARS, inner, min_size=1, max_size=3).map(
            lambda held: f"{{{', '.join(f'{key}: {value}' for key, value in held.items())}}}"
        ),
    ),
    max_leaves=6,
)


@given(TEXTS)
@example("{? [a] : b}")
@example("!!set {a, b}")
@example("!!binary aGk=")
@example("a: {<<: {b: 1}, c: 2}")
@example("2019-13-05")
@example("[0?]")
def test_whatever_is_written_has_the_values_of_safe_load_or_is_refused(text):
    try:
        found = load_yaml(text)
    except YamlError:
        return
    assert repr(found) == repr(yaml.load(text, Loader=SafeLoader))  # of [0?] PyYAML's Python reader thinks otherwise


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("a: 1\nb: 2\na: 1\n", 3, "a"),
        ("rows:\n- {id: a, id: b}\n", 2, "id"),
        ("rows:\n- id: a\n  more: {b: 1,\n    b: 2}\n", 4, "b"),
        ("x:\n  <<: {a: 1,\n    a: 2}\n", 3, "a"),
        ("x:\n  a: 3\n  <<: {a: 1}\n", 3, "a"),
        ("x:\n  <<: [{a: 1},\n    {a: 2}]\n", 3, "a"),
        ("x:\n  <<: {a: 1}\n  <<: {b: 1}\n", 3, "<<"),
        ("yes: 1\ntrue: 2\n", 2, "true"),
        ("!!set {a, a}", 1, "a"),
    ],
)
def test_a_key_that_is_there_twice_is_refused(text, line, key):
    with pytest.raises(YamlError) as caught:
        load_yaml(text)
    assert (caught.value.line, caught.value.what) == (line, f"the key {key!r} is there twice")


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        ("text: '" + "[" * 500 + "'\nlist: [" + "[a], " * 500 + "]\n", False),
        ("[" * 61 + "]" * 61, True),
        ("[" * 60 + "]" * 60, False),
        ("- " * 61 + "a", True),
        ("- " * 60 + "a", False),
        ("- a\n" * 100, False),
        ("\n".join(" " * depth + "a:" for depth in range(61)), True),
        ("\n".join(" " * depth + "a:" for depth in range(60)), False),
        ("a: '" + " " * 80 + "far'", False),
    ],
)
def test_only_deep_nesting_is_refused_not_brackets_in_texts(text, deep):
    with pytest.raises(YamlError, match="nested deeper than 60 levels") if deep else nullcontext():
        load_yaml(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [("a: 1\nb: *x", 2), ("*x", 1), ("a: [&x 1]", 1), ("a: 2 * 3\nb: '**bold**'", None), ("a: R&B", None)],
)
def test_an_alias_is_found_where_yaml_reads_one(text, line):
    if line is None:
        load_yaml(text)
        return
    with pytest.raises(YamlError, match="anchor or alias") as caught:
        load_yaml(text)
    assert caught.value.line == line
