"""A Tainted Grail campaign as frozen dataclasses: what one save sheet says, and where the characters stand before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.campaigns.lines import line_in
from kb.campaigns.model import Key
from kb.decks.names import name_key
from kb.games.tainted_grail.decks.model import Item, Mode, Sheet

GODDESS = "savedbythegoddess"  # the status that Allmother's Mercy marks


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save sheet says; sheets are by the name of the character, `dials` of menhirs by location.

    `lines` are the lines of the file by key, and by key and name. None stands for what it does not say.
    """

    chapter: int | None = None
    day: int | None = None
    mode: Mode | None = None
    experience: Mapping[str, int] = field(default_factory=dict)
    menhirs: Mapping[str, int] | None = None
    activated: tuple[str, ...] = ()
    guardians: Mapping[str, str] = field(default_factory=dict)
    positions: Mapping[str, str] = field(default_factory=dict)
    dials: Mapping[str, str] = field(default_factory=dict)
    statuses: tuple[str, ...] | None = None
    removed: tuple[str, ...] | None = None
    lost: tuple[int, ...] = ()
    died: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    emergency: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)

    def line(self, *names: str) -> int:
        """The line of the first of these keys (or `key name`) that stands in the file; 0 when none does."""
        return line_in(self.lines, *names)


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
class Moment:
    """A save sheet between two states: what the rules look at. `known`: nothing before it is missing."""

    before: World
    saved: Saved
    after: World
    known: bool = True

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
