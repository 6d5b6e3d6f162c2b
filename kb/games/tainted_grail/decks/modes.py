"""Checks on who plays: characters of this campaign and of others, and what free play allows."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import did_you_mean
from kb.decks.report import Problem
from kb.games.tainted_grail.decks.model import CHARACTERS, Sheet
from kb.games.tainted_grail.decks.ruleset import rule


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
