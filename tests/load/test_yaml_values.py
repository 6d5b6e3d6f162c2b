"""YAML of nothing odd is made into values in one step: the same values, and the same refusals, as PyYAML's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from kb.load.frontmatter import SafeLoader, read_yaml
from kb.load.problems import Problems

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


class Plain(SafeLoader):
    """PyYAML's own way with the same parser (libyaml takes `[0?]`, PyYAML's Python does not), keys refused that are there twice."""


def mapping(loader: Plain, node: yaml.MappingNode, deep: bool = False) -> Any:
    keys = [key.value for key, _value in node.value if isinstance(key, yaml.ScalarNode)]
    if len(keys) > len(set(keys)):
        raise yaml.constructor.ConstructorError(None, None, "twice", node.start_mark)
    return SafeLoader.construct_mapping(loader, node, deep)  # type: ignore[no-untyped-call]


Plain.construct_mapping = mapping  # type: ignore[method-assign]


@given(TEXTS)
@example("{a: 1, a: 2}")
@example("{1: a, '1': b}")
@example("{? [a] : b}")
@example("!!set {a, b}")
@example("!!binary aGk=")
@example("a: {<<: {b: 1}, c: 2}")
@example("2019-13-05")
@example("[0?]")
def test_same_values_as_pyyaml(text: str) -> None:
    problems = Problems(Path("/"))
    found = read_yaml(Path("/x.yaml"), text, 1, problems)
    try:
        wanted = yaml.load(text, Loader=Plain)
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, KeyError):
        assert problems.found
        return
    if not problems.found:  # aliases are refused, too
        assert repr(found) == repr(wanted)


def test_a_text_that_is_read_twice_says_the_same_twice() -> None:
    """The nodes of a text are kept for its lines; PyYAML's own way takes merged keys out of the nodes it reads."""
    for text in ("{<<: [1]}", "a: {<<: {b: 1}, c: 2}"):
        first, second = Problems(Path("/")), Problems(Path("/"))
        found = [read_yaml(Path("/x.yaml"), text, 1, problems) for problems in (first, second)]
        assert found[0] == found[1]
        assert first.found == second.found
