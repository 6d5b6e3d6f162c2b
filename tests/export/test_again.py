"""Texts of a large file are exchanged while it comes in pieces."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kb.export.again import exchanged, places_in

SOME = st.binary(max_size=6)
BYTES = st.lists(st.sampled_from([b"a", b"b", b"ab", b"aba", b"c"]), max_size=30).map(b"".join)


def cut(whole: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({0, len(whole), *(place % (len(whole) + 1) for place in places)})
    return [whole[at:end] for at, end in pairwise(ends)]


@given(BYTES, st.sets(st.sampled_from([b"a", b"ab", b"aba", b"bc", b"cab", b"abab"])), st.lists(st.integers(0, 99)))
def test_what_stands_once_is_found_wherever_the_file_is_cut(whole: bytes, texts: set[bytes], places: list[int]) -> None:
    often = {text: sum(whole.startswith(text, at) for at in range(len(whole))) for text in texts}
    assert places_in(cut(whole, places), texts) == {text: whole.find(text) for text in texts if often[text] == 1}


@given(st.lists(st.tuples(SOME, SOME, SOME)), SOME, st.lists(st.integers(0, 999)))
def test_the_rest_stays_as_it_was(parts: list[tuple[bytes, bytes, bytes]], last: bytes, places: list[int]) -> None:
    whole, wanted, others = b"", b"", []
    for before, old, new in parts:
        if old:
            others.append((len(whole + before), len(whole + before + old), new))
        whole += before + old
        wanted += before + (new if old else b"")
    assert b"".join(exchanged(cut(whole + last, places), others)) == wanted + last
