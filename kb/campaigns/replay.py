"""Replays a folder by the rules of its game."""

from __future__ import annotations

from dataclasses import replace

from kb.campaigns.games import campaign_game, campaigns_of
from kb.campaigns.model import Folder, Replay
from kb.decks.games import Table
from kb.decks.nodes import DeckFileError


def replay_folder(folder: Folder, table: Table) -> Replay:
    """A campaign replayed. Raises DeckFileError when `campaign.yaml` cannot be read or names no game that has campaigns."""
    if folder.head.file is None:
        raise DeckFileError(folder.head.name, list(folder.head.problems))
    game = campaign_game(folder.head.file).id
    part = campaigns_of(game)
    if part is None:
        raise LookupError(f"the game {game!r} says that it has campaigns, and has none")
    _, facts = table.game(game)
    return replace(part.replay(folder, facts), path=folder.path, game=game, strays=folder.strays)
