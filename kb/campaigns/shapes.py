"""A replayed campaign as JSON: the objects that `kb campaign` prints, key by key."""

from __future__ import annotations

from typing import TypedDict

from kb.decks.contract import CitedJson, FindingJson, ProblemJson


class CampaignJson(TypedDict):
    """A campaign by its name."""

    campaign: str
    """Its folder."""
    game: str
    """Id of the game."""
    title: str
    """What it is called."""
    games: int
    """How many games were recorded."""


class RecordedGameJson(TypedDict):
    """What one file of a campaign tells: its beginning, or a game."""

    number: int
    """Number of the game; 0: the beginning."""
    file: str
    """The file."""
    title: str
    """What was played."""
    outcome: str | None
    """How it ended, in a word or two."""
    date: str | None
    """When, as the file says it."""


class FiledFindingJson(FindingJson):
    """A finding on a game, at its place."""

    file: str
    """The file."""
    line: int | None
    """Its line; null: the whole file."""


class CheckedGameJson(RecordedGameJson):
    """What was found on one file."""

    findings: list[FiledFindingJson]
    """What does not follow from what came before."""
    problems: list[ProblemJson]
    """What cannot be read in it."""


class StrayJson(TypedDict):
    """A file of the folder that is none of the campaign."""

    file: str
    """The file."""
    message: str
    """Why it is not read."""


class CampaignCheckJson(CampaignJson):
    """A campaign, and whether all in it follows."""

    readable: bool
    """Whether every file could be read."""
    legal: bool
    """Whether nothing breaks a rule, as far as the files can be read."""
    steps: list[CheckedGameJson]
    """The beginning and each game."""
    not_read: list[StrayJson]
    """Files that are not read."""
    not_checked: list[str]
    """What could not be checked, in sentences."""


class CampaignWrittenJson(CampaignCheckJson):
    """A campaign after a file was written for it."""

    wrote: str
    """The file that was written."""


class ChangeJson(TypedDict):
    """What a game changed."""

    who: str | None
    """For whom; null: for all."""
    text: str
    """What, in words."""
    cite: CitedJson | None
    """The entry that says why."""


class PileLineJson(TypedDict):
    """Cards of one name."""

    name: str
    """The card."""
    copies: int
    """How many."""


class DeckNowJson(TypedDict):
    """A deck after a game."""

    who: str
    """Whose it is."""
    heading: str
    """Who and how far, in words."""
    piles: dict[str, list[PileLineJson]]
    """Its cards by kind."""


class PlayedJson(RecordedGameJson):
    """What one file changed."""

    changes: list[ChangeJson]
    """What changed, in order."""
    decks: list[DeckNowJson]
    """The decks after it."""
    notes: str | None
    """What the players wrote besides."""


class FactJson(TypedDict):
    """A fact of a campaign."""

    label: str
    """What it is about."""
    value: str
    """What it is."""


class TallyPartJson(TypedDict):
    """A number of a chart."""

    value: int
    """The number."""
    words: str
    """What it counts."""


class TallyRowJson(TypedDict):
    """A row of a chart."""

    label: str
    """Its label."""
    parts: list[TallyPartJson]
    """Its numbers."""
    goal: int | None
    """The number to reach, where there is one."""


class TallyJson(TypedDict):
    """A chart of a campaign."""

    title: str
    """What it shows."""
    note: str | None
    """What is to be known besides."""
    rows: list[TallyRowJson]
    """Its rows."""


class TimelineJson(CampaignJson):
    """A campaign as a timeline."""

    facts: list[FactJson]
    """What is so as a whole."""
    steps: list[PlayedJson]
    """The beginning and each game."""
    tallies: list[TallyJson]
    """Numbers to draw."""
