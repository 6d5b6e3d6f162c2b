"""A game's campaigns: a base class with defaults, which each game subclasses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from kb import registry
from kb.campaigns.campaign import CampaignChart, CampaignFile, DeckNow, NextSetUp, StateChange, TableDice
from kb.campaigns.folder import CampaignError
from kb.campaigns.reader import GameRecord, Reader
from kb.decks.deckfile import DeckFile
from kb.decks.file_keys import Key, described
from kb.decks.games import game_named
from kb.decks.names import did_you_mean, name_key
from kb.decks.party import RebuildStep
from kb.decks.problems import Check, Finding
from kb.decks.questions import Conversation
from kb.decks.remedies import Set, fitting
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen

NO_LINES: Mapping[str, int] = MappingProxyType({})
CORRECT_DECK = Set("decks")
"""The remedy for a deck of the campaign if the deck's own remedies change keys that the campaign's file does not
have.
"""


@frozen
class CampaignSetup:
    """The beginning of a campaign. `name` is the name of the campaign, `begins` is the state of the party at the
    beginning, and `lines` maps keys of `campaign.yaml` to their line numbers.
    """

    name: str
    begins: Any
    lines: Mapping[str, int]


@frozen
class Between:
    """A game (`played`) with the states of the party before and after it. The rules of a campaign check it. `known` is
    True if no earlier game is missing.
    """

    setup: Any
    before: Any
    played: Any
    after: Any
    known: bool
    facts: Any


StartT = TypeVar("StartT", bound=CampaignSetup)
StateT = TypeVar("StateT")
PlayedT = TypeVar("PlayedT", bound=GameRecord)
StepT = TypeVar("StepT", bound=Between)
FactsT = TypeVar("FactsT")


class GameCampaign(ABC, Generic[StartT, StateT, PlayedT, StepT, FactsT]):
    """Base class for the campaigns of one game. A game overrides the methods that it supports; most defaults return
    nothing.

    The type parameters are the game's own: the beginning of a campaign, the state of the party, the record of a game,
    the record between two states, and the facts of its deck rules.
    """

    game: ClassVar[str]
    """Id of the game."""
    setup: ClassVar[tuple[Key, ...]]
    """Keys of `campaign.yaml` that only this game has."""
    record: type[PlayedT]
    """Type of the record of a game: the content of the file for one evening."""
    reader: type[Reader]
    """Type of the reader of the campaign's files."""
    step: type[StepT]
    """Type of a game with the states before and after it."""
    not_checked: ClassVar[tuple[str, ...]] = ()
    """Sentences about facts that a replay cannot check, with the reasons."""
    begins_with: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of a deck that kb asks for when a character starts, with their labels in the deck form."""
    adds_up: ClassVar[bool] = False
    """True if a state depends on all games before it, so that an unreadable game makes all later states unknown."""
    rebuilds: ClassVar[bool] = False
    """True if the rules rebuild the decks after a game (see `rebuilt`)."""

    @property
    @abstractmethod
    def rules(self) -> Mapping[str, Ruleset[Any]]:
        """The rulesets of a campaign, each by an id that is unique in the game."""

    @abstractmethod
    def after(self, before: StateT, played: PlayedT, setup: StartT, facts: FactsT) -> StateT:
        """Return the state of the party after a game."""

    @abstractmethod
    def named(self, played: PlayedT, page: CampaignFile) -> tuple[str, str]:
        """Return the title of a game, and its result in a word or two. `page` is the game's file."""

    @abstractmethod
    def questions(self, setup: StartT, state: StateT, facts: FactsT, free: Collection[str]) -> Conversation:
        """Ask about the next game; `free` are the characters who could join."""

    def game_keys(self) -> tuple[Key, ...]:
        """Return the keys of the record of a game, in the order of its fields."""
        return tuple(described(self.record).values())

    def rule_count(self, setup: StartT) -> int:
        """Return the number of rules that a replay checks, including the rules on decks."""
        return sum(len(ruleset.checks) for ruleset in self.rules.values())

    def changes(self, step: StepT) -> Iterable[StateChange]:
        """Yield the changes that a game caused, with their reasons."""
        return ()

    def first_findings(self, setup: StartT, facts: FactsT) -> Iterable[Located]:
        """Yield the findings on the beginning of a campaign."""
        return ()

    def findings(self, step: StepT) -> Iterable[Located]:
        """Yield the findings on a game. The default runs all rulesets."""
        for ruleset in self.rules.values():
            yield from run(ruleset, step)

    def decks(self, state: StateT, facts: FactsT) -> Iterable[DeckNow]:
        """Yield the party's decks in `state`."""
        return ()

    def facts_of(self, setup: StartT, state: StateT, facts: FactsT) -> Iterable[tuple[str, object]]:
        """Yield labels and values to show below the campaign's name; empty values are left out."""
        return ()

    def charts(self, setup: StartT, states: list[StateT], facts: FactsT) -> tuple[CampaignChart, ...]:
        """Return the charts of a campaign. `states` contains the party's state at the beginning, then its state after
        each game.
        """
        return ()

    def rebuilt(self, step: StepT) -> tuple[Mapping[str, Any], Sequence[RebuildStep]]:
        """Return the decks after a game as the rules rebuild them, and the steps of the rebuilding. The steps include
        moves that members may refuse.
        """
        raise CampaignError("--fill: the rules of this game do not rebuild decks.")

    def next_set_up(self, setup: Any, state: Any, facts: Any) -> NextSetUp | None:
        """Return the next scenario and the location of its set-up; None if the game does not know it."""
        return None

    def dice(self, setup: Any, state: Any, facts: Any) -> TableDice | None:
        """Return the characters' dice rolls for each skill; None if the game's checks have no odds."""
        return None

    def choices(self, facts: FactsT) -> Mapping[str, Sequence[str]]:
        """Return the values that keys of `campaign.yaml` may have, by key, if the facts list them."""
        return {}

    def set_called(self, name: str) -> str:
        """Return the id of the set that `name` means, such as `mm`; empty if it means no set."""
        return ""

    def set_of(self, deck: DeckFile, facts: FactsT) -> str:
        """Return the id of the set of a deck: the set that the deck names, or the set of its character; empty if
        neither is known.
        """
        return ""

    def said_since(self, state: StateT, finding: Finding) -> bool:
        """Return True if a file later in the campaign supplies the fact that `finding` reports as missing. `state` is
        the current state.
        """
        return False


def run(ruleset: Ruleset[Any], step: Between) -> Iterator[Located]:
    """Run a ruleset on a game. Yield each finding with the line of the key that it is about."""
    for check in ruleset.checks:
        for found in check.findings(step):
            yield Located(found, step.played.line(*map(str, found.at)))


def recorded_changes(
    played: GameRecord, people: Iterable[str], shown: Callable[[Any], str], entry: Callable[[str], str]
) -> Iterator[StateChange]:
    """Yield the changes that the keys of a game's file report, for each of `people` and then for the whole party.

    `shown` converts a value to words. `entry` converts the citation in the description of a key to the id of an entry.
    """
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
                yield StateChange(who, text, key.cite and entry(key.cite))


def placed(
    found: Iterable[Finding],
    who: str,
    at: int,
    leave_out: Collection[Check[Any]] = (),
    keys: Collection[str] = (),
    lines: Mapping[str, int] = NO_LINES,
) -> Iterator[Located]:
    """Yield findings on the deck of `who`, each with a line of the campaign's file.

    The line is the one that `lines` has for the first card that the finding names, or else `at`. Notes, and findings
    of the checks in `leave_out`, are left out. `keys` are the keys of the campaign's file: a remedy that changes
    other keys is left out too. If a finding loses all its remedies, CORRECT_DECK replaces them.
    """
    for finding in found:
        if finding.severity != "note" and finding.check not in leave_out:
            if keys and finding.problem.remedies:
                finding = finding.altered(remedies=fitting(finding.remedies, keys) or (CORRECT_DECK,))
            line = next((lines[key] for key in map(name_key, finding.cards) if key in lines), at)
            yield Located(replace(finding, deck=who), line)


def campaigns_of(game: str) -> AnyCampaign:
    """Return the `campaigns` part of a game, which replays campaigns."""
    return cast("AnyCampaign", registry.part(game, "campaigns"))


def campaigns_named(name: str) -> AnyCampaign:
    """Return the `campaigns` part of the game called `name`. Raises CampaignError for an unknown game or one without
    campaigns.
    """
    about = game_named(name)
    if about is not None and about.campaign:
        return campaigns_of(about.id)
    known = [each for each in registry.games().values() if each.campaign]
    hint = did_you_mean(name, [called for each in known for called in (each.id, *each.names)])
    why = f"kb has no campaigns for {about.title}." if about else f"Unknown game {name!r}.{hint}"
    raise CampaignError(f"{why} Games with campaigns: {', '.join(each.id for each in known)}.")


AnyCampaign: TypeAlias = GameCampaign[Any, Any, Any, Any, Any]
"""The campaigns of any game."""
