"""What a document brings to its segment is read as it was packed, whatever its words hold; so is what an index says of itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb.search import index
from kb.search.document import Document
from kb.search.index import FORMAT, MANIFEST, read_manifest, write_manifest
from kb.search.record import record_in, record_of, stored
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


@pytest.mark.parametrize("number", [0, 1, 3, 4, 7])
def test_the_digests_of_documents_are_written_in_pieces_as_one_text(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "PIECE", 3)
    digests = {f"chess/{each}": str(each) for each in reversed(range(number))}
    write_manifest(tmp_path / MANIFEST, digests)
    assert read_manifest(tmp_path) == digests
    whole = json.dumps({"format": FORMAT, "digests": digests}, sort_keys=True, separators=(",", ":"))
    assert (tmp_path / MANIFEST).read_text(encoding="utf-8") == whole


@given(
    st.builds(
        Document, id=st.just("g/a"), game=st.just("g"), kind=st.just("rule"), title=st.text(), scopes=st.just(("g",)),
        asked=st.lists(st.text(), max_size=3).map(tuple), sentences=st.lists(st.text(), max_size=3).map(tuple),
    )
)  # fmt: skip
# Letters that are folded to words with spaces and signs.
@example(Document("g/a", "g", "rule", "\ufdfa \u2474 \u2488 \U0001f101 a|b", ("g",)))
@example(Document("g/a", "g", "rule", "", ("g",)))
def test_what_ranks_a_document_is_read_as_it_was_stored(document: Document) -> None:
    record = record_of(document)
    read = record_in(stored(record, document))
    assert {word: list(numbers) for word, numbers in read.places.items()} == record.places
    assert replace(read, places={}) == replace(record, places={})
