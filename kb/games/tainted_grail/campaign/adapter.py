"""Tainted Grail campaigns as the framework replays them: save sheets, with the checks of character sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kb.campaigns.conversation import Conversation, Question, for_each, single
from kb.campaigns.findings import placed, run
from kb.campaigns.keys import line_in
from kb.campaigns.model import Change, DeckNow, Folder, Page, Step, Tally
from kb.campaigns.reader import text_of
from kb.campaigns.replay import Campaigns
from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckProblem
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.campaign import timeline
from kb.games.tainted_grail.campaign.game_file import after, read_game, read_head
from kb.games.tainted_grail.campaign.model import HEAD, Head, Moment, Saved, World
from kb.games.tainted_grail.campaign.rules import CAMPAIGN
from kb.games.tainted_grail.decks.check import RULESET, check_sheet

NUMBER = Question(number=True, default="0")


class GrailCampaigns(Campaigns):
    """Campaigns of Tainted Grail."""

    game = "tainted-grail"
    head = HEAD
    record = Saved
    not_checked = timeline.NOT_CHECKED

    def title(self, file: DeckFile) -> str:
        """`Chapter 2, day 14`, as far as the file says it."""
        told = [f"{key} {text}" for key in ("chapter", "day") if (text := text_of(file, key))]
        return ", ".join(told).capitalize()

    def rulesets(self) -> Mapping[str, Ruleset[Any]]:
        """The rules between two save sheets."""
        return {"tainted-grail-campaign": CAMPAIGN}

    def rule_count(self, head: Head) -> int:
        """All rules of campaigns and sheets."""
        return len(CAMPAIGN.checks) + len(RULESET.checks)

    def questions(self, folder: Folder, facts: None) -> Conversation:
        """What is asked when the next save sheet is recorded."""
        people = list(self.standing(folder, facts)[1].sheets)
        values: dict[str, Any] = {}
        for key, words in (("chapter", "Which chapter did you reach?"), ("day", "Which day is it?")):
            values[key] = "".join((yield Question(words, number=True, needed=True)))
        values["experience"] = single((yield from for_each(people, "How much EXP did {} gain?", NUMBER)))
        places = yield Question(
            "Which locations have an active menhir? (numbers parted by commas)", many=True, number=True
        )
        dials = single((yield from for_each(places, "What does the dial in {} show? (0: there is none)", NUMBER)))
        values["menhirs"] = dict.fromkeys(places, "0") | dials
        values["activated"] = yield Question("Which of them were activated since the last save?", places, many=True)
        values["statuses"] = yield Question("Which statuses are marked? (parted by commas)", many=True)
        for key, words in (("died", "Who died?"), ("left", "Who left?")):
            values[key] = yield Question(words, people, many=True)
        return values

    def read_head(self, file: DeckFile, facts: None, folder: Folder) -> tuple[Head, list[DeckProblem]]:
        """How a campaign begins, and what is wrong with the file."""
        return read_head(file, folder)

    def read_game(
        self, file: DeckFile, head: Head, before: World, facts: None, folder: Folder
    ) -> tuple[Saved, list[DeckProblem]]:
        """A save sheet, and what is wrong with its file."""
        return read_game(file, folder, before)

    def between(self, head: Head, before: World, played: Saved, facts: None, known: bool) -> Moment:
        """A save sheet with where the campaign stands then."""
        return Moment(before, played, after(before, played), known)

    def named(self, played: Saved, page: Page) -> tuple[str, str]:
        """Chapter and day; nothing is won or lost."""
        return (self.title(page.file) if page.file else "") or f"Save sheet {page.number}", ""

    def begins(self, state: World) -> Iterator[Change]:
        """Who begins."""
        return (Change(name, "begins") for name in state.sheets)

    def changes(self, moment: Moment) -> Iterator[Change]:
        """What happened since the last save sheet."""
        return timeline.changes(moment)

    def first_findings(self, head: Head, facts: None) -> Iterator[Located]:
        """What the rules say of the sheets with which the campaign begins."""
        for name, sheet in head.begins.sheets.items():
            yield from placed(check_sheet(sheet, "").findings, name, line_in(head.lines, f"decks {name}"))

    def findings(self, head: Head, moment: Moment, facts: None) -> Iterator[Located]:
        """What the rules say of a save sheet, and of each character sheet by itself."""
        yield from run(CAMPAIGN, moment)
        for name, sheet in moment.saved.sheets.items():
            yield from placed(check_sheet(sheet, "").findings, name, moment.saved.line(f"decks {name}", "decks"))

    def decks(self, state: World, facts: None) -> Iterator[DeckNow]:
        """The sheets of the characters."""
        return timeline.decks_now(state)

    def facts_of(self, head: Head, state: World, facts: None) -> Iterator[tuple[str, str]]:
        """Labels and values below the campaign's name."""
        return timeline.facts_of(head, state)

    def tallies(self, head: Head, states: list[World], steps: list[Step], facts: None) -> tuple[Tally, ...]:
        """Numbers to draw."""
        return timeline.tallies(states)

    def next_game(self, head: Head, state: World, facts: None) -> dict[str, str]:
        """What the next save sheet can know already."""
        return timeline.next_game(state)


campaigns = GrailCampaigns()
