"""The keys that the files of every campaign have, whatever the game."""

from __future__ import annotations

import re
from datetime import date

from kb.campaigns.model import Key

HEAD_KEYS = (
    Key("game", "", "the game"),
    Key("name", "The Tuesday table", "what you call the campaign"),
    Key("players", "[Ann, Ben]", "who plays, for you"),
)
DATE = "date"
GAME_KEYS = (
    Key(DATE, "2026-11-01", "when it was played"),
    Key("notes", "a line for the diary", "for you; the timeline shows it"),
)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def no_day(text: str) -> str | None:
    """Why a text is not the day of a game, as a sentence; None when it is one."""
    try:
        if _DAY.fullmatch(text) and date.fromisoformat(text):
            return None
    except ValueError:
        pass
    return f"`{DATE}` is {text[:60]!r}; write a day as year-month-day, such as 2026-11-01."
