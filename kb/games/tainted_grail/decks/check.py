"""Checks a character sheet. Importing this module registers all checks, in the order of their families."""

from __future__ import annotations

from typing import get_args

from kb.decks.report import Family, Report
from kb.games.tainted_grail.decks import belongings, decks, growth, modes  # noqa: F401  (registers the checks)
from kb.games.tainted_grail.decks.growth import least_cost, pairs_of, prices_ever
from kb.games.tainted_grail.decks.model import Sheet
from kb.games.tainted_grail.decks.ruleset import GAME, RULESET

__all__ = ["RULESET", "check_sheet"]

RULESET.checks.sort(key=lambda each: get_args(Family).index(each.family))


def check_sheet(sheet: Sheet, file: str) -> Report:
    """All findings on a sheet. `file` names the sheet in the report.

    `details` holds mode, size of both decks, and the least experience that what the sheet shows has cost.
    """
    return Report(
        file=file,
        game=GAME,
        character=sheet.character,
        findings=tuple(RULESET.run(sheet)),
        details={
            "mode": sheet.mode,
            "free_play": sheet.free_play,
            "combat": len(sheet.combat.cards),
            "diplomacy": len(sheet.diplomacy.cards),
            "experience": {
                "spent": sheet.experience_spent,
                "cost": least_cost(sheet, prices_ever(sheet)[0], pairs_of(sheet)),
            },
        },
    )
