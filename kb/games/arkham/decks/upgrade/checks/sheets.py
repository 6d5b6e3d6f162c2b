"""Checks of the boxes of upgrade sheets."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import CUSTOMIZABLE
from kb.games.arkham.decks.upgrade.rules import UPGRADE, Step
from kb.plural import counted


@UPGRADE.check(CUSTOMIZABLE, family="campaign")
def boxes_stay(step: Step) -> Iterator[Problem]:
    """Boxes once marked stay marked: they are not refunded."""
    for sheet in step.changes.sheets:
        if sheet.erased:
            yield Problem(
                f"{counted(sheet.erased, 'box')} of {sheet.card.label} had been marked and no longer are.",
                "Mark them again; the experience is not given back.",
                (sheet.card.label,),
            )


@UPGRADE.check(CUSTOMIZABLE, family="experience", severity="note")
def boxes_marked_in_play(step: Step) -> Iterator[Problem]:
    """Where a card in the deck can mark boxes during a scenario, they may have cost nothing."""
    marked = [sheet.card.label for sheet in step.changes.sheets if sheet.more and sheet.left]
    markers = [card for card, left, _ in step.changes.held() if left and card.special.buying.marks_boxes]
    for card in markers if marked else ():
        yield Problem(
            f"{card.label} may have marked a box during the scenario for free; all boxes are counted here.",
            "Count such a box as one more experience available.",
            (card.label, *marked),
        )
