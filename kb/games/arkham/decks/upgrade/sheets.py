"""The ways in which boxes and copies of a customizable card can have been purchased."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.games.arkham.decks.model import Mark
from kb.games.arkham.decks.status import Kind, Status
from kb.games.arkham.decks.upgrade.chains import Chain, Way
from kb.games.arkham.decks.upgrade.changes import DECK, Change, Changes, Sheet
from kb.games.arkham.decks.upgrade.purchases import MINIMUM, Free, How, Purchase, Terms, price_of_new


def sheet_ways(changes: Changes, sheet: Sheet, change: Change, terms: Terms, helped: bool) -> Iterator[Way]:
    """The ways of one sheet.

    Boxes on the sheet of a card that is in the deck are one upgrade. New copies cost what their upgrades take, all
    together; or fewer boxes, or none, are purchased with them, and the rest is marked afterwards as an upgrade. A further
    copy costs what the sheet indicates, or nothing when a box is marked (Rules Reference, "Customizable"; FAQ).
    """
    marking = _boxes(sheet, change, sheet.more, sheet.left or sheet.come)
    leaving = change.gone - change.forced if change.swappable else 0
    if sheet.left:
        boxes = (marking,) if sheet.more else ()
        for out in range(_swapped_out(sheet, change, terms) + 1):
            come = sheet.come + out
            for given in range(min(come, sheet.more), -1, -1):
                yield Way((*boxes, *_further(sheet, change, terms, come, given)), leaving + out)
        if not sheet.come and not sheet.more and leaving:
            yield Way((), leaving)
        return
    if not sheet.come:
        return
    blanks = _blank_copies(changes, sheet, change, terms)
    if not sheet.spent:
        yield Way(tuple(blanks), leaving)
        return
    for boxes_first in range(sheet.spent, 0, -1) if helped else (sheet.spent,):
        if boxes_first == sheet.spent or _allowed(changes, sheet, boxes_first):
            first = _bundle(sheet, change, terms, boxes_first)
            rest = sheet.spent - boxes_first
            yield Way(
                (Chain.of(first, *_boxes(sheet, change, rest, sheet.come).purchases) if rest else Chain.of(first),)
            )
    if helped and _allowed(changes, sheet, 0):
        for given in range(min(sheet.come - 1, sheet.spent), -1, -1):
            paid = len(blanks) - given
            first_chain = Chain.of(*blanks[0].purchases, *marking.purchases)
            free = [_given(chain) for chain in blanks[paid:]]
            yield Way((first_chain, *blanks[1:paid], *free), leaving)


def _swapped_out(sheet: Sheet, change: Change, terms: Terms) -> int:
    """How many copies that stay may have been swapped out first, to come back with boxes that are marked: not the last."""
    if not sheet.more or not change.swappable:
        return 0
    return max(0, min(change.kept - 1, sheet.more, terms.swaps))


def _further(sheet: Sheet, change: Change, terms: Terms, come: int, given: int) -> Iterator[Chain]:
    """Copies beside those in the deck: `given` come with boxes that are marked, the others cost what the sheet says."""
    before = sum(sheet.before.values())
    exiled = min(come, sheet.exiled)
    for copy in range(come):
        again = copy < exiled
        if copy >= come - given:
            yield _given(Chain.of(_copy(sheet, change, 0, again)))
        elif before:
            price = max(MINIMUM, before + sheet.card.surcharge + (0 if again else terms.dearer))
            yield Chain.of(_copy(sheet, change, price, again))
        else:
            yield Chain.of(_blank(sheet, change, terms, again))


def _given(chain: Chain) -> Chain:
    return Chain.of(chain.purchases[0]).given(Free.BOXES, 0)


def _copy(sheet: Sheet, change: Change, price: int, again: bool) -> Purchase:
    level = sheet.card.level or 0
    return Purchase(sheet.pile, sheet.card, How.COPY, price, counts=change.status.counts, exiled=again, level=level)


def _blank(sheet: Sheet, change: Change, terms: Terms, again: bool) -> Purchase:
    price = price_of_new(sheet.card, 0 if again else terms.dearer)
    how = How.AGAIN if again else How.NEW
    return Purchase(sheet.pile, sheet.card, how, price, counts=change.status.counts, exiled=again)


def _blank_copies(changes: Changes, sheet: Sheet, change: Change, terms: Terms) -> list[Chain]:
    exiled = min(sheet.come, sheet.exiled)
    return [Chain.of(_blank(sheet, change, terms, copy < exiled)) for copy in range(sheet.come)]


def _boxes(sheet: Sheet, change: Change, boxes: int, copies: int) -> Chain:
    """Boxes marked on the sheet of a card in the deck."""
    counts, level = change.status.counts, sheet.card.level or 0
    return Chain.of(Purchase(sheet.pile, sheet.card, How.BOXES, boxes, counts=counts, copies=copies, level=level))


def _bundle(sheet: Sheet, change: Change, terms: Terms, boxes: int) -> Purchase:
    """All new copies with some of the boxes marked."""
    exiled = min(sheet.come, sheet.exiled) > 0
    price = max(MINIMUM, boxes + sheet.card.surcharge + (0 if exiled else terms.dearer))
    level = (min(boxes, sum(box.level_boxes for box in sheet.card.sheet)) + 1) // 2
    counts = change.status.counts
    return Purchase(
        sheet.pile, sheet.card, How.SHEET, price, counts=counts, copies=sheet.come, exiled=exiled, level=level
    )


def _allowed(changes: Changes, sheet: Sheet, boxes: int) -> bool:
    """Whether the deck may hold the card with only so many of its boxes marked."""
    profile = changes.now if sheet.pile == DECK else changes.now.extra or changes.now
    final = profile.upgraded(sheet.card.code, _marks(sheet.after, sum(sheet.after.values())))
    status: Status = profile.upgraded(sheet.card.code, _marks(sheet.after, boxes))
    return status.kind is Kind.PLAYER and (not status.mask or status.mask == final.mask)


def _marks(after: Mapping[int, int], boxes: int) -> tuple[Mark, ...]:
    """The first boxes of a sheet, in its order."""
    marks: list[Mark] = []
    for index, spent in sorted(after.items()):
        take = min(boxes, spent)
        if take:
            marks.append(Mark(index, take))
            boxes -= take
    return tuple(marks)
