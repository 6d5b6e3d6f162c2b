"""A replayed campaign as the JSON that `kb campaign` prints, key by key, and as lines for people that fit a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from kb.campaigns.model import DeckNow, Replay, Step
from kb.decks.contract import CitedJson, Cites, FindingJson, ProblemJson, cited
from kb.decks.contract import finding_json as as_json
from kb.decks.nodes import place
from kb.decks.report import Located


def cites_of(replay: Replay) -> set[str]:
    """Every entry that a replay cites."""
    found = {cite for step in replay.steps for each in step.findings for cite in each.finding.cites}
    return found | {change.cite for step in replay.steps for change in step.changes if change.cite}


def checked_json(replay: Replay, cites: Cites) -> CampaignCheckJson:
    """What `kb campaign check --json` prints: whether all follows, and the findings of each file."""
    return {
        **_head(replay),
        "readable": replay.readable,
        "legal": replay.legal,
        "steps": [
            {
                **_step(step),
                "findings": [finding_json(each, step, cites) for each in step.findings],
                "problems": [{"line": each.line or None, "message": each.message} for each in step.problems],
            }
            for step in replay.steps
        ],
        "not_read": [{"file": name, "message": message} for name, message in replay.strays],
        "not_checked": list(replay.not_checked),
    }


def written_json(replay: Replay, cites: Cites, wrote: str) -> CampaignWrittenJson:
    """What `kb campaign new --json` and `kb campaign record --json` print: the file that was written, and the check since."""
    return {**checked_json(replay, cites), "wrote": wrote}


def shown_json(replay: Replay, cites: Cites) -> TimelineJson:
    """What `kb campaign show --json` prints: the timeline, with every change and the decks after each game."""
    return {
        **_head(replay),
        "facts": [{"label": label, "value": value} for label, value in replay.facts],
        "steps": [
            {
                **_step(step),
                "changes": [
                    {
                        "who": each.who or None, "text": each.text,
                        "cite": cited(each.cite, cites) if each.cite else None,
                    }
                    for each in step.changes
                ],
                "decks": [deck_json(deck) for deck in step.decks],
                "notes": step.notes or None,
            }
            for step in replay.steps
        ],
        "tallies": [
            {
                "title": tally.title,
                "note": tally.note or None,
                "rows": [
                    {
                        "label": row.label,
                        "parts": [{"value": value, "words": words} for value, _, words in row.parts],
                        "goal": None,
                    }
                    for row in tally.rows
                ],
            }
            for tally in replay.tallies
        ],
    }  # fmt: skip


def _head(replay: Replay) -> CampaignJson:
    return {"campaign": replay.path, "game": replay.game, "title": replay.title, "games": len(replay.games)}


def _step(step: Step) -> RecordedGameJson:
    return {
        "number": step.number, "file": step.file, "title": step.title, "outcome": step.outcome or None,
        "date": step.date or None,
    }  # fmt: skip


def deck_json(deck: DeckNow) -> DeckNowJson:
    """A deck as JSON."""
    return {
        "who": deck.who,
        "heading": deck.heading,
        "piles": {
            kind: [{"name": line.name, "copies": line.copies} for line in lines] for kind, lines in deck.piles.items()
        },
    }


def finding_json(each: Located, step: Step, cites: Cites) -> FiledFindingJson:
    """A finding as `kb deck check --json` prints it, with its file and line (null: the whole file)."""
    return {**as_json(each.finding, cites), "file": step.file, "line": each.line or None}


def problem_lines(replay: Replay) -> Iterator[str]:
    """Everything that cannot be read, each as `file:line: sentence`."""
    for step in replay.steps:
        for problem in step.problems:
            yield f"{place(step.file, problem.line)}: {problem.message}"
    for name, message in replay.strays:
        yield f"{name} {message}"


def timeline(replay: Replay) -> Iterator[tuple[str, str]]:
    """A campaign for a terminal: its lines, each with the style it is shown in."""
    yield "bold", replay.title
    yield from (("", f"{label}: {value}") for label, value in replay.facts)
    for step in replay.steps:
        ended = ", ".join(part for part in (step.outcome, step.date) if part)
        yield "", ""
        yield "cyan", f"{f'{step.number}. ' if step.number else ''}{step.title}{f' ({ended})' if ended else ''}"
        for problem in step.problems:
            yield "red", f"   not read: {f'line {problem.line}: ' if problem.line else ''}{problem.message}"
        yield from (("", f"   {line}") for line in lines_of(step))
        for each in step.findings:
            if each.finding.severity != "note":
                yield "red", f"   ! {each.finding.message}"
        yield from (("dim", f"   {line}") for line in step.notes.splitlines())
    if replay.decks:
        yield "", ""
        yield "cyan", "Now"
    for deck in replay.decks:
        yield "bold", f"   {deck.heading}"
        for kind, lines in deck.piles.items():
            names = (f"{line.copies}x {line.name}" if line.copies > 1 else line.name for line in lines)
            yield "", f"     {kind}: {', '.join(names)}"


def lines_of(step: Step) -> list[str]:
    """What a game changed: a line for each person, and one for each change that is for all."""
    found: dict[str, list[str]] = {}
    for change in step.changes:
        found.setdefault(change.who or change.text, []).append(change.text)
    return [who if texts == [who] else f"{who}: {'; '.join(texts)}" for who, texts in found.items()]


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
