"""What a campaign is made of: its files as read, and what replaying them tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import starmap

from kb.citation import Cite
from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckProblem
from kb.decks.problems import Finding
from kb.decks.report import Located
from kb.frozen import frozen
from kb.jsonable import FLAT, HIDDEN, OR_NULL, Jsonable, called, key


@frozen
class Page:
    """A file of the folder. `file` is None when it cannot be read; `problems` say why. `number` 0 is `campaign.yaml`."""

    name: str
    number: int
    file: DeckFile | None
    problems: tuple[DeckProblem, ...] = ()


@frozen
class Folder:
    """A campaign's files in the order in which the games were played.

    `deck(name)` reads a deck file of the folder, by its path from there; it raises DeckFileError. `strays` are problems of
    files that are no part of the campaign.
    """

    path: str
    head: Page
    games: tuple[Page, ...]
    deck: Callable[[str], DeckFile]
    strays: tuple[tuple[str, str], ...] = ()


@frozen
class Change(Jsonable):
    """What a game changed."""

    who: str = field(metadata=OR_NULL)
    """For whom; null: for all."""
    text: str
    """What, in words."""
    cite: Cite = ""
    """The entry that says why."""


@frozen
class Line(Jsonable):
    """Cards of one name."""

    name: str
    """The card."""
    copies: int = 1
    """How many."""
    more: str = field(default="", metadata=HIDDEN)
    """What stands behind it."""


@frozen
class DeckNow(Jsonable):
    """A deck after a game."""

    who: str
    """Whose it is."""
    heading: str
    """Who and how far, in words."""
    piles: Mapping[str, Sequence[Line]]
    """Its cards by kind."""


@frozen
class TallyPart(Jsonable):
    """A number of a chart."""

    value: int
    """The number."""
    words: str
    """What it counts."""


@frozen
class Row(Jsonable):
    """A row of a chart; its numbers have each a colour that stands for it and what it counts."""

    label: str
    """Its label."""
    parts: tuple[tuple[int, str, str], ...] = field(metadata=HIDDEN)
    goal: int | None = None
    """The number to reach, where there is one."""

    @key
    def parts_(self) -> tuple[TallyPart, ...]:
        """Its numbers."""
        return tuple(TallyPart(value, words) for value, _, words in self.parts)


@frozen
class Tally(Jsonable):
    """A chart of a campaign."""

    title: str
    """What it shows."""
    rows: tuple[Row, ...]
    """Its rows."""
    note: str = field(default="", metadata=OR_NULL)
    """What is to be known besides."""


@frozen
class Filed(Jsonable):
    """A finding on a game, at its place."""

    finding: Finding = field(metadata=FLAT)
    file: str
    """The file."""
    line: int = field(metadata=OR_NULL)
    """Its line; null: the whole file."""


@frozen
class Step(Jsonable):
    """What one file of a campaign tells: its beginning, or a game."""

    number: int
    """Number of the game; 0: the beginning."""
    file: str
    """The file."""
    title: str
    """What was played."""
    outcome: str = field(default="", metadata=OR_NULL)
    """How it ended, in a word or two."""
    date: str = field(default="", metadata=OR_NULL)
    """When, as the file says it."""
    changes: tuple[Change, ...] = ()
    """What changed, in order."""
    decks: tuple[DeckNow, ...] = ()
    """The decks after it."""
    findings: tuple[Located, ...] = field(default=(), metadata=HIDDEN)
    problems: tuple[DeckProblem, ...] = ()
    """What cannot be read in it."""
    notes: str = field(default="", metadata=OR_NULL)
    """What the players wrote besides."""

    @key
    def findings_(self) -> tuple[Filed, ...]:
        """What does not follow from what came before."""
        return tuple(Filed(each.finding, self.file, each.line) for each in self.findings)

    @property
    def called(self) -> str:
        """Which game it is, for who does not see the files."""
        return f"Game {self.number} ({self.title})" if self.number else self.title

    @property
    def heading(self) -> str:
        """What was played, and how it ended."""
        return f"{self.title} ({self.outcome})" if self.outcome else self.title

    @property
    def lines(self) -> list[str]:
        """What changed: a line for each person, and one for each change that is for all."""
        by_person: dict[str, list[str]] = {}
        for change in self.changes:
            by_person.setdefault(change.who or change.text, []).append(change.text)
        return [who if texts == [who] else f"{who}: {'; '.join(texts)}" for who, texts in by_person.items()]


@frozen
class Fact(Jsonable):
    """A fact of a campaign."""

    label: str
    """What it is about."""
    value: str
    """What it is."""


@frozen
class Stray(Jsonable):
    """A file of the folder that is none of the campaign."""

    file: str
    """The file."""
    message: str
    """Why it is not read."""


@frozen
class NextSetUp:
    """The scenario that a table may play next: its `name`, the `id` of its card, and the `part` of its page for the number of players."""

    name: str
    id: str
    part: str


@frozen
class SkillRoll:
    """What a character rolls for a skill: a die with `sides`, and what is added to it."""

    sides: int
    bonus: int = 0


@frozen
class MemberDice:
    """The rolls of a character, by skill."""

    who: str
    rolls: Mapping[str, SkillRoll]


@frozen
class TableDice:
    """The rolls of a table for the cards below the id prefix `place`; `adventure` is the number of the adventure that it plays next."""

    place: str
    adventure: int
    members: tuple[MemberDice, ...]


@frozen
class Replay(Jsonable):
    """A campaign replayed: its timeline, and whether all in it follows.

    `rules` is how many rules went into it.
    """

    path: str = field(metadata=called("campaign"))
    """Its folder."""
    game: str
    """Id of the game."""
    title: str
    """What it is called."""
    facts: tuple[tuple[str, str], ...] = field(metadata=HIDDEN)
    steps: tuple[Step, ...]
    """The beginning and each game."""
    tallies: tuple[Tally, ...] = ()
    """Numbers to draw."""
    not_checked: tuple[str, ...] = ()
    """What could not be checked, in sentences."""
    rules: int = field(default=0, metadata=HIDDEN)
    strays: tuple[tuple[str, str], ...] = field(default=(), metadata=HIDDEN)
    next_set_up: NextSetUp | None = field(default=None, metadata=HIDDEN)
    dice: TableDice | None = field(default=None, metadata=HIDDEN)

    @key
    def readable(self) -> bool:
        """Whether every file could be read."""
        return not self.strays and not any(step.problems for step in self.steps)

    @key
    def legal(self) -> bool:
        """Whether nothing breaks a rule, as far as the files can be read."""
        return not any(found.finding.severity == "error" for step in self.steps for found in step.findings)

    @key
    def facts_(self) -> tuple[Fact, ...]:
        """What is so as a whole."""
        return tuple(starmap(Fact, self.facts))

    @key
    def not_read(self) -> tuple[Stray, ...]:
        """Files that are not read."""
        return tuple(starmap(Stray, self.strays))

    @key
    def games_(self) -> int:
        """How many games were recorded."""
        return len(self.games)

    @property
    def games(self) -> tuple[Step, ...]:
        """The games played."""
        return tuple(step for step in self.steps if step.number)

    @property
    def decks(self) -> tuple[DeckNow, ...]:
        """The decks as they are now."""
        return next((step.decks for step in reversed(self.steps) if step.decks), ())


@frozen
class Written(Jsonable):
    """A campaign after a file was written for it."""

    replay: Replay = field(metadata=FLAT)
    wrote: str
    """The file that was written."""
