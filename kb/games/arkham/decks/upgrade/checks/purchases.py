"""Checks of what is purchased: by the ways that its card allows."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import DECKBUILDING, PURCHASING, RESEARCHED
from kb.games.arkham.decks.upgrade.purchases import How
from kb.games.arkham.decks.upgrade.rules import EXILE, UPGRADE, UPGRADING, Step
from kb.plural import counted


@UPGRADE.check(PURCHASING, DECKBUILDING, family="campaign")
def purchased_at_creation(step: Step) -> Iterator[Problem]:
    """Cards that can only be purchased at deck creation do not come later."""
    for change in step.changes.purchases():
        card = change.card
        if card is not None and card.special.at_creation:
            yield Problem(
                f"{card.label} can only be purchased at deck creation.", "Take it out of the deck.", (card.label,)
            )


@UPGRADE.check(RESEARCHED, UPGRADING, family="access")
def researched_by_upgrade(step: Step) -> Iterator[Problem]:
    """A researched card enters a deck only by upgrading its lower level version."""
    for bill in step.plan.bills:
        purchase = bill.purchase
        if purchase.card.researched and not purchase.upgrades and purchase.how is not How.BOXES:
            yield Problem(
                f"{purchase.card.label} was not upgraded from its lower level version.",
                "Purchase the lower level version first.",
                (purchase.card.label,),
            )


@UPGRADE.check(UPGRADING, DECKBUILDING, family="copies")
def lower_versions_kept(step: Step) -> Iterator[Problem]:
    """A copy stays in the deck uncounted only when a higher version of it is purchased at full cost."""
    for change in step.changes.cards:
        card = change.card
        if card is None or not change.beside:
            continue
        paid = sum(
            bill.purchase.beside and bill.purchase.source is not None and bill.purchase.source.root == card.root
            for bill in step.plan.bills
        )
        if paid < change.beside:
            yield Problem(
                f"{counted(change.beside - paid, 'copy')} of {card.label} stopped counting, but no higher version was purchased.",
                "Only the lower version of a card that is upgraded may stay in the deck uncounted.",
                (card.label,),
            )


@UPGRADE.check(EXILE, family="campaign", severity="warning")
def exiled_from_the_deck(step: Step) -> Iterator[Problem]:
    """What was exiled was in the deck before."""
    for code in step.changes.not_held:
        card = step.changes.facts.card(code)
        name = card.label if card else code
        yield Problem(
            f"{name} is listed as exiled, but the deck before had no more copies of it.", "Correct the list.", (name,)
        )
