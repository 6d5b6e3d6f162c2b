"""Checks of the experience of a step: what there is, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import EXPERIENCE, PURCHASE_RULING, PURCHASING
from kb.games.arkham.decks.upgrade.rules import UPGRADE, Step


@UPGRADE.check(EXPERIENCE, PURCHASING, PURCHASE_RULING, family="experience")
def enough_experience(step: Step) -> Iterator[Problem]:
    """What was purchased costs no more than the experience there is, even in the cheapest order."""
    cost, available = step.plan.cost, step.available
    if available is None:
        if cost:
            yield Problem(
                f"The step costs {cost} experience; nothing says how much there is.",
                "Give it with --xp, or write it in the deck file.",
                severity="note",
            )
    elif cost > available:
        yield Problem(
            f"The step costs at least {cost} experience, there is {available}.",
            f"Take back purchases worth {cost - available} experience.",
            count=cost,
            limit=available,
        )


@UPGRADE.check(EXPERIENCE, family="experience", severity="warning")
def unspent_experience(step: Step) -> Iterator[Problem]:
    """Experience left of an earlier step is carried on."""
    if step.earned is None and step.available is not None and step.available < step.carried:
        yield Problem(
            f"{step.carried} experience was left before; the file says {step.available} is available in all.",
            "Add what was left to the experience earned.",
        )


@UPGRADE.check(EXPERIENCE, family="experience")
def no_more_experience(step: Step) -> Iterator[Problem]:
    """No experience is earned with a card in the deck that forbids it."""
    for card, left, _ in step.changes.held():
        if left and card.special.buying.earns_nothing and step.earned:
            yield Problem(
                f"With {card.label} no experience can be earned, but {step.earned} was.",
                "Spend only what was left.",
                (card.label,),
            )


@UPGRADE.check(EXPERIENCE, family="experience", severity="note")
def more_experience(step: Step) -> Iterator[Problem]:
    """Cards in the deck that add experience to what a scenario gives are pointed out."""
    for card, left, _ in step.changes.held():
        earns = card.special.buying.earns
        if left and earns:
            yield Problem(
                f"{card.label} earns {earns} more experience, under its own condition.",
                "Check that it is counted in the experience earned.",
                (card.label,),
            )
