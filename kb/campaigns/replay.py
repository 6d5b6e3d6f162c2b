"""Replays a campaign: reads each game's file against the state after the game before, and checks it by the rules of
the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.campaigns.campaign import CampaignFile, CampaignStep, Folder, Replay, StateChange
from kb.campaigns.folder import CampaignError
from kb.campaigns.game_campaign import campaigns_named
from kb.campaigns.reader import DATE, HEAD_KEYS, text_of
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import RulesOf
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import RebuildStep
from kb.decks.questions import Conversation, Question, as_form


class OpenCampaign:
    """The files of a campaign with the rules and facts of its game; `problems` are those of `campaign.yaml`."""

    def __init__(self, files: Folder, rules_of: RulesOf) -> None:
        """Raises DeckFileError if `campaign.yaml` cannot be read or names no game with campaigns."""
        if files.head.file is None:
            raise DeckFileError(files.head.name, list(files.head.problems))
        self.files, self.rules_of = files, rules_of
        try:
            self.part = campaigns_named(text_of(files.head.file, "game"))
        except CampaignError as error:
            raise refusal(files.head.name, str(error), getattr(files.head.file.get("game"), "line", 0)) from None
        self.rules = rules_of(self.part.game)
        self.facts = self.rules[1]
        reader = self.part.reader(files.head.file, files, self.facts)
        reader.check_keys([key.name for key in (*HEAD_KEYS, *self.part.head)])
        self.head, self.problems = reader.head(), reader.problems

    @property
    def said(self) -> dict[str, Any]:
        """Return the content of `campaign.yaml` as plain values."""
        assert self.files.head.file is not None
        return self.files.head.file.value()

    def moment(self, file: DeckFile, before: Any, known: bool) -> tuple[Any | None, list[DeckProblem]]:
        """Return a game with the states before and after it, and the problems of its file. The game is None if
        required keys are missing.
        """
        part = self.part
        reader = part.reader(file, self.files, self.facts, self.head, before)
        played = reader.game(part.record)
        if played is None:
            return None, reader.problems
        after = part.after(before, played, self.head, self.facts)
        known = known and not reader.problems
        return part.moment(self.head, before, played, after, known, self.facts), reader.problems

    def games(self) -> Iterator[tuple[CampaignFile, Any, list[DeckProblem]]]:
        """Yield each game's page, the game with the states before and after it (or None), and the problems of its file."""
        state, known = self.head.begins, not (self.part.adds_up and self.problems)
        for page in self.files.games:
            moment, wrong = self.moment(page.file, state, known) if page.file else (None, list(page.problems))
            known = moment is not None and (moment.known or not self.part.adds_up)
            state = moment.after if moment else state
            yield page, moment, wrong

    @property
    def state(self) -> Any:
        """Return the present state of the party."""
        return [self.head.begins, *(moment.after for _, moment, _ in self.games() if moment)][-1]

    def filled(self, file: DeckFile) -> tuple[Mapping[str, Any], Sequence[RebuildStep]]:
        """Return the decks after the next game as the rules rebuild them, and the steps to rebuild them.

        Raises DeckFileError if `file` lacks required facts, CampaignError if the game's rules rebuild no decks.
        """
        if not self.part.rebuilds:
            raise CampaignError("--fill: the rules of this game do not rebuild decks.")
        moment, problems = self.moment(file, self.state, True)
        if moment is None or problems:
            raise DeckFileError(file.name, problems)
        return self.part.rebuilt(moment)

    def conversation(self, free: Collection[str] = ()) -> Conversation:
        """Ask for the next game, then the questions common to all games. The `free` characters could start with a deck."""
        values = yield from self.part.questions(self.head, self.state, self.facts, free)
        if day := (yield Question("When was it played? (year-month-day)", day=True)):
            values[DATE] = day[0]
        if notes := (yield Question("A note for the timeline?")):
            values["notes"] = notes[0]
        return {key: value for key, value in values.items() if value not in ("", [], {}, None)}

    def coming(self) -> dict[str, str]:
        """Return the values that kb can suggest for the next game's file, by key: the defaults of required answers."""
        asked = [each.question for each in as_form(self.conversation(), {}, guess=True)[0]]
        return {each.key: each.default for each in asked if each.key and each.needed and each.default}

    def replay(self) -> Replay:
        """Replay the campaign. Problems in its files raise nothing; they are part of the steps."""
        part, head, facts = self.part, self.head, self.facts
        decks = tuple(part.decks(head.begins, facts))
        steps = [CampaignStep(
            0, self.files.head.name, "The beginning", changes=tuple(StateChange(deck.who, "begins") for deck in decks), decks=decks,
            findings=tuple(part.first_findings(head, facts)), problems=tuple(self.problems),
            notes=text_of(self.files.head.file, "notes"),
        )]  # fmt: skip
        states = [head.begins]
        for page, moment, wrong in self.games():
            states.append(moment.after if moment else states[-1])
            if moment is None:
                title = "an incomplete record" if page.file else "a file that cannot be read"
                steps.append(CampaignStep(page.number, page.name, title, problems=tuple(wrong)))
                continue
            steps.append(CampaignStep(
                page.number, page.name, *part.named(moment.played, page), text_of(page.file, "date"),
                tuple(part.changes(moment)), tuple(part.decks(moment.after, facts)), tuple(part.findings(moment)),
                tuple(wrong), text_of(page.file, "notes"),
            ))  # fmt: skip
        now = states[-1]
        steps = [
            replace(step, findings=tuple(each for each in step.findings if not part.said_since(now, each.finding)))
            for step in steps
        ]
        known = tuple(
            (label, str(value)) for label, value in part.facts_of(head, now, facts) if value not in ("", None)
        )
        return Replay(
            self.files.path, part.game, head.name, known, tuple(steps), part.tallies(head, states, facts),
            part.not_checked, part.rule_count(head), self.files.strays, part.next_set_up(head, now, facts),
            part.dice(head, now, facts),
        )  # fmt: skip
