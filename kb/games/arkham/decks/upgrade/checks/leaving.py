"""Checks of cards that may not leave the deck, and of those that come or leave without a purchase."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.checks.signatures import ADVANCED, advanced_instead, signatures_replaced
from kb.games.arkham.decks.ruleset import (
    BASIC_WEAKNESS,
    PERMANENT,
    PURCHASING,
    REPLACED_WEAKNESS,
    SIGNATURES,
    STORY_ASSETS,
    WEAKNESS,
)
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.upgrade.changes import Change, Changes
from kb.games.arkham.decks.upgrade.checks.card_terms import earned_codes
from kb.games.arkham.decks.upgrade.rules import NOT_REMOVED, UPGRADE, Step
from kb.plural import counted

_UNLESS_LOG = "Put it back, unless the campaign guide or a card took it out."


def _kind(changes: Changes, *kinds: Kind) -> Iterator[Change]:
    """Changes of cards of some kinds, by what the deck before said of them."""
    return (change for change in changes.cards if change.status.kind in kinds or change.was.kind in kinds)


@UPGRADE.check(PERMANENT, NOT_REMOVED, family="campaign")
def permanents_stay(step: Step) -> Iterator[Problem]:
    """No permanent card leaves the deck, unless it is upgraded."""
    for change in step.changes.cards:
        card = change.card
        if card is None or not card.permanent or not change.gone or change.status.kind is Kind.SIGNATURE:
            continue
        gone = step.plan.removed(change)
        if card.back and card.back == step.changes.new.transformed:
            continue  # it was turned over and is the investigator now
        if gone > 0:
            yield Problem(
                f"{counted(gone, 'copy')} of {card.label} left the deck; a permanent card cannot be removed or swapped out.",
                _UNLESS_LOG,
                (card.label,),
            )


@UPGRADE.check(PURCHASING, WEAKNESS, BASIC_WEAKNESS, family="campaign")
def weaknesses_stay(step: Step) -> Iterator[Problem]:
    """No weakness leaves the deck while cards are purchased; one may give way to the weakness that replaces it."""
    changes = step.changes
    came = [change for change in _kind(changes, Kind.BASIC, Kind.WEAKNESS) if change.come > 0]
    drawn = sum(change.come for change in came if change.status.kind is Kind.BASIC)
    for change in _kind(changes, Kind.BASIC, Kind.WEAKNESS):
        card = change.card
        if card is None or not change.gone:
            continue
        if card.hidden and drawn >= change.gone:
            continue
        later = [
            other.card
            for other in came
            if other.card
            and card.root != other.card.root
            and other.card.special.stands_for_basic in (card.root, card.special.stands_for_basic or card.root)
        ]
        if later:
            yield Problem(
                f"{card.label} gave way to {later[0].label}.", "", (card.label,), "note", (REPLACED_WEAKNESS,)
            )
            continue
        yield Problem(
            f"{counted(change.gone, 'copy')} of {card.label} left the deck; weaknesses cannot be removed.",
            _UNLESS_LOG,
            (card.label,),
        )


@UPGRADE.check(PURCHASING, SIGNATURES, family="campaign")
def signatures_stay(step: Step) -> Iterator[Problem]:
    """No card that the deck must include leaves it; an advanced set may take the place of the original one."""
    changes = step.changes
    if signatures_replaced(changes.facts, changes.new):
        return
    replaced = advanced_instead(changes.now, changes.new)
    for change in _kind(changes, Kind.SIGNATURE):
        if change.gone and change.card is not None and change.was.kind is Kind.SIGNATURE:
            if change.card.root in replaced:
                continue
            yield Problem(
                f"{counted(change.gone, 'copy')} of {change.card.label} left the deck; the investigator's own cards stay.",
                _UNLESS_LOG,
                (change.card.label,),
            )


@UPGRADE.check(SIGNATURES, family="campaign", severity="note")
def signatures_advanced(step: Step) -> Iterator[Problem]:
    """An advanced set that took the place of the original signature cards is pointed out: there is no way back."""
    changes = step.changes
    replaced = advanced_instead(changes.now, changes.new)
    gone = [
        change.label
        for change in changes.cards
        if change.gone and change.status.card and change.status.card.root in replaced
    ]
    if gone:
        yield Problem(
            f"The advanced set took the place of {', '.join(gone)}; that costs no experience and cannot be undone.",
            "",
            tuple(gone),
        )


@UPGRADE.check(STORY_ASSETS, WEAKNESS, family="campaign", severity="note")
def given_by_the_campaign(step: Step) -> Iterator[Problem]:
    """Story cards and weaknesses that came, story cards that left: the campaign log says whether that is right."""
    advanced = advanced_instead(step.changes.now, step.changes.new)
    earned = earned_codes(step.changes)
    for change in step.changes.cards:
        if change.card is not None and change.card.root in earned and change.come > 0:
            continue  # see `cards_earned`
        if change.card is None or change.card.hidden or (advanced and change.card.set == ADVANCED):
            continue
        story = change.status.kind is Kind.STORY
        if change.come > 0 and (story or change.status.kind in (Kind.WEAKNESS, Kind.BASIC, Kind.SIGNATURE)):
            yield Problem(
                f"{counted(change.come, 'copy')} of {change.label} came into the deck without a purchase.",
                "Check that the campaign log says so.",
                (change.label,),
            )
        elif story and change.gone:
            yield Problem(
                f"{counted(change.gone, 'copy')} of {change.label} left the deck.",
                "Check that the campaign log says so.",
                (change.label,),
            )
