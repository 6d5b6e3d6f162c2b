"""Reads the files of a Tainted Grail campaign: the file of the setup, and one file for each save sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kb.campaigns.campaign import Folder
from kb.campaigns.game_campaign import Between, CampaignSetup
from kb.campaigns.reader import GameRecord, Reader
from kb.decks.deckfile import DeckFile
from kb.decks.file_keys import Key, key
from kb.decks.names import name_key
from kb.frozen import frozen
from kb.games.tainted_grail.decks.character_sheet import CHARACTERS, MODES, Item, Mode, Sheet
from kb.games.tainted_grail.decks.sheet import read_sheet

GODDESS_STATUS = "Saved by the goddess"
"""The status that players mark on the save sheet when they use the rule Allmother's Mercy."""
GODDESS = name_key(GODDESS_STATUS)


MOST_DAYS = 9_999
PLAYERS = "adding-or-removing-players"


@frozen
class Saved(GameRecord):
    """The content of a save sheet. None means that the file does not contain the key.

    The keys of `experience`, `positions` and `sheets` are characters. The keys of `menhirs` are locations.
    """

    chapter: int | None = key("number", "1", "the chapter that was reached", most=99)
    day: int | None = key("number", "9", "the day of the campaign, counted by you", most=MOST_DAYS)
    mode: Mode | None = key("choose_mode", "standard", "the mode from this save sheet on")
    experience: Mapping[str, int] = key(
        "numbers",
        "{Beor: 12}",
        "EXP gained since the last save sheet",
        dict,
        most=MOST_DAYS,
        tells="gains {} EXP",
        cite="experience",
        note="if a new sheet does not give the EXP left, kb calculates it",
    )
    menhirs: Mapping[str, int] | None = key(
        "numbers", "{101: 5}", "active menhirs by location, with their dials (0: no dial)", most=99
    )
    activated: tuple[str, ...] = key(
        "marks",
        "[101]",
        "menhirs that were activated since the last save sheet",
        tuple,
        tells="menhir activated: {}",
        cite="activating-menhirs",
    )
    guardians: Mapping[str, str] = key(
        "texts", "{The Grey Lady: 105}", "guardians on the map and their locations", dict
    )
    positions: Mapping[str, str] = key("texts", "{Beor: 101}", "the characters' locations", dict, tells="is in {}")
    dials: Mapping[str, str] = key("texts", "{quest 3: 4}", "other dials and the numbers that they show", dict)
    statuses: tuple[str, ...] | None = key(
        "marks", "[Saved by the goddess, Cuanacht 1]", "statuses marked on the save sheet"
    )
    removed: tuple[str, ...] | None = key("marks", "[112]", "locations and cards removed from the game")
    lost: tuple[int, ...] = key("secrets", "[14]", "secrets that the story took", tuple)
    died: tuple[str, ...] = key("names", "[Arev]", "characters who died", tuple, tells="dies", cite="character-death")
    left: tuple[str, ...] = key("names", "[Ailei]", "characters who left the game", tuple, tells="leaves", cite=PLAYERS)
    joined: tuple[str, ...] = key(
        "names", "[Niamh]", "characters who join, each with a fresh sheet", tuple, tells="joins", cite=PLAYERS
    )
    sheets: Mapping[str, Sheet] = key(
        "decks",
        "{Beor: decks/beor-2.yaml}",
        "each character's sheet: its keys, or the path of a file in this folder",
        dict,
        name="decks",
    )
    emergency: bool = key("flag", "no", "yes if you had to save within a chapter", bool)


@frozen
class World:
    """The state of a campaign: the sheets of the active characters, and the latest values from the save sheets.

    `dead` contains the names of dead characters. `ended` is True if the last death ended the game. `saves` is the
    number of save sheets so far.
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
    ended: bool = False

    def secrets(self) -> dict[int, tuple[str, Item]]:
        """Return the numbered secrets by their numbers, each with the character who has it."""
        return {
            item.number: (name, item)
            for name, sheet in self.sheets.items()
            for item in sheet.secrets
            if item.number is not None
        }


@frozen
class TaintedGrailSetup(CampaignSetup):
    """The start of a campaign, from the file `campaign.yaml`: the first state, and whether it is free play."""

    begins: World
    free_play: bool


@frozen
class SheetStep(Between):
    """A save sheet with the states of the campaign before and after it. The campaign rules check this object."""

    setup: TaintedGrailSetup
    before: World
    played: Saved
    after: World

    @property
    def days(self) -> int | None:
        """The number of days since the last save sheet; None if either sheet does not give the day."""
        now, then = self.after.day, self.before.day
        return None if now is None or then is None or self.played.day is None else now - then

    @property
    def mercy(self) -> bool:
        """True if this save sheet marks the status of Allmother's Mercy, and the last one did not."""
        return GODDESS in map(name_key, self.after.statuses) and GODDESS not in map(name_key, self.before.statuses)


SETUP = (
    Key("mode", "standard", "story, standard or challenge", MODES),
    Key("free_play", "no", "free play", ("yes", "no")),
    Key(
        "decks",
        "{Beor: decks/beor.yaml}",
        "each character's starting sheet: its keys, or the path of a file in this folder",
    ),
)


MODE_NAMES: dict[str, Mode] = {each: each for each in MODES}


class SheetReader(Reader):
    """Reads one file of a campaign. `chosen` is the mode in the file, or None.

    `mode` is the mode that applies: `chosen`, or else the mode of the campaign so far.
    """

    of_places = ("menhirs", "guardians", "dials")

    def __init__(
        self,
        file: DeckFile,
        folder: Folder,
        facts: None,
        setup: TaintedGrailSetup | None = None,
        state: World | None = None,
    ) -> None:
        super().__init__(file, folder, facts)
        self.people = {name_key(name): name for name in state.sheets} if state else None
        self.chosen = self.one_of("mode", MODE_NAMES)
        self.mode = self.chosen or (state.mode if state else "standard")

    def choose_mode(self, key: str) -> Mode | None:
        """Return the mode that the file names; None if it names no mode."""
        return self.chosen

    def marks(self, key: str) -> tuple[str, ...]:
        """Return the texts listed under `key`, without repeats."""
        return tuple(dict.fromkeys(self.words(key)))

    def secrets(self, key: str) -> tuple[int, ...]:
        """Return the numbers of the secrets listed under `key`."""
        found = (self.count(part, key, MOST_DAYS) for part in self.listed(key))
        return tuple(number for number in found if number is not None)

    def deck(self, file: DeckFile, name: str) -> Sheet:
        """Return the character sheet in `file`. Raises DeckFileError if it cannot be read."""
        return read_sheet(file)

    def deck_keys(self, name: str) -> dict[str, str]:
        """Return the keys that the sheet of the character `name` inherits from the campaign: `character` and `mode`."""
        return {"character": name, "mode": self.mode}

    def setup(self) -> TaintedGrailSetup:
        """Return the start of the campaign that the file describes. A campaign without players is reported."""
        sheets = self.decks("decks")
        if not sheets and not self.problems:
            self.note(self.line_of("decks"), "There are no players. List who has which sheet under `decks:`.")
        return TaintedGrailSetup(
            self.text("name") or "The Fall of Avalon", World(sheets, self.mode), self.lines(), self.flag("free_play")
        )


def held_before(sheet: Sheet) -> int | None:
    """Return the unspent EXP on `sheet`.

    If the sheet does not list it, the result is 0 when no EXP was spent, and otherwise None.
    """
    return sheet.resources.get("experience", 0 if sheet.experience_spent == 0 else None)


def keeping(old: Sheet, gained: int, new: Sheet) -> Sheet:
    """Return the sheet `new` with the unspent EXP after a session that gave the character `gained` EXP.

    A character without a new sheet keeps the old one, so `new` may be `old` itself. The EXP that a new sheet lists
    stays unchanged. `new` is returned unchanged if its EXP cannot be calculated.
    """
    had = held_before(old)
    spent = [each.experience_spent for each in (old, new)]
    if had is None or (new is not old and ("experience" in new.resources or None in spent)):
        return new
    left = max(0, had + gained + (spent[0] or 0) - (spent[1] or 0))
    known = left or "experience" in old.resources or spent[1]
    return replace(new, resources={**new.resources, "experience": left}) if known else new


def state_after(before: World, saved: Saved) -> World:
    """Return the state of the campaign after the save sheet `saved`. Values missing from the sheet stay unchanged."""
    gone = {*saved.died, *saved.left}
    sheets = {
        name: keeping(sheet, saved.experience.get(name, 0), saved.sheets.get(name, sheet))
        for name, sheet in before.sheets.items()
        if name not in gone
    }
    sheets |= {name: saved.sheets[name] for name in saved.joined if name in saved.sheets}
    said = {
        key: value
        for key in ("mode", "chapter", "day", "menhirs", "statuses", "removed")
        if (value := getattr(saved, key)) is not None
    }
    dead = (*before.dead, *saved.died)
    now = replace(before, sheets=sheets, dead=dead, saves=before.saves + 1, **said)
    claimed = {*before.sheets, *dead} - {*saved.left}
    nobody_left = not sheets or len(before.sheets) == 1 or {each.name for each in CHARACTERS} <= claimed
    mercy = GODDESS in map(name_key, now.statuses)
    return replace(now, ended=bool(saved.died) and nobody_left and not mercy)
