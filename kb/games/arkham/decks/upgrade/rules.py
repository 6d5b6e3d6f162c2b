"""The registry of checks of a step between two scenarios, and the entries that state their rules."""

from __future__ import annotations

from dataclasses import dataclass

from kb.decks.ruleset import Ruleset
from kb.games.arkham.decks.upgrade.changes import Changes
from kb.games.arkham.decks.upgrade.plan import Plan

UPGRADING = "arkham/glossary/upgrading-cards"
EXILE = "arkham/glossary/exile"
LEGAL_SIZE = "arkham/glossary/legal-deck-size"
NOT_REMOVED = "arkham/faq/removing-permanent-cards"
AGAIN_CUSTOMIZABLE = "arkham/faq/repurchasing-exiled-customizable"
RABBIT_HOLE_REFILL = "arkham/faq/down-the-rabbit-hole-level-0"
LAST_COPY_EXILED = "arkham/faq/exiling-last-customizable-copy"
SAME_LEVEL = "arkham/faq/on-your-own-exceptional-upgrade"
LEVEL_0_RULING = "arkham/rulings/1-8"


@dataclass(frozen=True, slots=True)
class Step:
    """What the checks of a step look at. available: experience to spend, None when nothing says how much.

    earned: what was earned before the step, where that was said apart; carried: what was left of the step before.
    """

    changes: Changes
    plan: Plan
    available: int | None = None
    earned: int | None = None
    carried: int = 0


UPGRADE: Ruleset[Step] = Ruleset("arkham", "Arkham Horror: The Card Game, between two scenarios")
