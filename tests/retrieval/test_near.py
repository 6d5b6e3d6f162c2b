"""Suggestions for an unknown name: the most similar known names."""

import pytest

from kb.retrieval.question import near_names

KNOWN = ["roland banks", "rolands 38 special", "round", "01001", "01020", "01021", "02001", "holy light", "machete"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("rolnd banks", "roland banks"),
        ("machette", "machete"),
        ("holly light", "holy light"),
        ("1001", "01001"),
        ("0102", "01020"),
        ("banxs", "roland banks"),
        ("bankss", "roland banks"),
        ("zzzz", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_the_nearest_comes_first(typed, first):
    assert next(iter(near_names(typed, KNOWN)), None) == first
