"""What a game offers for campaigns, and how a folder is told to be of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from kb import registry
from kb.campaigns.conversation import Conversation
from kb.campaigns.model import Folder, Key, Replay
from kb.decks.deckfile import DeckFile
from kb.decks.games import game_named
from kb.decks.names import did_you_mean, either
from kb.decks.nodes import DeckFileError, DeckProblem, Scalar
from kb.decks.ruleset import Ruleset
from kb.registry import About


class Campaigns(Protocol):
    """A game that is played over several sessions: its part `campaigns`. `facts` is what its deck rules made of the records;
    `rebuilds` says that its rules rebuild the decks after a game."""

    rebuilds: bool

    def head_keys(self) -> tuple[Key, ...]:
        """The keys of `campaign.yaml` besides those that every campaign has."""

    def game_keys(self) -> tuple[Key, ...]:
        """The keys of the file of a game, those asked for first."""

    def title(self, file: DeckFile) -> str:
        """What a game is called: its file is named by it."""

    def replay(self, folder: Folder, facts: Any) -> Replay:
        """Replay a campaign. Nothing is raised for what is wrong in its files: that is told in its steps."""

    def filled(self, folder: Folder, file: DeckFile, facts: Any) -> Mapping[str, Any] | None:
        """The decks after the game of a file that comes next, worked out; None when the game's rules leave nothing to work out.

        Raises DeckFileError when the file does not say enough.
        """

    def questions(self, folder: Folder, facts: Any) -> Conversation:
        """What is asked when the next game is recorded."""

    def rulesets(self) -> Mapping[str, Ruleset[Any]]:
        """The rules that a replay checks, by an id within the game."""


def campaigns_of(game: str) -> Campaigns | None:
    """The part of a game that replays campaigns; None when it has none."""
    return cast("Campaigns | None", registry.part(game, "campaigns"))


def with_campaigns() -> list[str]:
    """Ids of the games that have campaigns."""
    return [about.id for about in registry.games().values() if about.campaign]


def campaign_game(file: DeckFile) -> About:
    """The game of a `campaign.yaml`. Raises DeckFileError when it names none, or one without campaigns."""
    named = file.get("game")
    if not isinstance(named, Scalar) or not named.text:
        raise DeckFileError(file.name, [DeckProblem(0, f"Nothing says which game is played. {known_games()}")])
    about = game_named(named.text)
    if about is None:
        names = [name for each in registry.games().values() if each.campaign for name in each.names]
        hint = did_you_mean(named.text, with_campaigns()) or did_you_mean(named.text, names)
        raise DeckFileError(file.name, [DeckProblem(named.line, f"Unknown game {named.text!r}.{hint} {known_games()}")])
    if not about.campaign:
        raise DeckFileError(file.name, [DeckProblem(named.line, f"{about.title} has no campaign. {known_games()}")])
    return about


def known_games() -> str:
    """Which games have campaigns, as a sentence that says what to write."""
    return f"Write {either([f'`game: {game}`' for game in with_campaigns()])}."
