"""A replayed campaign as JSON: the objects that `kb campaign` prints, key by key."""

from __future__ import annotations

from typing import Annotated, TypedDict

from kb.decks.contract import CitedJson, FindingJson, ProblemJson


class CampaignJson(TypedDict):
    """A campaign by its name."""

    campaign: Annotated[str, "Its folder."]
    game: Annotated[str, "Id of the game."]
    title: Annotated[str, "What it is called."]
    games: Annotated[int, "How many games were recorded."]


class RecordedGameJson(TypedDict):
    """What one file of a campaign tells: its beginning, or a game."""

    number: Annotated[int, "Number of the game; 0: the beginning."]
    file: Annotated[str, "The file."]
    title: Annotated[str, "What was played."]
    outcome: Annotated[str | None, "How it ended, in a word or two."]
    date: Annotated[str | None, "When, as the file says it."]


class FiledFindingJson(FindingJson):
    """A finding on a game, at its place."""

    file: Annotated[str, "The file."]
    line: Annotated[int | None, "Its line; null: the whole file."]


class CheckedGameJson(RecordedGameJson):
    """What was found on one file."""

    findings: Annotated[list[FiledFindingJson], "What does not follow from what came before."]
    problems: Annotated[list[ProblemJson], "What cannot be read in it."]


class StrayJson(TypedDict):
    """A file of the folder that is none of the campaign."""

    file: Annotated[str, "The file."]
    message: Annotated[str, "Why it is not read."]


class CampaignCheckJson(CampaignJson):
    """A campaign, and whether all in it follows."""

    readable: Annotated[bool, "Whether every file could be read."]
    legal: Annotated[bool, "Whether nothing breaks a rule, as far as the files can be read."]
    steps: Annotated[list[CheckedGameJson], "The beginning and each game."]
    not_read: Annotated[list[StrayJson], "Files that are not read."]
    not_checked: Annotated[list[str], "What could not be checked, in sentences."]


class CampaignWrittenJson(CampaignCheckJson):
    """A campaign after a file was written for it."""

    wrote: Annotated[str, "The file that was written."]


class ChangeJson(TypedDict):
    """What a game changed."""

    who: Annotated[str | None, "For whom; null: for all."]
    text: Annotated[str, "What, in words."]
    cite: Annotated[CitedJson | None, "The entry that says why."]


class PileLineJson(TypedDict):
    """Cards of one name."""

    name: Annotated[str, "The card."]
    copies: Annotated[int, "How many."]


class DeckNowJson(TypedDict):
    """A deck after a game."""

    who: Annotated[str, "Whose it is."]
    heading: Annotated[str, "Who and how far, in words."]
    piles: Annotated[dict[str, list[PileLineJson]], "Its cards by kind."]


class PlayedJson(RecordedGameJson):
    """What one file changed."""

    changes: Annotated[list[ChangeJson], "What changed, in order."]
    decks: Annotated[list[DeckNowJson], "The decks after it."]
    notes: Annotated[str | None, "What the players wrote besides."]


class FactJson(TypedDict):
    """A fact of a campaign."""

    label: Annotated[str, "What it is about."]
    value: Annotated[str, "What it is."]


class TallyPartJson(TypedDict):
    """A number of a chart."""

    value: Annotated[int, "The number."]
    words: Annotated[str, "What it counts."]


class TallyRowJson(TypedDict):
    """A row of a chart."""

    label: Annotated[str, "Its label."]
    parts: Annotated[list[TallyPartJson], "Its numbers."]
    goal: Annotated[int | None, "The number to reach, where there is one."]


class TallyJson(TypedDict):
    """A chart of a campaign."""

    title: Annotated[str, "What it shows."]
    note: Annotated[str | None, "What is to be known besides."]
    rows: Annotated[list[TallyRowJson], "Its rows."]


class TimelineJson(CampaignJson):
    """A campaign as a timeline."""

    facts: Annotated[list[FactJson], "What is so as a whole."]
    steps: Annotated[list[PlayedJson], "The beginning and each game."]
    tallies: Annotated[list[TallyJson], "Numbers to draw."]
