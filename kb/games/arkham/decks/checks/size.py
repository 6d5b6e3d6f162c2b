"""Checks on the deck size."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import ARKHAM, DECK_SIZE_RULING, DECKBUILDING, PERMANENT
from kb.games.arkham.decks.tally import Tally
from kb.plural import counted


@ARKHAM.check(
    DECKBUILDING, PERMANENT, DECK_SIZE_RULING, family="count", when=lambda tally: tally.size != tally.profile.size
)
def deck_size(tally: Tally) -> Iterator[Problem]:
    """The deck holds exactly as many cards as its size; weaknesses, signatures, story cards, permanents apart."""
    profile = tally.profile
    wanted = profile.size
    if tally.size == wanted or profile.build is None:
        return
    changed = f" ({profile.base_size} {wanted - profile.base_size:+d})" if wanted != profile.base_size else ""
    missing = wanted - tally.size
    yield Problem(
        f"The deck has {counted(tally.size, 'card')} that count; its size is {wanted}{changed}.",
        f"Add {counted(missing, 'card')}." if missing > 0 else f"Take out {counted(-missing, 'card')}.",
        count=tally.size,
        limit=wanted,
    )
