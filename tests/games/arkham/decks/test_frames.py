"""Ultimatums, environments, owned products and pools."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.frame import Frame, FrameError, frame_of
from tests.games.arkham.decks.conftest import FACTS, ROLAND, check, deck, errors, named


def ultimatum(name: str) -> Frame:
    return Frame(ultimatums=frozenset({name}))


def owned(copies: int, *packs: str) -> bool:
    """Whether so many Machetes are more than these products hold."""
    findings = check(deck(ROLAND, {"Machete": copies}), Frame(products=frozenset(packs))).findings
    return any(finding.check == "owned-products" and "Machete" in finding.message for finding in findings)


def test_owned_products() -> None:
    assert not owned(1, "core")
    assert owned(2, "core")  # the first core set holds one
    assert not owned(2, "rcore")
    assert not owned(2, "core", "core_2026")
    assert owned(1, "dwl")
    assert not owned(1, "dwl", "core")


def test_a_pool_that_the_deck_names() -> None:
    made = deck(ROLAND)
    assert errors(replace(made, pool=("cycle:core",))) == set()
    assert errors(replace(made, pool=("tskp",))) == {"named-pool"}
    assert errors(replace(deck(ROLAND, {"Laboratory Assistant": 2}), pool=("core", "dwlp"))) == set()


def test_a_sealed_pool() -> None:
    made = deck(ROLAND)
    pool = dict(made.cards)
    assert errors(replace(made, sealed=pool)) == set()
    assert errors(replace(made, sealed={**pool, named("Machete"): 1})) == {"sealed-pool"}


@pytest.mark.parametrize(
    "options",
    [
        {"environment": "modern"},
        {"owned": ["Dominion"]},
        {"expansion": ["core set"]},
        {"ultimatum": ["doom"]},
        {"boon": ["x"]},
    ],
)
def test_options_that_make_no_sense(options: dict[str, object]) -> None:
    with pytest.raises(FrameError):
        frame_of(options, FACTS)


def test_options_by_name_or_code() -> None:
    frame = frame_of(
        {
            "owned": ["core, dwl", "Revised Core Set"],
            "expansion": ["The Scarlet Keys"],
            "environment": "limited",
            "start": True,
        },
        FACTS,
    )
    assert frame.products == ("core", "dwl", "rcore")
    assert (frame.expansions, frame.start, frame.standalone) == (("tsk",), True, False)
