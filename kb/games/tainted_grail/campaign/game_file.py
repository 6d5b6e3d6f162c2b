"""Reads the files of a Tainted Grail campaign. Whatever is wrong is noted; the rest counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.campaigns.keys import GAME_KEYS, HEAD_KEYS
from kb.campaigns.lines import lines_of
from kb.campaigns.model import Folder
from kb.decks import nodes
from kb.decks.deckfile import DECK_SUFFIXES, DeckFile
from kb.decks.fields import Fields, parts
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, key_name
from kb.games.tainted_grail.campaign.model import GAME, HEAD, Saved, World
from kb.games.tainted_grail.decks.model import MODES, Mode, Sheet
from kb.games.tainted_grail.decks.sheet import read_sheet

MOST_DAYS = 9_999
MOST_CHAPTERS = 99
MOST_ON_A_DIAL = 99
MODE_NAMES: dict[str, Mode] = {each: each for each in MODES}


@dataclass(slots=True)
class Reader:
    """Reads one file. `problems` gathers what is wrong with it; `people` are those whom it may name."""

    file: DeckFile
    folder: Folder
    people: tuple[str, ...] = ()
    problems: list[DeckProblem] = field(default_factory=list)
    fields: Fields = field(init=False)

    def __post_init__(self) -> None:
        self.fields = Fields(self.file.root, self.problems)

    def who(self, node: Scalar, new: tuple[str, ...] = ()) -> str:
        """The name by which the files know a character; a stranger is noted."""
        known = (*self.people, *new)
        found = next((name for name in known if name_key(name) == name_key(node.text)), None)
        if found is None:
            hint = did_you_mean(node.text, known) or (f" Known are {', '.join(known)}." if known else "")
            self.fields.note(node, f"Nobody called {node.text!r} plays.{hint}")
        return found or node.text

    def pairs(self, key: str) -> list[tuple[Scalar, Node]]:
        """The keys below a key, with their values."""
        below = self.fields.below(key)
        return list(below.mapping.pairs) if below else []

    def texts(self, key: str, people: bool = False) -> dict[str, str]:
        """Single values by what stands before them."""
        found: dict[str, str] = {}
        for label, value in self.pairs(key):
            name = self.who(label) if people else label.text
            if isinstance(value, Scalar) and value.text:
                found[name] = value.text
            else:
                self.fields.note(value, f"`{key}: {label.text}` must be a single value.")
        return found

    def numbers(self, key: str, highest: int, people: bool = False) -> dict[str, int]:
        """Whole numbers by what stands before them."""
        return {
            self.who(label) if people else label.text: self.fields.count(value, f"{key}: {label.text}", highest) or 0
            for label, value in self.pairs(key)
        }

    def listed(self, key: str) -> tuple[str, ...]:
        """A list of texts; below a name its parts: `{Cuanacht: [1, 3]}` is `Cuanacht 1`, `Cuanacht 3`."""
        node = self.fields.get(key)
        if isinstance(node, nodes.Mapping):
            found: list[str] = []
            for label, value in node.pairs:
                numbers = [part.text for part in parts(value) if isinstance(part, Scalar)]
                found += [f"{label.text} {number}" for number in numbers] or [label.text]
            return tuple(dict.fromkeys(found))
        return tuple(dict.fromkeys(part.text for part in self.fields.listed(key) if isinstance(part, Scalar)))

    def names(self, key: str, new: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The characters listed under a key."""
        named = [part for part in self.fields.listed(key) if isinstance(part, Scalar)]
        return tuple(dict.fromkeys(self.who(part, new) for part in named))

    def sheets(self, mode: Mode | None, new: tuple[str, ...] | None = None) -> dict[str, Sheet]:
        """The character sheets; at the beginning (`new` is None) their names are those of the characters."""
        found: dict[str, Sheet] = {}
        for label, value in self.pairs("decks"):
            name = label.text if new is None else self.who(label, new)
            path = value.text if isinstance(value, Scalar) and value.text.endswith(DECK_SUFFIXES) else None
            try:
                found[name] = read_sheet(self.sheet_file(label, value, path, mode))
            except DeckFileError as error:
                for problem in error.problems:
                    if path is None and problem.line:
                        self.problems.append(problem)
                    else:
                        self.fields.note(value, f"{path or label.text}: {problem.message}")
        return found

    def sheet_file(self, label: Scalar, value: Node, path: str | None, mode: Mode | None) -> DeckFile:
        """The file that a node names, or that it is itself. Raises DeckFileError."""
        if path is not None:
            return self.folder.deck(path)
        if not isinstance(value, nodes.Mapping):
            said = f"the sheet of {label.text} is a file of this folder, or keys of its own."
            raise DeckFileError(self.file.name, [DeckProblem(value.line, said)])
        there = {key_name(key.text) for key, _ in value.pairs}
        more: list[tuple[Scalar, Node]] = []
        if "character" not in there:
            more.append((Scalar("character", value.line), label))
        if "mode" not in there and mode:
            more.append((Scalar("mode", value.line), Scalar(mode, value.line)))
        root = nodes.Mapping((*more, *value.pairs), value.line)
        return DeckFile(self.file.name, "yaml", lambda: root, "")


@dataclass(frozen=True, slots=True)
class Head:
    """How a campaign begins."""

    name: str
    world: World
    free_play: bool
    lines: Mapping[str, int]


def read_head(file: DeckFile, folder: Folder) -> tuple[Head, list[DeckProblem]]:
    """How a campaign begins, and what is wrong with the file."""
    reader = Reader(file, folder)
    fields = reader.fields
    fields.check_keys([key.name for key in (*HEAD_KEYS, *HEAD)])
    mode = mode_of(fields) or "standard"
    sheets = reader.sheets(mode)
    if not sheets:
        reader.problems.append(DeckProblem(0, "Nobody plays: write who has which sheet under `decks:`."))
    name = fields.text("name") or "The Fall of Avalon"
    return Head(name, World(sheets, mode), fields.flag("free_play"), lines_of(reader.file.root)), reader.problems


def mode_of(fields: Fields) -> Mode | None:
    """The mode that a file names."""
    node = fields.scalar("mode")
    return fields.choose(node, MODE_NAMES, "mode") if node else None


def read_game(file: DeckFile, folder: Folder, before: World) -> tuple[Saved, list[DeckProblem]]:
    """A save sheet, and what is wrong with its file."""
    reader = Reader(file, folder, tuple(before.sheets))
    fields = reader.fields
    fields.check_keys([key.name for key in (*GAME, *GAME_KEYS)])
    joining = tuple(part.text for part in fields.listed("joined") if isinstance(part, Scalar))
    mode = mode_of(fields)
    saved = Saved(
        chapter=fields.number("chapter", MOST_CHAPTERS),
        day=fields.number("day", MOST_DAYS),
        mode=mode,
        experience=reader.numbers("experience", MOST_DAYS, people=True),
        menhirs=None if fields.get("menhirs") is None else reader.numbers("menhirs", MOST_ON_A_DIAL),
        activated=reader.listed("activated"),
        guardians=reader.texts("guardians"),
        positions=reader.texts("positions", people=True),
        dials=reader.texts("dials"),
        statuses=None if fields.get("statuses") is None else reader.listed("statuses"),
        removed=None if fields.get("removed") is None else reader.listed("removed"),
        lost=tuple(
            number for part in fields.listed("lost") if (number := fields.count(part, "lost", MOST_DAYS)) is not None
        ),
        died=reader.names("died"),
        left=reader.names("left"),
        joined=reader.names("joined", joining),
        sheets=reader.sheets(mode or before.mode, joining),
        emergency=fields.flag("emergency"),
        lines=lines_of(reader.file.root),
    )
    return saved, reader.problems


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
