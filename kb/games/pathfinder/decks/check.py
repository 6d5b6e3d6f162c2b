"""Checks a deck by the rules of its set. Importing this module registers all checks, in the order of their families."""

from __future__ import annotations

from typing import get_args

from kb.decks.report import Family, Report
from kb.games.pathfinder.decks import access, campaign, counts, feats, mixing, pool  # noqa: F401  (registers the checks)
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import CARD_TYPES, Deck
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject
from kb.games.pathfinder.decks.unchecked import unchecked

__all__ = ["RULESETS", "check_deck"]

for _ruleset in RULESETS.values():
    _ruleset.checks.sort(key=lambda each: get_args(Family).index(each.family))


def check_deck(deck: Deck, facts: Facts, file: str) -> Report:
    """All findings on a deck by the ruleset of its character's set. `file` names the deck file in the report.

    `details` holds the set, stage and adventure, the number of cards and per type how many there are and must be, and what
    could not be checked, as sentences.
    """
    subject = Subject(deck, facts)
    by_line = counts.lines(subject)
    return Report(
        file=file,
        game="pathfinder",
        character=deck.character.name,
        findings=tuple(RULESETS[deck.set].run(subject)),
        details={
            "set": deck.set,
            "stage": deck.stage,
            "adventure": deck.adventure,
            "cards": len(deck.cards),
            "types": {
                kind: {"cards": len(by_line[kind]), "list": counts.wanted(subject, kind)[0]} for kind in CARD_TYPES
            },
            "not_checked": unchecked(subject),
        },
    )
