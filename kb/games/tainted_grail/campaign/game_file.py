"""Reads the files of a Tainted Grail campaign: the kinds of values that only they have."""

from __future__ import annotations

from kb.campaigns.model import Folder
from kb.campaigns.reader import Reader
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import parts
from kb.decks.names import name_key
from kb.decks.nodes import DeckProblem, Scalar
from kb.games.tainted_grail.campaign.model import HEAD, MOST_DAYS, Head, Saved, World
from kb.games.tainted_grail.decks.model import MODES, Mode, Sheet
from kb.games.tainted_grail.decks.sheet import read_sheet

MODE_NAMES: dict[str, Mode] = {each: each for each in MODES}


class SheetReader(Reader):
    """Reads one file; `mode` is that which it names (`said`), or that of the campaign so far."""

    def __init__(self, file: DeckFile, folder: Folder, world: World | None) -> None:
        super().__init__(file, folder, {name_key(name): name for name in world.sheets} if world else None)
        node = self.fields.scalar("mode")
        self.said = self.fields.choose(node, MODE_NAMES, "mode") if node else None
        self.mode = self.said or (world.mode if world else "standard")

    def choose_mode(self, key: str) -> Mode | None:
        """The mode that the file names."""
        return self.said

    def menhirs(self, key: str, most: int) -> dict[str, int] | None:
        """What the dials show, by location; None when the file does not say it."""
        return None if self.fields.get(key) is None else self.numbers(key, most)

    def marks(self, key: str) -> tuple[str, ...]:
        """A list of texts; below a name its parts: `{Cuanacht: [1, 3]}` is `Cuanacht 1`, `Cuanacht 3`."""
        node = self.fields.get(key)
        if not isinstance(node, nodes.Mapping):
            return tuple(dict.fromkeys(self.listed(key)))
        found: list[str] = []
        for label, value in node.pairs:
            numbers = [part.text for part in parts(value) if isinstance(part, Scalar)]
            found += [f"{label.text} {number}" for number in numbers] or [label.text]
        return tuple(dict.fromkeys(found))

    def said_marks(self, key: str) -> tuple[str, ...] | None:
        """Such a list; None when the file does not have it."""
        return None if self.fields.get(key) is None else self.marks(key)

    def secrets(self, key: str) -> tuple[int, ...]:
        """Numbers of secrets."""
        found = (self.fields.count(part, key, MOST_DAYS) for part in self.fields.listed(key))
        return tuple(number for number in found if number is not None)

    def deck(self, file: DeckFile) -> Sheet:
        """A character sheet. Raises DeckFileError."""
        return read_sheet(file)

    def deck_keys(self, name: str) -> dict[str, str]:
        """The character is the one before whose name it stands, the mode that of the campaign."""
        return {"character": name, "mode": self.mode}


def read_head(file: DeckFile, facts: None, folder: Folder) -> tuple[Head, list[DeckProblem]]:
    """How a campaign begins, and what is wrong with the file."""
    reader = SheetReader(file, folder, None)
    reader.check_head_keys(HEAD)
    sheets = reader.decks("decks")
    if not sheets:
        reader.note(0, "Nobody plays: write who has which sheet under `decks:`.")
    name = reader.text("name") or "The Fall of Avalon"
    return Head(name, World(sheets, reader.mode), reader.lines(), reader.flag("free_play")), reader.problems


def read_game(
    file: DeckFile, head: Head, before: World, facts: None, folder: Folder
) -> tuple[Saved, list[DeckProblem]]:
    """A save sheet, and what is wrong with its file."""
    reader = SheetReader(file, folder, before)
    reader.check_game_keys(Saved)
    return reader.read(Saved), reader.problems


def after(before: World, saved: Saved) -> World:
    """Where the campaign stands after a save sheet; what it does not say stays as it was."""
    gone = {*saved.died, *saved.left}
    sheets = {name: saved.sheets.get(name, sheet) for name, sheet in before.sheets.items() if name not in gone}
    sheets |= {name: saved.sheets[name] for name in saved.joined if name in saved.sheets}
    return World(
        sheets,
        saved.mode or before.mode,
        before.chapter if saved.chapter is None else saved.chapter,
        before.day if saved.day is None else saved.day,
        before.menhirs if saved.menhirs is None else saved.menhirs,
        before.statuses if saved.statuses is None else saved.statuses,
        before.removed if saved.removed is None else saved.removed,
        (*before.dead, *saved.died),
        before.saves + 1,
    )
