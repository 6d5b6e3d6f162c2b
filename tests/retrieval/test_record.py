"""What ranks a document is read as it was written."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from kb.retrieval.document import Document
from kb.retrieval.record import Record, record_of


@given(
    st.builds(
        Document, id=st.just("g/a"), game=st.just("g"), kind=st.just("rule"), title=st.text(), scopes=st.just(("g",)),
        asked=st.lists(st.text(), max_size=3).map(tuple), sentences=st.lists(st.text(), max_size=3).map(tuple),
    )
)  # fmt: skip
# Letters that are folded to words with spaces and signs.
@example(Document("g/a", "g", "rule", "\ufdfa \u2474 \u2488 \U0001f101 a|b", ("g",)))
@example(Document("g/a", "g", "rule", "", ("g",)))
def test_what_ranks_a_document_is_read_as_it_was_written(document: Document) -> None:
    record = record_of(document)
    assert Record.from_json(record.as_json) == record
