"""The ruleset of Tainted Grail, and how its checks are registered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kb.decks.report import Family, Problem, Severity
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.decks.model import Sheet

GAME = "tainted-grail"
TITLE = "Tainted Grail: The Fall of Avalon"
RULESET = Ruleset[Sheet](GAME, TITLE)


def rule(
    *cites: str, family: Family, severity: Severity = "error"
) -> Callable[[Callable[[Sheet], Iterable[Problem]]], Callable[[Sheet], Iterable[Problem]]]:
    """Register a check of a sheet; a citation is the last part of an entry's id."""
    return RULESET.check(*(entry(cite) for cite in cites), family=family, severity=severity)


def entry(name: str) -> str:
    """The id of an entry of the game."""
    return f"{GAME}/{name}"
