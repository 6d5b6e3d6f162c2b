"""The YAML reader returns the same values as yaml.safe_load, but refuses duplicate keys and aliases that multiply the
data.
"""

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
def test_any_text_is_read_as_by_safe_load_or_refused(text):
    try:
        found = load_yaml(text)
    except YamlError:
        return
    assert repr(found) == repr(yaml.load(text, Loader=SafeLoader))  # PyYAML's Python reader reads [0?] differently


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("a: 1\nb: 2\na: 1\n", 3, "a"),
        ("rows:\n- {id: a, id: b}\n", 2, "id"),
        ("rows:\n- id: a\n  more: {b: 1,\n    b: 2}\n", 4, "b"),
        ("yes: 1\ntrue: 2\n", 2, "true"),
        ("!!set {a, a}", 1, "a"),
    ],
)
def test_duplicate_keys_are_refused(text, line, key):
    with pytest.raises(YamlError) as caught:
        load_yaml(text)
    assert (caught.value.line, caught.value.what) == (line, f"the key {key!r} occurs twice")


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("text: '" + "[" * 500 + "'\nlist: [" + "[a], " * 500 + "]\n", None),
        ("[" * 61 + "]" * 61, "line 1: this is nested deeper than 60 levels"),
        ("[" * 60 + "]" * 60, None),
        ("- " * 61 + "a", "line 1: this is nested deeper than 60 levels"),
        ("- " * 60 + "a", None),
        ("\n".join(" " * depth + "a:" for depth in range(61)), "line 61: this is nested deeper than 60 levels"),
        ("\n".join(" " * depth + "a:" for depth in range(60)), None),
        ("a: 1\nb: *x", "line 2: this is a YAML anchor or alias"),
        ("*x", "line 1: this is a YAML anchor or alias"),
        ("a: [&x 1]", "line 1: this is a YAML anchor or alias"),
        ("a: 2 * 3\nb: '**bold**'\nc: R&B", None),
        ("x:\n  <<: {a: 1}\n", "line 2: this is a YAML merge"),
    ],
)
def test_anchors_merges_and_deep_nesting_are_refused_outside_texts(text, refused):
    with pytest.raises(YamlError, match=refused) if refused else nullcontext():
        load_yaml(text)
