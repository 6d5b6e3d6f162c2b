"""The games on the table: each game's deck rules and facts are loaded once, when a deck needs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import Decks, decks_of, game_of


class Table:
    """Deck rules with their facts, by game. `records(game, kind)` gives the records of `cards/`, as a catalog has them."""

    def __init__(self, records: Callable[[str, str], list[dict[str, Any]]]) -> None:
        self._records = records
        self._loaded: dict[str, tuple[Decks, Any]] = {}

    def game(self, game: str) -> tuple[Decks, Any]:
        """A game's deck rules and its facts. Raises LookupError when the game has no deck rules."""
        if game not in self._loaded:
            decks = decks_of(game)
            self._loaded[game] = (decks, decks.load_facts(lambda kind: self._records(game, kind)))
        return self._loaded[game]

    def game_of(self, file: DeckFile) -> tuple[Decks, Any]:
        """Rules and facts of the game that a deck file is of. Raises DeckFileError."""
        return self.game(game_of(file).id)
