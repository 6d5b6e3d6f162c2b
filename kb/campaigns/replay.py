"""Replays a campaign: each game's file is read against where the one before left the table, and judged by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kb.campaigns.conversation import Conversation
from kb.campaigns.keys import GameRecord, Key, described
from kb.campaigns.model import Change, DeckNow, Folder, Page, Replay, Step, Tally
from kb.campaigns.reader import text_of
from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckProblem
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Head:
    """How a campaign begins: its name, where the table stands then, and the lines of `campaign.yaml`."""

    name: str
    begins: Any
    lines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Between:
    """A game between two states of the table: what the rules look at. `known`: nothing before it is missing."""

    before: Any
    played: Any
    after: Any
    known: bool


class Campaigns:
    """A game that is played over several sessions: its part `campaigns`. `facts` is what its deck rules made of the records."""

    game: ClassVar[str]
    head: ClassVar[tuple[Key, ...]]
    """The keys of `campaign.yaml` besides those that every campaign has."""
    record: ClassVar[type[GameRecord]]
    """What the file of a game says."""
    not_checked: ClassVar[tuple[str, ...]]
    rebuilds: ClassVar[bool] = False
    """Whether the rules rebuild the decks after a game."""
    adds_up: ClassVar[bool] = False
    """Whether a state follows only from all games before it, so that one which cannot be read leaves all later ones unknown."""

    def head_keys(self) -> tuple[Key, ...]:
        """The keys of `campaign.yaml` besides those that every campaign has."""
        return self.head

    def game_keys(self) -> tuple[Key, ...]:
        """The keys of the file of a game, those asked for first."""
        return tuple(key for key, _, _ in described(self.record).values())

    def title(self, file: DeckFile) -> str:
        """What a game is called: its file is named by it."""
        return text_of(file, "scenario")

    def rulesets(self) -> Mapping[str, Ruleset[Any]]:
        """The rules that a replay checks, by an id within the game."""
        raise NotImplementedError

    def rule_count(self, head: Any) -> int:
        """How many rules go into a replay, with those of decks."""
        raise NotImplementedError

    def questions(self, folder: Folder, facts: Any) -> Conversation:
        """What is asked when the next game is recorded."""
        raise NotImplementedError

    def filled(self, folder: Folder, file: DeckFile, facts: Any) -> Mapping[str, Any] | None:
        """The decks after the game of a file that comes next, worked out; None when the game's rules leave nothing to work out.

        Raises DeckFileError when the file does not say enough.
        """
        return None

    def read_head(self, file: DeckFile, facts: Any, folder: Folder) -> tuple[Any, list[DeckProblem]]:
        """How a campaign begins, and what is wrong with the file."""
        raise NotImplementedError

    def read_game(
        self, file: DeckFile, head: Any, before: Any, facts: Any, folder: Folder
    ) -> tuple[Any | None, list[DeckProblem]]:
        """What a game's file says, and what is wrong with it; None when it does not say what was played."""
        raise NotImplementedError

    def between(self, head: Any, before: Any, played: Any, facts: Any, known: bool) -> Any:
        """A game with where the table stands after it."""
        raise NotImplementedError

    def named(self, played: Any, page: Page) -> tuple[str, str]:
        """What was played, and how it ended in a word or two."""
        raise NotImplementedError

    def begins(self, state: Any) -> Iterable[Change]:
        """Who begins."""
        raise NotImplementedError

    def changes(self, moment: Any) -> Iterable[Change]:
        """What a game changed and why."""
        raise NotImplementedError

    def first_findings(self, head: Any, facts: Any) -> Iterable[Located]:
        """What the rules say of how a campaign begins."""
        raise NotImplementedError

    def findings(self, head: Any, moment: Any, facts: Any) -> Iterable[Located]:
        """What the rules say of a game."""
        raise NotImplementedError

    def decks(self, state: Any, facts: Any) -> Iterable[DeckNow]:
        """The decks of a table."""
        raise NotImplementedError

    def facts_of(self, head: Any, state: Any, facts: Any) -> Iterable[tuple[str, str]]:
        """Labels and values below the campaign's name."""
        raise NotImplementedError

    def tallies(self, head: Any, states: list[Any], steps: list[Step], facts: Any) -> tuple[Tally, ...]:
        """Numbers to draw."""
        raise NotImplementedError

    def next_game(self, head: Any, state: Any, facts: Any) -> Mapping[str, str]:
        """What the next game's file can know already."""
        raise NotImplementedError

    def states(
        self, folder: Folder, facts: Any
    ) -> tuple[Any, list[DeckProblem], Iterator[tuple[Page, Any, list[DeckProblem]]]]:
        """How a campaign begins, with what is wrong there, and its games (None for one that does not say what was played)."""
        assert folder.head.file is not None
        head, problems = self.read_head(folder.head.file, facts, folder)

        def games() -> Iterator[tuple[Page, Any, list[DeckProblem]]]:
            state, known = head.begins, not (self.adds_up and problems)
            for page in folder.games:
                played, wrong = None, list(page.problems)
                if page.file is not None:
                    played, wrong = self.read_game(page.file, head, state, facts, folder)
                if played is None:
                    known = False
                    yield page, None, wrong
                    continue
                moment = self.between(head, state, played, facts, known and not wrong)
                state, known = moment.after, moment.known or not self.adds_up
                yield page, moment, wrong

        return head, problems, games()

    def standing(self, folder: Folder, facts: Any) -> tuple[Any, Any]:
        """How a campaign begins, and where the table stands now."""
        head, _, games = self.states(folder, facts)
        return head, [head.begins, *(moment.after for _, moment, _ in games if moment)][-1]

    def replay(self, folder: Folder, facts: Any) -> Replay:
        """Replay a campaign. Nothing is raised for what is wrong in its files: that is told in its steps."""
        head, problems, games = self.states(folder, facts)
        first = folder.head
        steps = [Step(
            0, first.name, "The beginning", changes=tuple(self.begins(head.begins)), decks=tuple(self.decks(head.begins, facts)),
            findings=tuple(self.first_findings(head, facts)), problems=tuple(problems), notes=text_of(first.file, "notes"),
        )]  # fmt: skip
        states = [head.begins]
        for page, moment, wrong in games:
            if moment is None:
                title = "a game that is not told in full" if page.file else "a file that cannot be read"
                steps.append(Step(page.number, page.name, title, problems=tuple(wrong)))
                states.append(states[-1])
                continue
            states.append(moment.after)
            steps.append(Step(
                page.number, page.name, *self.named(moment.played, page), text_of(page.file, "date"),
                tuple(self.changes(moment)), tuple(self.decks(moment.after, facts)), tuple(self.findings(head, moment, facts)),
                tuple(wrong), text_of(page.file, "notes"),
            ))  # fmt: skip
        return Replay(
            folder.path, self.game, head.name, tuple(self.facts_of(head, states[-1], facts)), tuple(steps),
            self.tallies(head, states, steps, facts), self.not_checked, self.next_game(head, states[-1], facts),
            self.rule_count(head), folder.strays,
        )  # fmt: skip
