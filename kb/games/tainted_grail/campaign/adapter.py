"""Tainted Grail campaigns as the framework replays them: save sheets, with the checks of character sheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.campaigns.findings import placed, run
from kb.campaigns.keys import line_in
from kb.campaigns.model import Change, Page
from kb.campaigns.reader import text_of
from kb.campaigns.replay import Campaigns
from kb.decks.deckfile import DeckFile
from kb.decks.questions import Conversation, Question, for_each, single
from kb.decks.report import Located
from kb.games.tainted_grail.campaign import timeline
from kb.games.tainted_grail.campaign.game_file import after, read_game, read_head
from kb.games.tainted_grail.campaign.model import HEAD, Head, Moment, Saved, World
from kb.games.tainted_grail.campaign.rules import CAMPAIGN
from kb.games.tainted_grail.decks.check import RULESET, check_sheet

NUMBER = Question(number=True, default="0")


def title(file: DeckFile) -> str:
    """`Chapter 2, day 14`, as far as the file says it."""
    told = [f"{key} {text}" for key in ("chapter", "day") if (text := text_of(file, key))]
    return ", ".join(told).capitalize()


def questions(head: Head, state: World, facts: None) -> Conversation:
    """What is asked when the next save sheet is recorded."""
    people = list(state.sheets)
    values: dict[str, Any] = {}
    for key, words in (("chapter", "Which chapter did you reach?"), ("day", "Which day is it?")):
        values[key] = "".join((yield Question(words, number=True, needed=True)))
    values["experience"] = single((yield from for_each(people, "How much EXP did {} gain?", NUMBER)))
    places = yield Question("Which locations have an active menhir? (numbers parted by commas)", many=True, number=True)
    dials = single((yield from for_each(places, "What does the dial in {} show? (0: there is none)", NUMBER)))
    values["menhirs"] = dict.fromkeys(places, "0") | dials
    values["activated"] = yield Question("Which of them were activated since the last save?", places, many=True)
    values["statuses"] = yield Question("Which statuses are marked? (parted by commas)", many=True)
    for key, words in (("died", "Who died?"), ("left", "Who left?")):
        values[key] = yield Question(words, people, many=True)
    return values


def between(head: Head, before: World, played: Saved, facts: None, known: bool) -> Moment:
    """A save sheet with where the campaign stands then."""
    return Moment(before, played, after(before, played), known)


def named(played: Saved, page: Page) -> tuple[str, str]:
    """Chapter and day; nothing is won or lost."""
    return (title(page.file) if page.file else "") or f"Save sheet {page.number}", ""


def begins(state: World) -> Iterator[Change]:
    """Who begins."""
    return (Change(name, "begins") for name in state.sheets)


def first_findings(head: Head, facts: None) -> Iterator[Located]:
    """What the rules say of the sheets with which the campaign begins."""
    for name, sheet in head.begins.sheets.items():
        yield from placed(check_sheet(sheet, "").findings, name, line_in(head.lines, f"decks {name}"))


def findings(head: Head, moment: Moment, facts: None) -> Iterator[Located]:
    """What the rules say of a save sheet, and of each character sheet by itself."""
    yield from run(CAMPAIGN, moment)
    for name, sheet in moment.saved.sheets.items():
        yield from placed(check_sheet(sheet, "").findings, name, moment.saved.line(f"decks {name}"))


campaigns = Campaigns(
    game="tainted-grail",
    head=HEAD,
    record=Saved,
    rules={"tainted-grail-campaign": CAMPAIGN},
    rule_count=lambda head: len(CAMPAIGN.checks) + len(RULESET.checks),
    not_checked=timeline.NOT_CHECKED,
    read_head=read_head,
    read_game=read_game,
    between=between,
    named=named,
    begins=begins,
    changes=timeline.changes,
    first_findings=first_findings,
    findings=findings,
    decks=timeline.decks_now,
    facts_of=timeline.facts_of,
    tallies=timeline.tallies,
    next_game=timeline.next_game,
    questions=questions,
    title=title,
)
