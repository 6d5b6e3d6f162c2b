"""A Tainted Grail campaign as frozen dataclasses: what one save sheet says, and where the characters stand before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kb.campaigns.keys import GameRecord, Key, key
from kb.campaigns.replay import Between
from kb.campaigns.replay import Head as AnyHead
from kb.decks.names import name_key
from kb.games.tainted_grail.decks.model import Item, Mode, Sheet

GODDESS = "savedbythegoddess"  # the status that Allmother's Mercy marks


MOST_DAYS = 9_999


@dataclass(frozen=True, slots=True)
class Saved(GameRecord):
    """What a save sheet says; sheets are by the name of the character, dials of menhirs by location. None: it does not say."""

    chapter: int | None = key("number", "1", "the chapter that was reached", most=99)
    day: int | None = key("number", "9", "the day of the campaign, counted by you", most=MOST_DAYS)
    mode: Mode | None = key("choose_mode", "standard", "the mode from now on")  # noqa: RUF009
    experience: Mapping[str, int] = key(
        "their_numbers", "{Beor: 12}", "EXP gained since the last save sheet", dict, most=MOST_DAYS
    )
    menhirs: Mapping[str, int] | None = key(
        "menhirs", "{101: 5}", "active menhirs by location, with what their dials show (0: no dial)", most=99
    )
    activated: tuple[str, ...] = key("marks", "[101]", "menhirs that were activated since the last save sheet", tuple)
    guardians: Mapping[str, str] = key("texts", "{The Grey Lady: 105}", "guardians on the map and where", dict)
    positions: Mapping[str, str] = key("their_texts", "{Beor: 101}", "where the characters are", dict)
    dials: Mapping[str, str] = key("texts", "{quest 3: 4}", "other dials and what they show", dict)
    statuses: tuple[str, ...] | None = key(
        "said_marks", "[Saved by the goddess, Cuanacht 1]", "statuses marked on the save sheet"
    )
    removed: tuple[str, ...] | None = key("said_marks", "[112]", "locations and cards removed from the game")
    lost: tuple[int, ...] = key("secrets", "[14]", "secrets that the story took", tuple)
    died: tuple[str, ...] = key("names", "[Arev]", "who died", tuple)
    left: tuple[str, ...] = key("names", "[Ailei]", "who left the game", tuple)
    joined: tuple[str, ...] = key("names", "[Niamh]", "who joins with a fresh character", tuple)
    sheets: Mapping[str, Sheet] = key(
        "decks", "{Beor: decks/beor-2.yaml}", "the character sheets: keys, or files of this folder", dict, name="decks"
    )
    emergency: bool = key("flag", "no", "yes when you had to save within a chapter", bool)  # fmt: skip


@dataclass(frozen=True, slots=True)
class World:
    """Where a campaign stands: the sheets of those who play, and the last of everything that a save sheet said.

    `dead` are the names of those who died; `saves` counts the save sheets so far.
    """

    sheets: Mapping[str, Sheet]
    mode: Mode = "standard"
    chapter: int | None = None
    day: int | None = None
    menhirs: Mapping[str, int] | None = None
    statuses: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    saves: int = 0

    def secrets(self) -> dict[int, tuple[str, Item]]:
        """Numbered secrets with who holds them."""
        return {
            item.number: (name, item)
            for name, sheet in self.sheets.items()
            for item in sheet.secrets
            if item.number is not None
        }


@dataclass(frozen=True, slots=True)
class Head(AnyHead):
    """How a campaign begins."""

    begins: World
    free_play: bool


@dataclass(frozen=True, slots=True)
class Moment(Between):
    """A save sheet between two states: what the rules look at."""

    before: World
    played: Saved
    after: World

    @property
    def saved(self) -> Saved:
        """The save sheet."""
        return self.played

    @property
    def days(self) -> int | None:
        """Days since the last save sheet, where both say theirs."""
        now, then = self.after.day, self.before.day
        return None if now is None or then is None or self.saved.day is None else now - then

    @property
    def mercy(self) -> bool:
        """Whether the party was saved by the Allmother since the last save sheet."""
        return GODDESS in map(name_key, self.after.statuses) and GODDESS not in map(name_key, self.before.statuses)


HEAD = (
    Key("mode", "standard", "story, standard or challenge"),
    Key("free_play", "no", "yes for free play"),
    Key(
        "decks",
        "{Beor: decks/beor.yaml}",
        "each character's sheet as the campaign begins: keys, or a file of this folder",
    ),
)
