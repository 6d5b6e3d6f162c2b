"""Texts that are packed come out as they went in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.files import packed
from kb.files.packed import Texts

SMALL = 100
TEXTS = st.lists(st.text(max_size=40))


@given(TEXTS)
def test_texts_come_out_as_they_went_in(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as change:
        change.setattr(packed, "BLOCK", SMALL)  # several blocks
        change.setattr(packed, "BLOCKS", 2)
        held = Texts(texts)
        again = Texts.of(held.told())
    for found in (held, again):
        assert list(found) == texts
        assert [found[number] for number in reversed(range(len(texts)))] == texts[::-1]
        assert len(found) == len(texts)


@given(TEXTS, TEXTS)
def test_more_can_be_added_when_some_were_packed(first: list[str], then: list[str]) -> None:
    held = Texts(first)
    for text in then:
        held.add(text)
    held.close()
    assert list(held) == first + then


def test_thousands_alike_take_a_tenth() -> None:
    texts = [f"The card number {number} is a card like all others." for number in range(5_000)]
    assert len(Texts(texts).told()) < sum(map(len, texts)) / 5


@pytest.mark.parametrize("told", [b"", b"[]", b"[[1],[0],[1]]", b"[[9],[0],[1]]\nabc", b"{}\n", b"[[1],[0,1],[1]]\nx"])
def test_bytes_of_another_make_are_refused(told: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        Texts.of(told)
