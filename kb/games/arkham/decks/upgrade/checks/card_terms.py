"""The checks of a step for what single cards and the back of the investigator say of purchases."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.arkham.decks.checks.signatures import earned_later
from kb.games.arkham.decks.ruleset import DECKBUILDING, OPTIONS, PURCHASING, TRAUMA
from kb.games.arkham.decks.upgrade.changes import Changes
from kb.games.arkham.decks.upgrade.rules import UPGRADE, UPGRADING, Step
from kb.games.arkham.decks.wording import trauma
from kb.games.arkham.schema.special import FromCards


@UPGRADE.check(OPTIONS, UPGRADING, family="access")
def one_class_a_step(step: Step) -> Iterator[Problem]:
    """Where the investigator's back says so, cards above level 0 come from one class; another step may have another one.

    Neutral cards are apart, as are new level 0 cards; marking boxes of an upgrade sheet is an upgrade. A card of several
    classes is from each of them. Which class it is depends on the play, which no deck file tells.
    """
    back = step.changes.now.back
    if back is None or not back.special.buying.one_class:
        return
    bought = {
        bill.purchase.card.label: frozenset(bill.purchase.card.classes)
        for bill in step.plan.bills
        if (bill.purchase.level or bill.purchase.upgrades) and "neutral" not in bill.purchase.card.classes
    }
    if not bought:
        return
    shared = frozenset.intersection(*bought.values())
    if shared:
        yield Problem(
            f"All cards above level 0 are {either(sorted(shared))}: legal if that is the class which the back of {back.label} "
            "names for this step.",
            "Check that it is.",
            tuple(bought),
            "note",
        )
    else:
        named = ", ".join(f"{label} ({either(sorted(classes))})" for label, classes in bought.items())
        yield Problem(
            f"Above level 0 the back of {back.label} lets cards of one class be purchased or upgraded in a step; no class "
            f"has all of {named}.",
            "Keep to one class in this step.",
            tuple(bought),
        )


@UPGRADE.check(DECKBUILDING, family="campaign", severity="note")
def cards_earned(step: Step) -> Iterator[Problem]:
    """Cards of the investigator that come with experience earned in total are pointed out, with how much that is."""
    changes = step.changes
    for demand, total in _more(changes):
        cards = (changes.facts.card(code) for code, copies in changes.new.cards.items() if copies > 0)
        yield earned_later(demand, total, tuple(card.label for card in cards if card and card.root in demand.codes))


@UPGRADE.check(TRAUMA, PURCHASING, family="campaign", severity="note")
def trauma_of_purchases(step: Step) -> Iterator[Problem]:
    """Trauma that is suffered or removed when a card is purchased is pointed out."""
    for change in step.changes.purchases():
        card = change.card
        if card is not None and card.special.buying.trauma:
            yield Problem(trauma(card, change.come), "Record it in the campaign log.", (card.label,))


def earned_codes(changes: Changes) -> frozenset[str]:
    """First printings of the cards that came with experience earned in total, and of those that come along with them."""
    demanded = {code for demand, _ in _more(changes) for code in demand.codes}
    along = {need.root for need in changes.now.needs if need.rule and not demanded.isdisjoint(need.rule.as_many_as)}
    return frozenset(demanded | along)


def _more(changes: Changes) -> Iterator[tuple[FromCards, int]]:
    """Lists of which a card came in the step, beyond those of the start, and how many of each list there are now."""
    for demand in changes.now.demands:
        rows = [change for change in changes.cards if change.card is not None and change.card.root in demand.codes]
        total = sum(change.after for change in rows)
        if demand.per_experience and total > demand.at_start and any(change.come > 0 for change in rows):
            yield demand, total
