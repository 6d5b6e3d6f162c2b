"""The keys of the files of a Tainted Grail campaign."""

from __future__ import annotations

from kb.campaigns.model import Key

HEAD = (
    Key("mode", "standard", "story, standard or challenge"),
    Key("free_play", "no", "yes for free play"),
    Key(
        "decks",
        "{Beor: decks/beor.yaml}",
        "each character's sheet as the campaign begins: keys, or a file of this folder",
    ),
)
GAME = (
    Key("chapter", "1", "the chapter that was reached"),
    Key("day", "9", "the day of the campaign, counted by you"),
    Key("mode", "standard", "the mode from now on"),
    Key("experience", "{Beor: 12}", "EXP gained since the last save sheet"),
    Key("menhirs", "{101: 5}", "active menhirs by location, with what their dials show (0: no dial)"),
    Key("activated", "[101]", "menhirs that were activated since the last save sheet"),
    Key("guardians", "{The Grey Lady: 105}", "guardians on the map and where"),
    Key("positions", "{Beor: 101}", "where the characters are"),
    Key("dials", "{quest 3: 4}", "other dials and what they show"),
    Key("statuses", "[Saved by the goddess, Cuanacht 1]", "statuses marked on the save sheet"),
    Key("removed", "[112]", "locations and cards removed from the game"),
    Key("lost", "[14]", "secrets that the story took"),
    Key("died", "[Arev]", "who died"),
    Key("left", "[Ailei]", "who left the game"),
    Key("joined", "[Niamh]", "who joins with a fresh character"),
    Key("decks", "{Beor: decks/beor-2.yaml}", "the character sheets: keys, or files of this folder"),
    Key("emergency", "no", "yes when you had to save within a chapter"),
)  # fmt: skip
