"""Card records held as JSON are the records."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.sources.cards import Packed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=5), max_size=5))
def test_gives_back_what_was_packed(records: list[dict[str, object]]) -> None:
    packed = Packed(records)
    assert list(packed) == records
    assert packed[1:] == records[1:]
    assert len(packed) == len(records)
