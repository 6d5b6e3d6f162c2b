"""The keys that the files of every campaign have, whatever the game."""

from __future__ import annotations

from kb.campaigns.model import Key

HEAD_KEYS = (
    Key("game", "", "the game"),
    Key("name", "The Tuesday table", "what you call the campaign"),
    Key("players", "[Ann, Ben]", "who plays, for you"),
)
GAME_KEYS = (
    Key("date", "2026-11-01", "when it was played"),
    Key("notes", "a line for the diary", "for you; the timeline shows it"),
)
