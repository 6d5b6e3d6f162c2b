"""What a campaign is made of: its files as read, and what replaying them tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckProblem
from kb.decks.report import Located
from kb.frozen import frozen


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
class Change:
    """What a game changed for somebody (empty: for all), in words, and the entry that says why ("" where none is needed)."""

    who: str
    text: str
    cite: str = ""


@frozen
class Line:
    """Cards of one name in a deck; `more` stands behind it."""

    name: str
    copies: int = 1
    more: str = ""


@frozen
class DeckNow:
    """A deck after a game. `heading` says who and how far; `piles` are its cards by kind."""

    who: str
    heading: str
    piles: Mapping[str, Sequence[Line]]


@frozen
class Row:
    """A row of a tally: a label, and numbers each with the colour that stands for it and what it counts."""

    label: str
    parts: tuple[tuple[int, str, str], ...]


@frozen
class Tally:
    """Numbers to draw: a chart of the campaign."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""


@frozen
class Step:
    """What one file tells: the beginning (number 0) or a game.

    `problems` are what is wrong with the file itself; `outcome` is how the game ended, in a word or two.
    """

    number: int
    file: str
    title: str
    outcome: str = ""
    date: str = ""
    changes: tuple[Change, ...] = ()
    decks: tuple[DeckNow, ...] = ()
    findings: tuple[Located, ...] = ()
    problems: tuple[DeckProblem, ...] = ()
    notes: str = ""

    @property
    def heading(self) -> str:
        """What was played, and how it ended."""
        return f"{self.title} ({self.outcome})" if self.outcome else self.title


@frozen
class Replay:
    """A campaign replayed: what it is, its steps, and where it stands.

    `rules` is how many rules went into it.
    """

    path: str
    game: str
    title: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    tallies: tuple[Tally, ...] = ()
    not_checked: tuple[str, ...] = ()
    rules: int = 0
    strays: tuple[tuple[str, str], ...] = ()

    @property
    def readable(self) -> bool:
        """Whether every file could be read."""
        return not self.strays and not any(step.problems for step in self.steps)

    @property
    def legal(self) -> bool:
        """Whether nothing breaks a rule, as far as the files can be read."""
        return not any(found.finding.severity == "error" for step in self.steps for found in step.findings)

    @property
    def games(self) -> tuple[Step, ...]:
        """The games played."""
        return tuple(step for step in self.steps if step.number)

    @property
    def decks(self) -> tuple[DeckNow, ...]:
        """The decks as they are now."""
        return next((step.decks for step in reversed(self.steps) if step.decks), ())
