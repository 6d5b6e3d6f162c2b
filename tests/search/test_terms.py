"""What a document brings to its segment is read as it was packed, whatever its words hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.search.terms import Terms

WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=9)
LISTED = st.lists(WORD, max_size=4)


@given(
    st.builds(
        Terms, game=WORD, counts=st.booleans(), names=st.dictionaries(WORD, LISTED, max_size=3),
        text=st.dictionaries(WORD, st.floats(0, 1_000), max_size=6), known=st.dictionaries(WORD, st.integers(1, 2**32 - 1), max_size=6),
        bears=LISTED, about=LISTED,
    )
)  # fmt: skip
def test_terms_are_read_as_they_were_packed(terms: Terms) -> None:
    read = Terms.unpacked(terms.packed())
    assert read == terms
    assert [list(each) for each in (read.text, read.known)] == [list(each) for each in (terms.text, terms.known)]
