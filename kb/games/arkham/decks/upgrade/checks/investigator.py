"""Checks of what deck creation settled for good: the investigator, the sides, the selections."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import DECKBUILDING
from kb.games.arkham.decks.upgrade.rules import UPGRADE, Step

_KILLED = "arkham/glossary/killed-insane-investigators"


@UPGRADE.check(DECKBUILDING, _KILLED, family="campaign")
def same_investigator(step: Step) -> Iterator[Problem]:
    """Both decks are of the same investigator; another one begins with a new deck."""
    was, now = step.changes.was.investigator, step.changes.now.investigator
    if was and now and step.changes.facts.family(was.code) != step.changes.facts.family(now.code):
        yield Problem(
            f"The deck before is of {was.name}, the deck after of {now.name}.",
            "Begin a new deck for a new investigator.",
            (was.label, now.label),
        )


@UPGRADE.check(DECKBUILDING, family="campaign")
def choices_stay(step: Step) -> Iterator[Problem]:
    """Sides and selections are settled at deck creation."""
    old, new = step.changes.old, step.changes.new
    for what, before, after in (
        ("front", old.front or old.investigator, new.front or new.investigator),
        ("back", old.back or old.investigator, new.back or new.investigator),
    ):
        facts = step.changes.facts
        if facts.root(before) != facts.root(after) and old.investigator == new.investigator:
            yield Problem(f"The {what} in use changes from {before} to {after}.", f"Keep the {what} chosen at first.")
    for option in step.changes.now.build.options if step.changes.now.build else ():
        choice = option.choice
        if choice is None:
            continue
        value, past = new.choices.get(choice.name, ""), old.choices.get(choice.name, "")
        if past and value != past:
            yield Problem(
                f"The selection `{choice.name}` changes from {past} to {value or 'nothing'}.",
                "Keep what was chosen at deck creation.",
            )
