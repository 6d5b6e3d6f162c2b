"""Checks of the frame of a step: the taboo list, and whether the deck may change at all."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import PURCHASING, TABOO
from kb.games.arkham.decks.upgrade.rules import UPGRADE, Step


@UPGRADE.check(TABOO, family="campaign", severity="note")
def same_taboo_list(step: Step) -> Iterator[Problem]:
    """A change of taboo list between two scenarios is pointed out: costs are those of the deck after."""
    old, new = step.changes.old.taboo, step.changes.new.taboo
    if old != new:
        yield Problem(
            f"The taboo list changes from {old or 'none'} to {new or 'none'}; costs are counted by that of the deck after."
        )


@UPGRADE.check(PURCHASING, family="campaign")
def deck_may_change(step: Step) -> Iterator[Problem]:
    """The deck of an investigator who was transformed, and whose card says so, does not change."""
    card = step.changes.facts.card(step.changes.old.transformed) if step.changes.old.transformed else None
    if card is None or not card.special.buying.frozen:
        return
    names = tuple(change.label for change in step.changes.cards if change.come > 0 or change.gone)
    if names or step.plan.bills:
        yield Problem(
            f"As {card.name} the investigator cannot add, remove or upgrade cards.", "Leave the deck as it was.", names
        )
