"""A deck check as JSON, for every window alike: the command line prints it, scripts rely on it, the page in the browser draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from kb.citation import Citation
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import DeckRules, DeckView, RulesOf, game_of
from kb.decks.nodes import DeckFileError
from kb.decks.report import Family, Finding, Located, Report, Severity
from kb.json_objects import json_of

if TYPE_CHECKING:
    from kb.decks.party import PartyReport, Rebuilding

Cites = Mapping[str, Citation]
"""Entries by id; one that is missing keeps its id for a title."""

Known = dict[tuple[str, ...], "list[CitedJson]"]
"""Lists of citations as JSON, by the entries: the same ones stand in every report of a long list."""


class CheckOptions(TypedDict, total=False):
    """How a deck is judged: the options of `kb deck check`, by their names. A game refuses those that it does not know."""

    rules: str | None
    """The edition of the game's rules."""
    standalone: bool
    """For a single scenario, not a campaign."""
    start: bool
    """The deck that begins a campaign."""
    taboo: str | None
    """A taboo list by number, `latest` or `none`."""
    environment: str | None
    """`current`, `limited` or `legacy`."""
    expansion: Sequence[str]
    """Expansions of the limited environment."""
    owned: Sequence[str]
    """Products owned, by code or name."""
    ultimatum: Sequence[str]
    """Ultimatums in force."""
    boon: Sequence[str]
    """Boons in force."""


class CitedJson(TypedDict):
    """An entry that states a rule."""

    id: str
    """Id of the entry."""
    title: str
    """Its title; the id when the catalog lacks it."""
    source: str
    """Document and page."""


class FindingJson(TypedDict):
    """One thing that a check found."""

    code: str
    """The check by a stable name: game/check."""
    check: str
    """Id of the check within its game."""
    family: Family
    """What it is about."""
    severity: Severity
    """An error makes the deck illegal."""
    message: str
    """What is wrong, in a sentence."""
    cards: list[str]
    """Names of the cards that it is about (with codes where a game has codes)."""
    count: int | None
    """How many there are, where the finding is about a number."""
    limit: int | None
    """How many the rule asks for: the most, the least or just so many, as the message says."""
    cites: list[CitedJson]
    """The entries that state the rule, the first before all."""
    fix: str
    """What would be legal; empty when nothing is to be done."""


class LocatedJson(FindingJson):
    """A finding on a table."""

    line: int
    """Its line in the table file; 0: none."""


class ProblemJson(TypedDict):
    """Why a deck cannot be read."""

    line: int | None
    """Line of the file."""
    message: str
    """What is wrong, in a sentence."""


class ReportJson(TypedDict):
    """All findings on one deck."""

    file: str
    """The deck's file; with a number where it holds several."""
    game: str | None
    """Id of the game."""
    character: str | None
    """Whose deck it is."""
    legal: bool | None
    """Whether no finding is an error; null when the deck cannot be read."""
    findings: list[FindingJson]
    """What was found."""
    problems: NotRequired[list[ProblemJson]]
    """Only for a deck that cannot be read: why."""
    details: NotRequired[dict[str, Any]]
    """What the game tells besides, such as the size of the deck."""


class DeckViewJson(TypedDict):
    """A deck's composition as a small table."""

    file: str
    """The deck's file; with a number where it holds several."""
    heading: str
    """Whose deck it is, and how far."""
    columns: list[str]
    """What stands above the columns."""
    rows: list[list[str]]
    """The rows, each with a text for every column."""


class PartyJson(TypedDict):
    """The decks of one table."""

    legal: bool
    """Whether they may be played together, and each of them may be played."""
    findings: list[LocatedJson]
    """What was found on them together."""
    decks: list[ReportJson]
    """What was found on each."""


def check_file(file: DeckFile, rules_of: RulesOf, options: Mapping[str, Any]) -> Report:
    """The report on a deck file. Raises DeckFileError when it cannot be read, or when an option makes no sense for it."""
    about = game_of(file)
    decks, facts = rules_of(about.id)
    known = {option.name for option in about.frame} if options else ()
    if strange := [name for name in options if name not in known]:
        given = ", ".join(f"--{name}" for name in strange)
        raise refusal(file.name, f"{given}: not for decks of this game.")
    return decks.check(file, facts, options)


def check_one(
    file: DeckFile | DeckFileError, deck_rules: DeckRules, options: Mapping[str, Any]
) -> Report | DeckFileError:
    """The report on a deck file, or why there is none."""
    if isinstance(file, DeckFileError):
        return file
    try:
        return check_file(file, deck_rules.game, options)
    except DeckFileError as error:
        return error


def contract(report: Report, cites: Cites, known: Known | None = None) -> ReportJson:
    """A report as the JSON that scripts rely on. known: citations worked out for other reports; those of this one are added."""
    known = {} if known is None else known
    told: ReportJson = {
        "file": report.file,
        "game": report.game,
        "character": report.character,
        "legal": report.legal,
        "findings": [finding_json(finding, cites, known) for finding in report.findings],
    }
    if report.details:
        told["details"] = report.details
    return told


def finding_json(finding: Finding, cites: Cites, known: Known | None = None) -> FindingJson:
    """A finding as JSON; `known` as in `contract`."""
    known = {} if known is None else known
    if finding.cites not in known:
        known[finding.cites] = [cited(cite, cites) for cite in finding.cites]
    return json_of(FindingJson, finding, cards=list(finding.cards), cites=known[finding.cites])


def located_json(located: Located, cites: Cites) -> LocatedJson:
    """A finding on a table as JSON, with its line."""
    return {**finding_json(located.finding, cites), "line": located.line}


def party_json(report: PartyReport, cites: Cites) -> PartyJson:
    """What is found on the decks of one table, as JSON."""
    return {
        "legal": report.legal,
        "findings": [located_json(each, cites) for each in report.findings],
        "decks": [contract(each, cites) for each in report.reports],
    }


def rebuilding_json(rebuilding: Rebuilding, cites: Cites) -> dict[str, Any]:
    """The rebuilt decks of a table as JSON: what the game tells, and the findings."""
    return {**rebuilding.told, "findings": [located_json(each, cites) for each in rebuilding.findings]}


def view_json(file: str, view: DeckView) -> DeckViewJson:
    """A deck's composition as JSON."""
    return json_of(DeckViewJson, view, file=file, columns=list(view.columns), rows=list(map(list, view.rows)))


def unreadable(error: DeckFileError) -> ReportJson:
    """The same object for a deck that cannot be read: what is wrong and where; whether it is legal nobody knows."""
    return {
        "file": error.file,
        "game": None,
        "character": None,
        "legal": None,
        "findings": [],
        "problems": [{"line": problem.line or None, "message": problem.message} for problem in error.problems],
    }


def cited(entry_id: str, cites: Cites) -> CitedJson:
    """A citation as JSON; an entry that the catalog lacks keeps its id for a title."""
    found = cites.get(entry_id)
    return {"id": entry_id, "title": found.title if found else entry_id, "source": found.source if found else ""}
