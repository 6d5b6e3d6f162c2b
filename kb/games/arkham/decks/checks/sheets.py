"""Checks on the upgrade sheets of customizable cards."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.model import MOST_BOXES, Card, Customization
from kb.games.arkham.decks.ruleset import ARKHAM, CUSTOMIZABLE
from kb.games.arkham.decks.tally import Tally


def _sheets(tally: Tally) -> Iterator[tuple[Card, Customization]]:
    """The cards of the deck for which the file marks boxes, each once."""
    for code, marks in tally.deck.customizations.items():
        card = tally.profile.card(code)
        if card is not None and (tally.deck.cards.get(code, 0) > 0 or code in tally.deck.extra):
            yield card, marks


@ARKHAM.check(CUSTOMIZABLE, family="access", when=lambda tally: tally.deck.customizations)
def boxes_on_the_sheet(tally: Tally) -> Iterator[Problem]:
    """No more boxes are marked than an upgrade has, and none that the sheet does not have."""
    for card, marks in _sheets(tally):
        if not card.sheet:
            yield Problem(f"{card.label} has no upgrade sheet.", "Take its marks out.", (card.label,))
            continue
        for mark in marks:
            if not 0 <= mark.index < len(card.sheet):
                message = f"The sheet of {card.label} has no upgrade number {mark.index + 1}, only {len(card.sheet)}."
            elif not 0 <= mark.spent <= card.sheet[mark.index].cost:
                boxes = card.sheet[mark.index].cost
                message = f"Upgrade {mark.index + 1} of {card.label} has {boxes} boxes, {mark.spent} are marked."
            else:
                continue
            yield Problem(message, "Mark only boxes that are on the sheet.", (card.label,))
        if len({mark.index for mark in marks}) < len(marks):
            yield Problem(f"An upgrade of {card.label} is marked twice.", "List each upgrade once.", (card.label,))


@ARKHAM.check(CUSTOMIZABLE, family="access", when=lambda tally: tally.deck.customizations)
def ten_boxes(tally: Tally) -> Iterator[Problem]:
    """At most 10 boxes of a sheet are marked."""
    for card, marks in _sheets(tally):
        boxes = sum(
            min(mark.spent, card.sheet[mark.index].level_boxes)
            for mark in marks
            if 0 <= mark.index < len(card.sheet) and mark.spent > 0
        )
        if boxes > MOST_BOXES:
            yield Problem(
                f"{boxes} boxes of {card.label} are marked, at most {MOST_BOXES} may be.",
                f"Take back {boxes - MOST_BOXES}.",
                (card.label,),
                count=boxes,
                limit=MOST_BOXES,
            )


@ARKHAM.check(CUSTOMIZABLE, family="choice", severity="warning", when=lambda tally: tally.deck.customizations)
def choices_on_the_sheet(tally: Tally) -> Iterator[Problem]:
    """What an upgrade lets choose (trait, skill, card, slot) is chosen once its boxes are marked."""
    for card, marks in _sheets(tally):
        for mark in marks:
            box = card.sheet[mark.index] if 0 <= mark.index < len(card.sheet) else None
            if box is not None and box.chooses and box.cost and mark.spent >= box.cost and not mark.chosen:
                yield Problem(
                    f"Upgrade {mark.index + 1} of {card.label} needs a {box.chooses} to be chosen.",
                    f"Choose a {box.chooses}.",
                    (card.label,),
                )
