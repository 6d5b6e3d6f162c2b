"""An upgrade step in the form of an Arkham Horror deck: how it begins, is recorded in the deck, and is undone line by
line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.form import CardChange, Change, FormLine, KeyChange
from kb.decks.names import CardLabel
from kb.decks.upgrades import StepChanges, StepReport, UpgradeLine
from kb.games.arkham.decks.deck_form import lines_of
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.facts import ArkhamFacts

RECORDED = "**Upgrade**"
"""The first words of the record of an upgrade step. The record is in the deck's description, which other deck builders
show too.
"""
EXILED = "exiled"
"""The key of a deck file that lists the cards exiled before an upgrade step, with the number of copies of each."""
ACCOUNT = ("experience", "adjustment", "xp_spent", EXILED, "previous", "next_deck")
"""Keys of a deck file that describe the step that led to the deck."""


def begun(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a new deck file that continues the deck with the keys `value`.

    If the old deck has an id, the new file gets the next id and names the old one as `previous`.
    """
    keys = {key: each for key, each in value.items() if key not in ACCOUNT}
    if before := keys.get("id"):
        number = re.search(r"-(\d{1,6})$", str(before))
        base = str(before)[: number.start()] if number else str(before)
        keys |= {"id": f"{base}-{int(number[1]) + 1 if number else 2}", "previous": str(before)}
    return keys


def recorded(value: Mapping[str, Any], step: StepReport) -> dict[str, Any]:
    """Return the keys `value` of a deck with a record of the step that led to it: the experience available and spent,
    and the purchases.

    The keys for experience are those that other deck builders use.
    """
    keys = dict(value)
    if step.available is not None:
        keys |= {"experience": step.available - keys.get("adjustment", 0), "xp_spent": step.cost}
    description = str(keys.get("description_md") or "").rstrip()
    return {**keys, "description_md": "\n\n".join(filter(None, (description, step_record(step))))}


def step_record(step: StepReport) -> str:
    """Return the record of an upgrade step for the description of the new deck: a line with the experience and a list
    of the purchases.
    """
    there = "" if step.available is None else f"{step.available} experience, "
    return "\n".join([f"{RECORDED}: {there}{step.cost} spent.", *(f"- {line.text}" for line in step.lines)])


def records(value: Mapping[str, Any]) -> list[str]:
    """Return the lines of the records in a deck with the keys `value`, without markup and card codes."""
    _, mark, steps = str(value.get("description_md") or "").partition(RECORDED)
    shown = re.sub(r"\*\*| \[\w+\]", "", f"{mark}{steps}").splitlines()
    return [line.removeprefix("- ") for line in shown if line]


def changes(
    step: StepReport, old: DeckFile, new: Sequence[FormLine], value: Mapping[str, Any], facts: ArkhamFacts
) -> StepChanges:
    """Return the changes to the form that undo the lines of a step, and those that exile one copy of each card of the
    old deck that says to exile it when used. Raises DeckFileError if the old deck cannot be read.
    """
    deck = read_deck(old, facts)
    before = lines_of(deck, facts)
    exiled: Mapping[str, int] = value.get(EXILED) or {}
    copies = {line.key: line.copies for line in new}
    exiles = [card.code for card, _ in facts.with_cards_of(deck).held(deck.cards) if "exile" in card.keywords]
    keys = {line.key for line in (*before, *new)}

    def name_of(label: str) -> str:
        card = CardLabel.of(label)
        return card.name if card.key in keys else label

    return StepChanges(
        [(line.text_with(name_of), tuple(taken_back(line, new, before, exiled))) for line in step.lines],
        {
            key: (CardChange(key, copies[key] - 1), KeyChange(f"{EXILED}.{key}", exiled.get(key, 0) + 1))
            for key in exiles
            if copies.get(key, 0) > 0
        },
    )


def taken_back(
    line: UpgradeLine, now: Sequence[FormLine], before: Sequence[FormLine], lost: Mapping[str, int]
) -> list[Change]:
    """Return the changes to a deck's form that undo one line of an upgrade step. The changes include the boxes marked
    on a card's sheet.

    `now` and `before` are the lines of the new and the old deck. `lost` contains the exiled copies by card key.
    """
    old, copies = {each.key: each for each in before}, Counter({each.key: each.copies for each in now})
    known = {each.key: each for each in (*before, *now)}
    came = line.action not in ("exile", "remove")
    card = known.get(CardLabel.of(line.card).key)
    if card is None or (came and copies[card.key] < line.copies):
        return []
    blank = {field.key: field.value for field in old[card.key].sheet} if card.key in old else {}
    boxes: list[Change] = [
        KeyChange(field.key, value) for field in card.sheet if field.value != (value := blank.get(field.key, ""))
    ]
    if line.action == "mark boxes":
        return boxes
    back = [] if card.key in old else boxes
    back.append(CardChange(card.key, copies[card.key] + (-line.copies if came else line.copies)))
    if line.action == "exile":
        back.append(KeyChange(f"{EXILED}.{card.key}", lost.get(card.key, 0) - line.copies))
    if source := known.get(CardLabel.of(line.source).key):
        gone = old[source.key].copies - copies[source.key] if source.key in old else 0
        back.append(CardChange(source.key, copies[source.key] + max(0, min(line.copies, gone))))
    return back
