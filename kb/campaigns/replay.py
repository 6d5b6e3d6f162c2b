"""Replays a campaign: each game's file is read against where the one before left the table, and judged by the rules of the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, cast

from kb import registry
from kb.campaigns.model import Change, DeckNow, Folder, Page, Replay, Step, Tally
from kb.campaigns.reader import DATE, HEAD_KEYS, GameRecord, Key, Reader, described, text_of
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import DeckRules, game_named
from kb.decks.names import did_you_mean, either
from kb.decks.nodes import DeckFileError, DeckProblem, Scalar
from kb.decks.party import Step as Rebuilding
from kb.decks.questions import Conversation, Question, walked
from kb.decks.report import Finding, Located, fitting
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.registry import About


@frozen
class Head:
    """How a campaign begins: its name, where the table stands then, and the lines of `campaign.yaml`."""

    name: str
    begins: Any
    lines: Mapping[str, int]


@frozen
class Between:
    """A game between two states of the table: what the rules look at. `known`: nothing before it is missing."""

    head: Any
    before: Any
    played: Any
    after: Any
    known: bool
    facts: Any


@frozen
class Campaigns:
    """A game that is played over several sessions: its part `campaigns`, as functions that its rooms give.

    `facts` is what its deck rules made of the records, `head` how a campaign begins, `state` where the table stands.
    """

    game: str
    head: tuple[Key, ...]
    """The keys of `campaign.yaml` besides those that every campaign has."""
    record: type[GameRecord]
    """What the file of a game says."""
    rules: Mapping[str, Ruleset[Any]]
    """The rules that a replay checks, by an id within the game."""
    rule_count: Callable[[Any], int]
    """head: how many rules go into a replay, with those of decks."""
    not_checked: tuple[str, ...]
    reader: type[Reader]
    """What reads the files."""
    moment: type[Between]
    """What the rules look at."""
    after: Callable[[Any, Any, Any, Any], Any]
    """state before, game, head, facts: the state after a game."""
    named: Callable[[Any, Page], tuple[str, str]]
    """game, file: what was played, and how it ended in a word or two."""
    changes: Callable[[Any], Iterable[Change]]
    """between: what a game changed and why."""
    first_findings: Callable[[Any, Any], Iterable[Located]]
    """head, facts: what the rules say of how a campaign begins."""
    findings: Callable[[Any], Iterable[Located]]
    """between: what the rules say of a game."""
    decks: Callable[[Any, Any], Iterable[DeckNow]]
    """state, facts: the decks of a table."""
    facts_of: Callable[[Any, Any, Any], Iterable[tuple[str, object]]]
    """head, state, facts: labels and values below the campaign's name; what is empty is left out."""
    tallies: Callable[[Any, list[Any], Any], tuple[Tally, ...]]
    """head, states, facts: numbers to draw."""
    questions: Callable[[Any, Any, Any, Collection[str]], Conversation]
    """head, state, facts, and who could begin: what is asked when the next game is recorded."""
    rebuilt: Callable[[Any], tuple[Mapping[str, Any], Sequence[Rebuilding]]] | None = None
    """between: the decks after a game, where the rules rebuild them, and the steps that lead there, with moves that may be refused."""
    choices: Callable[[Any], Mapping[str, Sequence[str]]] = lambda facts: {}
    """facts: what keys of `campaign.yaml` may be, where the facts know it."""
    begins_with: Mapping[str, str] = field(default_factory=dict)
    """Keys of a deck that whoever begins is asked for, with what the form of decks calls them."""
    said_since: Callable[[Any, Finding], bool] = lambda state, finding: False
    """state, finding: whether what a finding of an earlier file misses has been told since."""
    adds_up: bool = False
    """Whether a state follows only from all games before it, so that one which cannot be read leaves all later ones unknown."""

    def game_keys(self) -> tuple[Key, ...]:
        """The keys of the file of a game, those asked for first."""
        return tuple(described(self.record).values())

    def filled(
        self, folder: Folder, file: DeckFile, facts: Any
    ) -> tuple[Mapping[str, Any] | None, Sequence[Rebuilding]]:
        """The decks after the game of a file that comes next, worked out, and the steps of it; None when the game's rules leave nothing
        to work out.

        Raises DeckFileError when the file does not say enough.
        """
        if self.rebuilt is None:
            return None, ()
        head, state = self.current_state(folder, facts)
        reader = self.reader(file, folder, facts, head, state)
        played = reader.game(self.record)
        if played is None or reader.problems:
            raise DeckFileError(file.name, reader.problems)
        return self.rebuilt(self.moment_of(head, state, played, True, facts))

    def moment_of(self, head: Any, before: Any, played: Any, known: bool, facts: Any) -> Any:
        """A game with the states before and after it."""
        return self.moment(head, before, played, self.after(before, played, head, facts), known, facts)

    def conversation(self, folder: Folder, facts: Any, free: Collection[str] = ()) -> Conversation:
        """What is asked when the next game is recorded, with what every game asks at the end; who is `free` could begin with a deck."""
        values = yield from self.questions(*self.current_state(folder, facts), facts, free)
        if day := (yield Question("When was it played? (year-month-day)", day=True)):
            values[DATE] = day[0]
        if notes := (yield Question("A line for the diary?")):
            values["notes"] = notes[0]
        return {key: value for key, value in values.items() if value not in ("", [], {}, None)}

    def coming(self, folder: Folder, facts: Any) -> dict[str, str]:
        """What the next game's file can say already, by its keys: the suggested answers to what must be answered."""
        asked = [each.question for each in walked(self.conversation(folder, facts))]
        return {each.key: each.default for each in asked if each.key and each.needed and each.default}

    def begun(self, folder: Folder, facts: Any) -> tuple[Any, list[DeckProblem]]:
        """How a campaign begins, and what is wrong with its first file."""
        assert folder.head.file is not None
        reader = self.reader(folder.head.file, folder, facts)
        reader.check_keys([key.name for key in (*HEAD_KEYS, *self.head)])
        return reader.head(), reader.problems

    def games(
        self, folder: Folder, facts: Any, head: Any, known: bool
    ) -> Iterator[tuple[Page, Any, list[DeckProblem]]]:
        """The games of a campaign (None for one that does not say what was played), with what is wrong with their files."""
        state = head.begins
        for page in folder.games:
            moment, wrong = None, list(page.problems)
            if page.file is not None:
                reader = self.reader(page.file, folder, facts, head, state)
                played, wrong = reader.game(self.record), reader.problems
                if played is not None:
                    moment = self.moment_of(head, state, played, known and not wrong, facts)
                    state = moment.after
            known = moment is not None and (moment.known or not self.adds_up)
            yield page, moment, wrong

    def current_state(self, folder: Folder, facts: Any) -> tuple[Any, Any]:
        """How a campaign begins, and where the table stands now."""
        head, _ = self.begun(folder, facts)
        return head, [head.begins, *(moment.after for _, moment, _ in self.games(folder, facts, head, True) if moment)][
            -1
        ]

    def replay(self, folder: Folder, facts: Any) -> Replay:
        """Replay a campaign. Nothing is raised for what is wrong in its files: that is told in its steps."""
        head, problems = self.begun(folder, facts)
        first = folder.head
        decks = tuple(self.decks(head.begins, facts))
        steps = [Step(
            0, first.name, "The beginning", changes=tuple(Change(deck.who, "begins") for deck in decks), decks=decks,
            findings=tuple(self.first_findings(head, facts)), problems=tuple(problems), notes=text_of(first.file, "notes"),
        )]  # fmt: skip
        states = [head.begins]
        for page, moment, wrong in self.games(folder, facts, head, not (self.adds_up and problems)):
            if moment is None:
                title = "a game that is not told in full" if page.file else "a file that cannot be read"
                steps.append(Step(page.number, page.name, title, problems=tuple(wrong)))
                states.append(states[-1])
                continue
            states.append(moment.after)
            steps.append(Step(
                page.number, page.name, *self.named(moment.played, page), text_of(page.file, "date"),
                tuple(self.changes(moment)), tuple(self.decks(moment.after, facts)), tuple(self.findings(moment)),
                tuple(wrong), text_of(page.file, "notes"),
            ))  # fmt: skip
        steps = [
            replace(
                step,
                findings=tuple(each for each in step.findings if not self.said_since(states[-1], each.finding)),
            )
            for step in steps
        ]
        return Replay(
            folder.path, self.game, head.name,
            tuple((label, str(value)) for label, value in self.facts_of(head, states[-1], facts) if value not in ("", None)),
            tuple(steps), self.tallies(head, states, facts), self.not_checked, self.rule_count(head), folder.strays,
        )  # fmt: skip


def run(ruleset: Ruleset[Any], moment: Between) -> Iterator[Located]:
    """Every finding of a ruleset on a game, with the line of the key that the rule names."""
    for check in ruleset.checks:
        if check.when is not None and not check.when(moment):
            continue
        for problem in check.run(moment):
            found = check.found(problem)
            yield Located(found, moment.played.line(*found.at))


def told(
    played: GameRecord, people: Iterable[str], shown: Callable[[Any], str], entry: Callable[[str], str]
) -> Iterator[Change]:
    """What the keys of a game's file tell of each of these people, and then of all; `shown` puts a value in words, `entry` gives an
    entry's id."""
    keys = [(key, getattr(played, name)) for name, key in described(type(played)).items() if key.tells]
    for who in (*people, ""):
        for key, value in keys:
            if isinstance(value, Mapping):
                value = value.get(who)
            elif "{" not in key.tells:
                value = who in value
            elif who:
                continue
            if value:
                text = key.tells.format(shown(value)) if "{" in key.tells else key.tells
                yield Change(who, text, key.cite and entry(key.cite))


def placed(
    found: Iterable[Finding],
    who: str,
    line: Callable[[Finding], int] | int,
    leave_out: Iterable[str] = (),
    keys: Iterable[str] = (),
) -> Iterator[Located]:
    """Findings of a deck check in a campaign: said of `who`, at their line or lines; notes and checks in `leave_out` are left out.

    `keys` are those of the campaign's file: of a fix only what speaks of these stays.
    """
    passed, known = set(leave_out), frozenset(keys)
    for finding in found:
        if finding.severity != "note" and finding.check not in passed:
            message = f"{who}: {finding.message}" if who else finding.message
            fix = (fitting(finding.fix, known) or "Correct the deck under `decks:`.") if known else finding.fix
            yield Located(replace(finding, message=message, fix=fix), line if isinstance(line, int) else line(finding))


def replay_folder(folder: Folder, deck_rules: DeckRules) -> Replay:
    """A campaign replayed. Raises DeckFileError when `campaign.yaml` cannot be read or names no game that has campaigns."""
    game = campaign_game(folder)
    return campaigns_of(game.id).replay(folder, deck_rules.game(game.id)[1])


def campaigns_of(game: str) -> Campaigns:
    """The part of a game that replays campaigns."""
    return cast("Campaigns", registry.part(game, "campaigns"))


def campaign_game(folder: Folder) -> About:
    """The game of a campaign. Raises DeckFileError when its first file cannot be read, names none, or one without campaigns."""
    if folder.head.file is None:
        raise DeckFileError(folder.head.name, list(folder.head.problems))
    return game_of_file(folder.head.file)


def game_of_file(file: DeckFile) -> About:
    """The game that a `campaign.yaml` names. Raises DeckFileError when it names none, or one without campaigns."""
    ids = [about.id for about in registry.games().values() if about.campaign]
    known = f"Write {either([f'`game: {game}`' for game in ids])}."
    named = file.get("game")
    if not isinstance(named, Scalar) or not named.text:
        raise refusal(file.name, f"Nothing says which game is played. {known}")
    about = game_named(named.text)
    if about is None:
        names = [name for each in registry.games().values() if each.campaign for name in each.names]
        hint = did_you_mean(named.text, ids) or did_you_mean(named.text, names)
        raise refusal(file.name, f"Unknown game {named.text!r}.{hint} {known}", named.line)
    if not about.campaign:
        raise refusal(file.name, f"{about.title} has no campaign. {known}", named.line)
    return about
