"""Points are added up, and the best come first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.retrieval.document import Document
from kb.retrieval.matching import Lift, Part, best_of, met, total
from kb.retrieval.ranking import NEAR, OTHER, SYNONYM, Query, fits
from kb.retrieval.record import record_of

DOCUMENTS = 60
gains = st.dictionaries(st.integers(0, DOCUMENTS - 1), st.floats(0.05, 0.95), max_size=DOCUMENTS)
words = st.builds(Part, st.floats(0.5, 9), gains, st.lists(gains, max_size=2))


@given(
    st.lists(words, max_size=6),
    st.lists(st.integers(0, 2), min_size=DOCUMENTS, max_size=DOCUMENTS),
    st.integers(1, 12),
)
def test_the_best_are_those_of_adding_up_everything(parts: list[Part], games: list[int], wanted: int) -> None:
    lift = Lift(games, [1.0, 1.7, 1.2])
    plain: dict[int, float] = {}
    for part in parts:
        for number in {*part.own, *(number for other in part.others for number in other)}:
            gain = max([part.own.get(number, 0.0), *(SYNONYM * other.get(number, 0.0) for other in part.others)])
            plain[number] = plain.get(number, 0.0) + gain * part.weight
    expected = sorted(((value * lift.factors[games[number]], -number) for number, value in plain.items()), reverse=True)
    found = best_of(parts, lift, wanted)
    assert [number for number, _points in found] == [-number for _points, number in expected[:wanted]]
    assert [points for _number, points in found] == pytest.approx([points for points, _number in expected[:wanted]])
    assert total(parts) == len(plain)


def test_what_a_document_holds_of_the_query() -> None:
    parts = [Part(2.0, {1: 0.5}, [{1: 0.9, 2: 0.5}]), Part(3.0, {3: 0.5})]
    assert [met(parts, number) for number in (1, 2, 3, 4)] == [2.0, NEAR * 2.0, 3.0, 0.0]


def test_a_text_fits_by_what_it_and_the_query_share() -> None:
    document = Document(
        "g/a", "g", "rule", "Trading cards", ("g",), asked=("may I swap cards", "who deals"), related=("Staff",)
    )
    query = Query({"trade": 4.0, "card": 2.0}, {"swap": "trade"})
    found = fits(query, record_of(document))
    assert found.name == 1.0
    assert found.asked == pytest.approx(
        2 * (NEAR * 4 + 2) / (6 + max(OTHER + OTHER + 2, NEAR * 4 + 2))
    )  # may, swap, card
    assert found.questions.keys() == {0}
    assert found.card == 0.0
