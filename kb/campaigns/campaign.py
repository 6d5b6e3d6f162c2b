"""Data of a campaign: its files as read, and the result of replaying them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from kb.citation import Cite
from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckProblem
from kb.decks.problems import Finding
from kb.frozen import frozen
from kb.jsonable import FLAT, HIDDEN, OR_NULL, Jsonable, called, key


@frozen
class CampaignFile:
    """A file in the campaign's folder. `file` is None if it cannot be read; `problems` say why. `number` 0 is
    `campaign.yaml`.
    """

    name: str
    number: int
    file: DeckFile | None
    problems: tuple[DeckProblem, ...] = ()


@frozen
class Folder:
    """A campaign's files in the order in which the games were played.

    `deck(name)` reads a deck file by its path in the folder; it raises DeckFileError. `strays` are problems with files
    that do not belong to the campaign.
    """

    path: str
    setup: CampaignFile
    games: tuple[CampaignFile, ...]
    deck: Callable[[str], DeckFile]
    strays: tuple[tuple[str, str], ...] = ()


@frozen
class StateChange(Jsonable):
    """A change that a game made."""

    who: str = field(metadata=OR_NULL)
    """The person affected; null: everybody."""
    text: str
    """The change, in words."""
    cite: Cite = ""
    """The entry that states the reason."""


@frozen
class CardLine(Jsonable):
    """Cards of one name."""

    name: str
    """The card."""
    copies: int = 1
    """The number of copies."""
    more: str = field(default="", metadata=HIDDEN)
    """Text shown after the name."""


@frozen
class DeckNow(Jsonable):
    """A deck after a game."""

    who: str
    """The deck's owner."""
    heading: str
    """The owner and the progress, in words."""
    piles: Mapping[str, Sequence[CardLine]]
    """Its cards by kind."""


@frozen
class ChartShare(Jsonable):
    """One value in a chart."""

    value: int
    """The value."""
    tone: str = field(metadata=HIDDEN)
    words: str = ""
    """A word for the things counted."""


@frozen
class ChartRow(Jsonable):
    """A row of a chart."""

    label: str
    """Its label."""
    parts: tuple[ChartShare, ...]
    """The values in the row."""
    goal: int | None = None
    """The number to reach, if there is one."""


@frozen
class CampaignChart(Jsonable):
    """A chart of a campaign."""

    title: str
    """Its title."""
    rows: tuple[ChartRow, ...]
    """Its rows."""
    note: str = field(default="", metadata=OR_NULL)
    """A note on the chart."""


@frozen
class Filed(Jsonable):
    """A finding about a game, with its file and line."""

    finding: Finding = field(metadata=FLAT)
    file: str
    """The file."""
    line: int = field(metadata=OR_NULL)
    """Its line; null: the whole file."""


@frozen
class CampaignStep(Jsonable):
    """One replayed file of a campaign: the beginning or a game."""

    number: int
    """Number of the game; 0: the beginning."""
    file: str
    """The file."""
    title: str
    """The scenario or game played."""
    outcome: str = field(default="", metadata=OR_NULL)
    """The result, in a word or two."""
    date: str = field(default="", metadata=OR_NULL)
    """The date, as written in the file."""
    changes: tuple[StateChange, ...] = ()
    """The changes, in order."""
    decks: tuple[DeckNow, ...] = ()
    """The decks after the game."""
    findings: tuple[Filed, ...] = ()
    """Conflicts with the rules or with earlier games."""
    problems: tuple[DeckProblem, ...] = ()
    """Reasons why parts of the file cannot be read."""
    notes: str = field(default="", metadata=OR_NULL)
    """The players' own notes."""

    @property
    def called(self) -> str:
        """Return the name of the game for readers who do not see the files."""
        return f"Game {self.number} ({self.title})" if self.number else self.title

    @property
    def heading(self) -> str:
        """Return the title and the result."""
        return f"{self.title} ({self.outcome})" if self.outcome else self.title

    @property
    def lines(self) -> list[str]:
        """Return the changes: a line for each person, and one for each change that affects everybody."""
        by_person: dict[str, list[str]] = {}
        for change in self.changes:
            by_person.setdefault(change.who or change.text, []).append(change.text)
        return [who if texts == [who] else f"{who}: {'; '.join(texts)}" for who, texts in by_person.items()]


@frozen
class Fact(Jsonable):
    """A fact about a campaign."""

    label: str
    """Its subject."""
    value: str
    """Its value."""


@frozen
class Stray(Jsonable):
    """A file in the folder that does not belong to the campaign."""

    file: str
    """The file."""
    message: str
    """The reason why it is not read."""


@frozen
class NextSetUp:
    """The scenario that a party may play next: its `name`, the `id` of its card, and the `part` of its page for the
    number of players.
    """

    name: str
    id: str
    part: str


@frozen
class SkillRoll:
    """A character's roll for a skill: a die with `sides`, and the number added to it."""

    sides: int
    bonus: int = 0


@frozen
class MemberDice:
    """The rolls of a character, by skill."""

    who: str
    rolls: Mapping[str, SkillRoll]


@frozen
class TableDice:
    """The rolls of a party for the cards whose ids begin with `place`; `adventure` is the number of the party's next
    adventure.
    """

    place: str
    adventure: int
    members: tuple[MemberDice, ...]


@frozen
class Replay(Jsonable):
    """A replayed campaign: its timeline, and whether all of it follows the rules.

    `rules` is the number of rules that were checked.
    """

    path: str = field(metadata=called("campaign"))
    """Its folder."""
    game: str
    """Id of the game."""
    title: str
    """The campaign's name."""
    facts: tuple[Fact, ...]
    """Facts about the whole campaign."""
    steps: tuple[CampaignStep, ...]
    """The beginning and each game."""
    charts: tuple[CampaignChart, ...] = ()
    """Charts."""
    not_checked: tuple[str, ...] = ()
    """Facts that kb could not check, in sentences."""
    rules: int = field(default=0, metadata=HIDDEN)
    not_read: tuple[Stray, ...] = ()
    """Files that were not read."""
    next_set_up: NextSetUp | None = field(default=None, metadata=HIDDEN)
    dice: TableDice | None = field(default=None, metadata=HIDDEN)

    @key
    def readable(self) -> bool:
        """True if every file could be read."""
        return not self.not_read and not any(step.problems for step in self.steps)

    @key
    def legal(self) -> bool:
        """True if no rule is broken, in the files that can be read."""
        return not any(found.finding.severity == "error" for step in self.steps for found in step.findings)

    @key
    def games(self) -> int:
        """The number of games recorded."""
        return len(self.played)

    @property
    def played(self) -> tuple[CampaignStep, ...]:
        """Return the games played."""
        return tuple(step for step in self.steps if step.number)

    @property
    def decks(self) -> tuple[DeckNow, ...]:
        """Return the current decks."""
        return next((step.decks for step in reversed(self.steps) if step.decks), ())


@frozen
class WrittenCampaign(Jsonable):
    """A campaign after kb wrote a file for it."""

    replay: Replay = field(metadata=FLAT)
    wrote: str
    """The file that was written."""
