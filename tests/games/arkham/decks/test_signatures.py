"""Signature cards, sets that stand in their place, and what fronts and backs tell to add."""

from __future__ import annotations

from tests.games.arkham.decks.conftest import by_code

ORIGINAL, REPLACEMENT, ADVANCED = (
    by_code({"Roland's .38 Special": 1, "Cover Up": 1}),
    by_code({"Mysteries Remain": 1, "The Dirge of Reason": 1}),
    by_code({"Roland's .38 Special (btb)": 1, "Cover Up (btb)": 1}),
)
NONE = by_code({"Roland's .38 Special": 0, "Cover Up": 0})


def roland(*sets: dict[str, int]) -> dict[str, int]:
    wanted: dict[str, int] = dict(NONE)
    for each in sets:
        wanted |= each
    return wanted
