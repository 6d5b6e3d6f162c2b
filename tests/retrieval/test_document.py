"""The JSON of documents is that of Python's own encoder, whoever writes it."""

from __future__ import annotations

import pydantic_core  # noqa: F401 - else Python itself writes the JSON
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.retrieval.document import IN_ORDER, Document, json_bytes

texts = st.text()
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(texts, inner),
    max_leaves=20,
)


@given(values)
def test_the_json_is_pythons(value: object) -> None:
    assert json_bytes(value) == IN_ORDER.encode(value).encode("utf-8")


@pytest.mark.parametrize(
    "sign", [*map(chr, range(0x20)), "\x7f", "\x85", "\u2028", "\ufeff", "\U0001f0a1", '"', "\\", "/", "<"]
)
def test_every_odd_sign_is_written_as_python_writes_it(sign: str) -> None:
    assert json_bytes([sign, {sign: sign}]) == IN_ORDER.encode([sign, {sign: sign}]).encode("utf-8")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match="utf-8"):
        json_bytes(["\ud800"])


@given(texts, st.lists(texts), st.none() | texts)
def test_a_document_comes_back(title: str, said: list[str], topic: str | None) -> None:
    document = Document("chess/rook", "chess", "rule", title, ("chess",), sentences=tuple(said), topic=topic)
    assert Document.from_json(document.as_json) == document
