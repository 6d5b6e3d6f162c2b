"""Replays a folder by the rules of its game."""

from __future__ import annotations

from dataclasses import replace

from kb.campaigns.games import campaign_game, campaigns_of
from kb.campaigns.keys import DATE, no_day
from kb.campaigns.model import Folder, Page, Replay
from kb.decks.fields import EMPTY
from kb.decks.nodes import DeckFileError, DeckProblem, Scalar
from kb.decks.table import Table


def replay_folder(folder: Folder, table: Table) -> Replay:
    """A campaign replayed. Raises DeckFileError when `campaign.yaml` cannot be read or names no game that has campaigns."""
    if folder.head.file is None:
        raise DeckFileError(folder.head.name, list(folder.head.problems))
    game = campaign_game(folder.head.file).id
    part = campaigns_of(game)
    if part is None:
        raise LookupError(f"the game {game!r} says that it has campaigns, and has none")
    _, facts = table.game(game)
    found = part.replay(folder, facts)
    days = {page.number: wrong for page in folder.games if (wrong := _wrong_day(page))}
    steps = tuple(replace(step, problems=(*step.problems, *days.get(step.number, ()))) for step in found.steps)
    return replace(found, steps=steps, path=folder.path, game=game, strays=folder.strays)


def _wrong_day(page: Page) -> tuple[DeckProblem, ...]:
    """What is wrong with the day that a game's file says."""
    node = page.file.get(DATE) if page.file else None
    if node is None or (isinstance(node, Scalar) and node.text in EMPTY):
        return ()
    why = no_day(node.text) if isinstance(node, Scalar) else f"`{DATE}` must be a single value."
    return (DeckProblem(node.line, why),) if why else ()
