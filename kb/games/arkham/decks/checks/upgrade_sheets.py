"""Checks of upgrade sheets: boxes marked for customizable cards, and the choices that go with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Boxes, Clear, Remedy, Set, Unlist
from kb.games.arkham.decks.card import MOST_BOXES, ArkhamCard, Customization
from kb.games.arkham.decks.deck_counts import ARKHAM, DeckCounts
from kb.games.arkham.schema.cards import UpgradeBox
from kb.plural import counted


def _sheets(counts: DeckCounts) -> Iterator[tuple[ArkhamCard, Customization]]:
    """Yield each card in the deck that has boxes marked in the file, with these marks."""
    for code, marks in counts.deck.customizations.items():
        card = counts.profile.card(code)
        if card is not None and (counts.deck.cards.get(code, 0) > 0 or code in counts.deck.extra):
            yield card, marks


def _called(box: UpgradeBox) -> str:
    """Return the name of an upgrade. An upgrade without a name is only a choice."""
    return box.name or f"the choice of a {box.chooses}"


@ARKHAM.check("arkham/glossary/customizable", family="access")
def boxes_on_the_sheet(counts: DeckCounts) -> Problems:
    """Every upgrade marked in the file is on the card's upgrade sheet and has at least as many boxes as are marked."""
    for card, marks in _sheets(counts):
        if not card.sheet:
            yield Problem(
                f"{card.label} has no upgrade sheet.",
                cards=(card.label,),
                at=At("upgrades"),
                remedies=(Unlist("upgrades", (card.label,)),),
            )
            continue
        for mark in marks:
            of, key = f"upgrade {mark.index + 1} of {card.label}", f"upgrades.{card.code}.{mark.index + 1}"
            boxes = card.sheet[mark.index].cost if 0 <= mark.index < len(card.sheet) else None
            remedy: Remedy
            if boxes is None:
                message = f"The sheet of {card.label} has no upgrade number {mark.index + 1}, only {len(card.sheet)}."
                remedy = Boxes(of, mark.spent, checked=False, key=key)
            elif not 0 <= mark.spent <= boxes:
                message = (
                    f"Upgrade {mark.index + 1} ({_called(card.sheet[mark.index])}) of {card.label} has "
                    f"{counted(boxes, 'box')}, but the file marks {mark.spent}."
                )
                remedy = Boxes(of, mark.spent - boxes, False, key) if mark.spent > 0 else Clear((key,))
            else:
                continue
            yield Problem(
                message,
                cards=(card.label,),
                count=mark.spent,
                limit=boxes,
                at=At("upgrades"),
                remedies=(remedy,),
            )
        for index, times in Counter(mark.index for mark in marks).items():
            if times > 1:
                _, *again = [mark.spent for mark in marks if mark.index == index]
                of, key = f"upgrade {index + 1} of {card.label}", f"upgrades.{card.code}.{index + 1}"
                yield Problem(
                    f"The file lists an upgrade of {card.label} twice.",
                    cards=(card.label,),
                    at=At("upgrades"),
                    remedies=(Boxes(of, sum(again), checked=False, key=key),),
                )


@ARKHAM.check("arkham/glossary/customizable", family="access")
def ten_boxes(counts: DeckCounts) -> Problems:
    """At most 10 boxes of an upgrade sheet are marked."""
    for card, marks in _sheets(counts):
        boxes = sum(
            min(mark.spent, card.sheet[mark.index].level_boxes)
            for mark in marks
            if 0 <= mark.index < len(card.sheet) and mark.spent > 0
        )
        if boxes > MOST_BOXES:
            yield Problem(
                f"{boxes} boxes of {card.label} are marked; at most {MOST_BOXES} are allowed.",
                cards=(card.label,),
                count=boxes,
                limit=MOST_BOXES,
                at=At("upgrades"),
                remedies=(Boxes(card.label, boxes - MOST_BOXES, checked=False, key=f"upgrades.{card.code}"),),
            )


@ARKHAM.check("arkham/glossary/customizable", family="choice", severity="warning")
def choices_on_the_sheet(counts: DeckCounts) -> Problems:
    """If all boxes of an upgrade with a choice (trait, skill, card, slot) are marked, the choice is recorded."""
    for card, marks in _sheets(counts):
        for mark in marks:
            box = card.sheet[mark.index] if 0 <= mark.index < len(card.sheet) else None
            if box is not None and box.chooses and box.cost and mark.spent >= box.cost and not mark.chosen:
                yield Problem(
                    f"Upgrade {mark.index + 1} ({_called(box)}) of {card.label} lets you choose a {box.chooses}, but none is chosen.",
                    cards=(card.label,),
                    at=At("upgrades"),
                    remedies=(
                        Set(
                            f"upgrades.{card.code}.{mark.index + 1}.chosen", why=f"to the {box.chooses} that you choose"
                        ),
                    ),
                )
