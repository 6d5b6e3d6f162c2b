"""Check on limited deckbuilding slots."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.assignment import assign, fits
from kb.games.arkham.decks.ruleset import ARKHAM, MULTI_CLASS, OPTIONS, OPTIONS_RULING
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import out
from kb.plural import counted


@ARKHAM.check(OPTIONS, OPTIONS_RULING, MULTI_CLASS, family="access", when=lambda tally: tally.demand)
def limited_slots(tally: Tally) -> Iterator[Problem]:
    """Cards that need limited deckbuilding slots all find one, in some assignment of cards to slots."""
    if fits(tally.demand, [option.limit for option in tally.profile.limited]):
        return
    assignment = assign(tally)
    over = sum(copies for _, copies in assignment.left)
    used = "; ".join(slots.summary for slots in assignment.slots)
    yield Problem(
        f"{counted(over, 'card')} too many for the limited slots. At best: {used}; without a slot: {assignment.left_over}.",
        out(tally, f"Take out {counted(over, 'card')} without a slot, or others in place of them.", assignment.left),
        tuple(card.label for card, _ in assignment.left),
        count=over,
        limit=0,
    )
