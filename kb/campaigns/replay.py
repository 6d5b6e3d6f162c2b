"""Replays a campaign: kb reads the file of each game in order, works out the state of the party after it, and checks it
by the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Any

from kb.campaigns.campaign import CampaignFile, CampaignStep, Fact, Filed, Folder, Replay, StateChange, Stray
from kb.campaigns.folder import CampaignError
from kb.campaigns.game_campaign import campaigns_named
from kb.campaigns.reader import DATE, SETUP_KEYS, text_of
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import RulesOf
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import RebuildStep
from kb.decks.questions import Conversation, Question, as_form


class OpenCampaign:
    """The files of a campaign with the rules and facts of its game; `problems` are the problems of `campaign.yaml`."""

    def __init__(self, files: Folder, rules_of: RulesOf) -> None:
        """Raises DeckFileError if `campaign.yaml` cannot be read or names no game with campaigns."""
        if files.setup.file is None:
            raise DeckFileError(files.setup.name, list(files.setup.problems))
        self.files, self.rules_of = files, rules_of
        try:
            self.part = campaigns_named(text_of(files.setup.file, "game"))
        except CampaignError as error:
            raise refusal(files.setup.name, str(error), getattr(files.setup.file.get("game"), "line", 0)) from None
        self.rules = rules_of(self.part.game)
        self.facts = self.rules[1]
        reader = self.part.reader(files.setup.file, files, self.facts)
        reader.check_keys([key.name for key in (*SETUP_KEYS, *self.part.setup)])
        self.setup, self.problems = reader.setup(), reader.problems

    @property
    def said(self) -> dict[str, Any]:
        """Return the keys of `campaign.yaml` with plain values."""
        assert self.files.setup.file is not None
        return self.files.setup.file.value()

    def step(self, file: DeckFile, before: Any, known: bool) -> tuple[Any | None, list[DeckProblem]]:
        """Read the game in `file`, given the state `before` that game. Return the game with the states before and after
        it, and the problems of the file. The game is None if required keys are missing. `known` is False if an earlier
        game is missing.
        """
        part = self.part
        reader = part.reader(file, self.files, self.facts, self.setup, before)
        played = reader.game(part.record)
        if played is None:
            return None, reader.problems
        after = part.after(before, played, self.setup, self.facts)
        known = known and not reader.problems
        return part.step(self.setup, before, played, after, known, self.facts), reader.problems

    def games(self) -> Iterator[tuple[CampaignFile, Any, list[DeckProblem]]]:
        """Yield a tuple for each game: its file, the game with the states before and after it (None if it is
        incomplete), and the problems of the file.
        """
        state, known = self.setup.begins, not (self.part.adds_up and self.problems)
        for page in self.files.games:
            step, wrong = self.step(page.file, state, known) if page.file else (None, list(page.problems))
            known = step is not None and (step.known or not self.part.adds_up)
            state = step.after if step else state
            yield page, step, wrong

    @property
    def state(self) -> Any:
        """Return the current state of the party."""
        return [self.setup.begins, *(step.after for _, step, _ in self.games() if step)][-1]

    def filled(self, file: DeckFile) -> tuple[Mapping[str, Any], Sequence[RebuildStep]]:
        """Return the decks after the next game as the rules rebuild them, and the steps to rebuild them.

        Raises DeckFileError if `file` lacks required facts, and CampaignError if the game's rules do not rebuild decks.
        """
        if not self.part.rebuilds:
            raise CampaignError("--fill: the rules of this game do not rebuild decks.")
        step, problems = self.step(file, self.state, True)
        if step is None or problems:
            raise DeckFileError(file.name, problems)
        return self.part.rebuilt(step)

    def conversation(self, free: Collection[str] = ()) -> Conversation:
        """Ask the game's questions about the next game, then the questions that all games have. `free` are the
        characters who could start with a deck.
        """
        values = yield from self.part.questions(self.setup, self.state, self.facts, free)
        if day := (yield Question("When was it played?", id=DATE, hint="year-month-day", day=True)):
            values[DATE] = day[0]
        if notes := (yield Question("A note for the timeline?", id="notes")):
            values["notes"] = notes[0]
        return {key: value for key, value in values.items() if value not in ("", [], {}, None)}

    def coming(self) -> dict[str, str]:
        """Return values that kb can suggest for the next game's file, by key. These values are the defaults of the
        questions that need an answer.
        """
        asked = [each.question for each in as_form(self.conversation(), {}, guess=True)[0]]
        return {each.key: each.default for each in asked if each.key and each.needed and each.default}

    def _beginning(self) -> CampaignStep:
        """Return the first step: the characters who begin, their decks, and the problems with the decks."""
        decks = tuple(self.part.decks(self.setup.begins, self.facts))
        return CampaignStep(
            0,
            self.files.setup.name,
            "The beginning",
            changes=tuple(StateChange(deck.who, "begins") for deck in decks),
            decks=decks,
            findings=tuple(
                Filed(each.finding, self.files.setup.name, each.line)
                for each in self.part.first_findings(self.setup, self.facts)
            ),
            problems=tuple(self.problems),
            notes=text_of(self.files.setup.file, "notes"),
        )

    def replay(self) -> Replay:
        """Replay the campaign and return the result. Problems in its files raise no errors; they are reported in the
        steps.
        """
        part, setup, facts = self.part, self.setup, self.facts
        steps = [self._beginning()]
        states = [setup.begins]
        for page, step, wrong in self.games():
            states.append(step.after if step else states[-1])
            if step is None:
                title = "an incomplete record" if page.file else "a file that cannot be read"
                steps.append(CampaignStep(page.number, page.name, title, problems=tuple(wrong)))
                continue
            steps.append(
                CampaignStep(
                    page.number,
                    page.name,
                    *part.named(step.played, page),
                    text_of(page.file, "date"),
                    tuple(part.changes(step)),
                    tuple(part.decks(step.after, facts)),
                    tuple(Filed(each.finding, page.name, each.line) for each in part.findings(step)),
                    tuple(wrong),
                    text_of(page.file, "notes"),
                )
            )
        now = states[-1]
        steps = [
            replace(step, findings=tuple(each for each in step.findings if not part.said_since(now, each.finding)))
            for step in steps
        ]
        known = tuple(
            Fact(label, str(value)) for label, value in part.facts_of(setup, now, facts) if value not in ("", None)
        )
        return Replay(
            self.files.path,
            part.game,
            setup.name,
            known,
            tuple(steps),
            part.charts(setup, states, facts),
            part.not_checked,
            part.rule_count(setup),
            tuple(starmap(Stray, self.files.strays)),
            part.next_set_up(setup, now, facts),
            part.dice(setup, now, facts),
        )
