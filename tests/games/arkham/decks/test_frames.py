"""Ultimatums, environments, owned products and pools."""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.frame import FrameError, frame_of
from tests.games.arkham.decks.conftest import FACTS, ROLAND, deck, errors, named


def test_a_sealed_pool():
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
def test_options_that_make_no_sense(options):
    with pytest.raises(FrameError):
        frame_of(options, FACTS)


def test_options_by_name_or_code():
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
