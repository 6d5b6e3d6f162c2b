"""Checks a character sheet. Importing this module registers all checks, in the order of their families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from kb.decks.names import did_you_mean
from kb.decks.report import Family, Problem, Report
from kb.games.tainted_grail.decks import belongings, decks, growth  # noqa: F401  (registers the checks)
from kb.games.tainted_grail.decks.growth import least_cost, pairs_of, prices_ever
from kb.games.tainted_grail.decks.model import CHARACTERS, Sheet
from kb.games.tainted_grail.decks.ruleset import GAME, RULESET, rule


@rule("free-play", "playable-characters", "starter-decks", family="campaign", severity="warning")
def character_of_the_campaign(sheet: Sheet) -> Iterator[Problem]:
    """The character is one of the campaign's four; free play admits those of other campaigns, without their personal story."""
    if sheet.known:
        return
    if sheet.free_play:
        yield Problem(
            f"{sheet.character} is not among the characters listed for The Fall of Avalon: one of another campaign cannot "
            "progress through the personal story.",
            "Nothing to do in free play; the starter cards are on the back of the tile.",
            severity="note",
        )
        return
    known = [each.name for each in CHARACTERS]
    hint = did_you_mean(sheet.character, known).strip() or f"Known are {', '.join(known)}."
    yield Problem(
        f"{sheet.character} is not among the characters listed for The Fall of Avalon.",
        f"{hint} Characters of other campaigns play with `free_play: yes`.",
    )


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
