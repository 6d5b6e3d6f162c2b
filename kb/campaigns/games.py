"""Which games have campaigns, and how a folder is told to be of a game and replayed by its rules."""

from __future__ import annotations

from typing import cast

from kb import registry
from kb.campaigns.model import Folder, Replay
from kb.campaigns.replay import Campaigns
from kb.decks.deckfile import DeckFile
from kb.decks.games import Table, game_named
from kb.decks.names import did_you_mean, either
from kb.decks.nodes import DeckFileError, DeckProblem, Scalar
from kb.registry import About


def replay_folder(folder: Folder, table: Table) -> Replay:
    """A campaign replayed. Raises DeckFileError when `campaign.yaml` cannot be read or names no game that has campaigns."""
    game = campaign_game(folder)
    return campaigns_of(game.id).replay(folder, table.game(game.id)[1])


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
        raise DeckFileError(file.name, [DeckProblem(0, f"Nothing says which game is played. {known}")])
    about = game_named(named.text)
    if about is None:
        names = [name for each in registry.games().values() if each.campaign for name in each.names]
        hint = did_you_mean(named.text, ids) or did_you_mean(named.text, names)
        raise DeckFileError(file.name, [DeckProblem(named.line, f"Unknown game {named.text!r}.{hint} {known}")])
    if not about.campaign:
        raise DeckFileError(file.name, [DeckProblem(named.line, f"{about.title} has no campaign. {known}")])
    return about
