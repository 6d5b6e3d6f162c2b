"""Data of a campaign: its files as read, and the result of replaying them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kb.citation import Cite
from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckProblem
from kb.decks.problems import Finding
from kb.frozen import frozen
from kb.shapes import Jsonable, computed, key


@frozen
class CampaignFile:
    """A file in the campaign's folder. `number` is the number of the game; 0 is `campaign.yaml`. If the file cannot be
    read, `file` is None and `problems` say why.
    """

    name: str
    number: int
    file: DeckFile | None
    problems: tuple[DeckProblem, ...] = ()


@frozen
class Folder:
    """The files of a campaign: `campaign.yaml` (`setup`) and the `games`, in the order of play.

    `deck(name)` reads a deck file by its path in the folder; it raises DeckFileError. `strays` are files that do not
    belong to the campaign, each with a message that says why.
    """

    path: str
    setup: CampaignFile
    games: tuple[CampaignFile, ...]
    deck: Callable[[str], DeckFile]
    strays: tuple[tuple[str, str], ...] = ()


@frozen
class StateChange(Jsonable):
    """A change to the party that a game caused."""

    who: str = key("or null")
    """The person affected; null: everybody."""
    text: str
    """The change, in words."""
    cite: Cite = ""
    """The entry that states the reason."""


@frozen
class CardLine(Jsonable):
    """A card in a deck, with its number of copies."""

    name: str
    """Name of the card."""
    copies: int = 1
    """The number of copies."""
    more: str = key("hidden", default="")
    """Text shown after the name."""


@frozen
class DeckNow(Jsonable):
    """A deck after a game."""

    who: str
    """The deck's owner."""
    heading: str
    """The owner's name and campaign progress, in words."""
    piles: Mapping[str, Sequence[CardLine]]
    """The cards in the deck, by kind."""


@frozen
class ChartShare(Jsonable):
    """One value in a chart."""

    value: int
    """The value."""
    tone: str = key("hidden")
    words: str = ""
    """The word for the value, such as `won` or `weapon feats`."""


@frozen
class ChartRow(Jsonable):
    """A row of a chart."""

    label: str
    """Label of the row."""
    parts: tuple[ChartShare, ...]
    """The values in the row."""
    goal: int | None = None
    """The number to reach, if there is one."""


@frozen
class CampaignChart(Jsonable):
    """A chart of a campaign."""

    title: str
    """Title of the chart."""
    rows: tuple[ChartRow, ...]
    """Rows of the chart."""
    note: str = key("or null", default="")
    """A note on the chart."""


@frozen
class Filed(Jsonable):
    """A finding about a game, with its file and line."""

    finding: Finding = key("flat")
    file: str
    """The file that the finding is about."""
    line: int = key("or null")
    """Line in that file; null if the finding is about the whole file."""


@frozen
class CampaignStep(Jsonable):
    """One replayed file of a campaign: the beginning or a game."""

    number: int
    """Number of the game; 0: the beginning."""
    file: str
    """The file that was replayed."""
    title: str
    """The scenario or game played."""
    outcome: str = key("or null", default="")
    """The result, in a word or two."""
    date: str = key("or null", default="")
    """The date, as written in the file."""
    changes: tuple[StateChange, ...] = ()
    """The changes, in order."""
    decks: tuple[DeckNow, ...] = ()
    """The decks after the game."""
    findings: tuple[Filed, ...] = ()
    """Conflicts with the rules or with earlier games."""
    problems: tuple[DeckProblem, ...] = ()
    """Reasons why parts of the file cannot be read."""
    notes: str = key("or null", default="")
    """The players' own notes."""

    @property
    def called(self) -> str:
        """Return the name of the game for readers who do not see the file names."""
        return f"Game {self.number} ({self.title})" if self.number else self.title

    @property
    def heading(self) -> str:
        """Return the title of the game with its result."""
        return f"{self.title} ({self.outcome})" if self.outcome else self.title

    @property
    def lines(self) -> list[str]:
        """Return the changes as lines of text. The changes of one person share a line; a change that affects everybody
        has its own line.
        """
        by_person: dict[str, list[str]] = {}
        for change in self.changes:
            by_person.setdefault(change.who or change.text, []).append(change.text)
        return [who if texts == [who] else f"{who}: {'; '.join(texts)}" for who, texts in by_person.items()]


@frozen
class Fact(Jsonable):
    """A fact about a campaign."""

    label: str
    """Subject of the fact."""
    value: str
    """Value of the fact."""


@frozen
class Stray(Jsonable):
    """A file in the folder that does not belong to the campaign."""

    file: str
    """The file."""
    message: str
    """The reason why the file is not read."""


@frozen
class NextSetUp:
    """The scenario that a party may play next: its `name`, the `id` of its card, and the `part` of its page that
    applies to the number of players.
    """

    name: str
    id: str
    part: str


@frozen
class SkillRoll:
    """The dice roll of a character for a skill: a die with `sides` sides, and a `bonus` that is added to it."""

    sides: int
    bonus: int = 0


@frozen
class MemberDice:
    """The dice rolls of the character `who`, by skill."""

    who: str
    rolls: Mapping[str, SkillRoll]


@frozen
class TableDice:
    """The dice rolls of a party. They apply to cards whose ids begin with `place`; `adventure` is the number of the
    party's next adventure.
    """

    place: str
    adventure: int
    members: tuple[MemberDice, ...]


@frozen
class Replay(Jsonable):
    """The result of replaying a campaign: its timeline, and the rules that it breaks.

    `rules` is the number of rules that were checked.
    """

    path: str = key(name="campaign")
    """Folder of the campaign."""
    game: str
    """Id of the game."""
    title: str
    """The campaign's name."""
    facts: tuple[Fact, ...]
    """Facts about the whole campaign."""
    steps: tuple[CampaignStep, ...]
    """The steps of the timeline: the beginning and each game."""
    charts: tuple[CampaignChart, ...] = ()
    """Charts of the campaign."""
    not_checked: tuple[str, ...] = ()
    """Facts that kb could not check, in sentences."""
    rules: int = key("hidden", default=0)
    not_read: tuple[Stray, ...] = ()
    """Files that were not read."""
    next_set_up: NextSetUp | None = key("hidden", default=None)
    dice: TableDice | None = key("hidden", default=None)

    @computed
    def readable(self) -> bool:
        """True if every file could be read."""
        return not self.not_read and not any(step.problems for step in self.steps)

    @computed
    def legal(self) -> bool:
        """True if the files that can be read break no rule."""
        return not any(found.finding.severity == "error" for step in self.steps for found in step.findings)

    @computed
    def games(self) -> int:
        """The number of games recorded."""
        return len(self.played)

    @property
    def played(self) -> tuple[CampaignStep, ...]:
        """Return the steps of the games that were played, without the beginning."""
        return tuple(step for step in self.steps if step.number)

    @property
    def decks(self) -> tuple[DeckNow, ...]:
        """Return the current decks of the party."""
        return next((step.decks for step in reversed(self.steps) if step.decks), ())


@frozen
class WrittenCampaign(Jsonable):
    """A campaign after kb wrote a file for it."""

    replay: Replay = key("flat")
    wrote: str
    """The file that was written."""
