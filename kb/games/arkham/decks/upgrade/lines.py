"""The step line by line: what was exiled, purchased, swapped and taken out, at what price and by which rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from kb.decks.upgrades import Line
from kb.games.arkham.decks.editions import edition
from kb.games.arkham.decks.ruleset import (
    AGAIN_CUSTOMIZABLE,
    CUSTOMIZABLE,
    DECK_SIZE_RULING,
    EXCEPTIONAL,
    EXILE,
    LAST_COPY_EXILED,
    LEGAL_SIZE,
    LEVEL_0_RULING,
    MYRIAD,
    PERMANENT,
    PURCHASE_RULING,
    PURCHASING,
    RABBIT_HOLE_REFILL,
    SAME_LEVEL,
    TABOO,
    UPGRADING,
)
from kb.games.arkham.decks.upgrade.changes import DECK, EXTRA, Changes
from kb.games.arkham.decks.upgrade.plan import Plan
from kb.games.arkham.decks.upgrade.purchases import Bill, Free, How


def lines_of(changes: Changes, plan: Plan) -> tuple[Line, ...]:
    """All lines in the order of the plan; neighbours of which the same is to be said are taken together."""
    together: list[Line] = []
    by = edition(changes.new.rules)
    for said in (*_exiled(changes), *(_line(bill, plan) for bill in plan.bills), *_removed(changes, plan)):
        line = replace(said, cites=by.entries(said.cites))
        last = together[-1] if together else None
        same = last is not None and replace(last, copies=line.copies, cost=line.cost) == line
        if last is not None and same and last.cost * line.copies == line.cost * last.copies:
            together[-1] = replace(last, copies=last.copies + line.copies, cost=last.cost + line.cost)
        else:
            together.append(line)
    return tuple(together)


def _exiled(changes: Changes) -> Iterator[Line]:
    for change in changes.cards:
        if change.exiled and change.card:
            where = "extra deck" if change.pile == EXTRA else ""
            yield Line("exile", change.card.label, change.exiled, 0, where, (EXILE,))
        if change.forced and change.card:
            why = "no longer allowed in the deck"
            yield Line("remove", change.card.label, change.forced, 0, why, (DECK_SIZE_RULING, LEGAL_SIZE))


def _removed(changes: Changes, plan: Plan) -> Iterator[Line]:
    """Purchasable cards that went to make room (what was upgraded or swapped out is named there)."""
    swapped = Counter(bill.out for bill in plan.bills if bill.out)
    for change in changes.cards:
        card = change.card
        if card is None or not change.gone:
            continue
        copies = plan.removed(change) - (swapped[change.before_label] if change.pile == DECK else 0)
        if copies > 0:
            where = "extra deck" if change.pile == EXTRA else ""
            yield Line("remove", card.label, copies, 0, where, (PURCHASING,))


def _line(bill: Bill, plan: Plan) -> Line:
    """The line of one purchase."""
    purchase = bill.purchase
    action = {
        How.NEW: "purchase",
        How.AGAIN: "purchase again",
        How.UPGRADE: "upgrade",
        How.BOXES: "mark boxes",
        How.SHEET: "purchase",
        How.COPY: "purchase",
    }[purchase.how]
    why = list(_reasons(bill, plan))
    if purchase.pile == EXTRA:
        why.append("extra deck")
    copies = purchase.copies if purchase.how is How.SHEET else 1
    source = purchase.source.label if purchase.source else bill.out
    if bill.free is Free.REFILL:
        action = "fill up"
    elif bill.free is Free.SWAP:
        action = "swap in"
    cites = tuple(dict.fromkeys(_cites(bill, plan)))
    return Line(action, purchase.card.label, copies, bill.cost, "; ".join(why), cites, source)


def _reasons(bill: Bill, plan: Plan) -> Iterator[str]:
    """What explains the cost of a purchase."""
    purchase = bill.purchase
    free = {
        Free.REFILL: "level 0, up to the deck size",
        Free.SWAP: f"swap of level 0 cards by {plan.terms.given_by('swaps')}",
        Free.MYRIAD: "further copy of a myriad card",
        Free.SECOND: f"second copy by {plan.terms.given_by('second')}",
        Free.BOXES: "a copy comes with the boxes marked",
    }.get(bill.free)
    if free:
        yield free
        if bill.cost:
            yield f"taboo list {purchase.card.surcharge:+d}"
        return
    if purchase.how is How.UPGRADE and purchase.source is not None:
        if purchase.beside:
            yield f"full cost {purchase.price}, the lower version stays"
        else:
            yield f"difference {purchase.price}"
    elif purchase.how is How.BOXES:
        yield f"{purchase.price} marked"
    elif purchase.how in (How.SHEET, How.COPY):
        yield "what its upgrades take"
    else:
        yield from _price_of_new(bill, plan)
    if bill.off:
        yield f"{bill.off} less by {bill.by}"


def _price_of_new(bill: Bill, plan: Plan) -> Iterator[str]:
    card = bill.purchase.card
    level = card.level or 0
    yield f"level {level}, exceptional" if card.exceptional else f"level {level}"
    if card.surcharge:
        yield f"taboo list {card.surcharge:+d}"
    if plan.terms.dearer and bill.purchase.how is How.NEW and bill.purchase.price > 1:
        yield f"new cards {plan.terms.dearer:+d}"
    if level == 0 and bill.purchase.price == 1:
        yield "at least 1"


def _cites(bill: Bill, plan: Plan) -> Iterator[str]:
    """The entries that state the price."""
    card = bill.purchase.card
    if bill.free is Free.REFILL:
        yield DECK_SIZE_RULING
        yield LEGAL_SIZE
        if plan.terms.dearer:
            yield RABBIT_HOLE_REFILL
    elif bill.free is Free.SWAP:
        yield PURCHASE_RULING
    elif bill.free is Free.MYRIAD:
        yield MYRIAD
    elif bill.free is Free.BOXES:
        yield AGAIN_CUSTOMIZABLE
    else:
        yield from _price_cites(bill)
    if card.surcharge:
        yield TABOO
    if card.permanent:
        yield PERMANENT
    special = card.special
    if special.deck_size or special.gains or special.buying.swaps:
        yield PURCHASE_RULING


def _price_cites(bill: Bill) -> Iterator[str]:
    purchase, card = bill.purchase, bill.purchase.card
    if purchase.how is How.UPGRADE:
        yield UPGRADING
        if purchase.source is not None and purchase.source.level == card.level:
            yield SAME_LEVEL
    elif purchase.how in (How.BOXES, How.SHEET):
        yield CUSTOMIZABLE
        if purchase.exiled:
            yield LAST_COPY_EXILED
    elif purchase.how is How.COPY:
        yield AGAIN_CUSTOMIZABLE
    else:
        yield PURCHASING
        if purchase.how is How.AGAIN:
            yield EXILE
        if card.level == 0:
            yield LEVEL_0_RULING
    if card.exceptional:
        yield EXCEPTIONAL
