"""Whatever two decks are given, a step is judged, quickly and without contradiction."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from kb.games.arkham.decks.model import Deck, Mark
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck
from tests.games.arkham.decks.upgrade.steps import judge, put

CODES = st.sampled_from(
    ["01060", "02154", "02306", "05032", "05280", "02110", "06167", "08059", "04109", "60531", "09081", "01000", "01098",
     "06029", "06241", "06242", "60520", "02114", "04236", "53010", "01001", "99999", "01117", "02021", "02262", "90017"]
)  # fmt: skip
SLOTS = st.dictionaries(CODES, st.integers(-2, 4), max_size=12)


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    return Deck(
        draw(st.sampled_from([AGNES, "01005", "02004", "06002", "nobody", "08010"])),
        draw(SLOTS),
        back=draw(st.sampled_from(["", "90017", "90049"])),
        extra=draw(SLOTS),
        ignored=draw(SLOTS),
        customizations={"09081": tuple(Mark(*mark) for mark in draw(st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9)))))},
        exiled=tuple(draw(st.lists(CODES, max_size=4))),
        taboo=draw(st.sampled_from([0, 5, 8])),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(decks(), decks(), st.none() | st.integers(0, 30))
def test_any_two_decks(old: Deck, new: Deck, earned: int | None) -> None:
    step = judge(old, new, earned=earned)
    assert step.cost >= 0
    assert step.cost == sum(line.cost for line in step.lines)
    if step.available is not None and step.cost > step.available:
        assert not step.legal


@settings(max_examples=60, deadline=None)
@given(decks())
def test_no_change_costs_nothing(one: Deck) -> None:
    still = put(one, exiled=())
    assert judge(still, still).cost == 0


@settings(max_examples=60, deadline=None)
@given(decks(), decks())
def test_cards_that_help_never_make_a_step_dearer(old: Deck, new: Deck) -> None:
    def having(one: Deck, copies: int) -> Deck:
        helping = {"04109": copies, "60531": copies, "02110": copies, "04106": copies}
        return put(one, {**helping, "08059": 0}, exiled=tuple(code for code in one.exiled if code not in helping))

    assert judge(having(old, 1), having(new, 1)).cost <= judge(having(old, 0), having(new, 0)).cost


def test_many_upgrades_at_once_take_no_second() -> None:
    versions: dict[str, list[str]] = {}
    for code in FACTS._cards:
        card = FACTS.card(code)
        if card and card.root == code and card.level is not None and "mystic" in card.classes and not card.sheet:
            versions.setdefault(card.title, []).append(code)
    several = [
        sorted(codes, key=lambda code: FACTS.card(code).level or 0) for codes in versions.values() if len(codes) > 1
    ]  # type: ignore[union-attr]
    helped = {"08059": 1, "04109": 2, "02110": 2, "06167": 1}
    old = put(deck(AGNES), helped, {codes[0]: 2 for codes in several})
    new = put(deck(AGNES), helped, {codes[-1]: 2 for codes in several})
    begun = time.perf_counter()
    assert judge(old, new).cost > 20
    assert judge(put(old, {"01060": 10**9}), put(new, {"02306": 10**9})).cost > 20
    assert time.perf_counter() - begun < 20  # a bound against explosion, no measurement
