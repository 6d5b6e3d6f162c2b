"""Decks of the game by the names of their files."""

from __future__ import annotations

from collections.abc import Iterable

from kb.decks.deckfile import DeckFile
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import PartyError
from kb.games.arkham.decks.adapter import read_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.upgrade.campaign import NamedDeck

GAME = "arkham"


def named_decks(files: Iterable[DeckFile | DeckFileError], facts: Facts) -> list[NamedDeck]:
    """The decks of files (as `kb.decks.reading` reads them). Raises PartyError that says what is wrong with each that cannot be read."""
    found: list[NamedDeck] = []
    wrong: list[DeckFileError] = []
    for file in files:
        try:
            if isinstance(file, DeckFileError):
                raise file
            if game_of(file).id != GAME:
                problem = DeckProblem(0, "This is done for decks of Arkham Horror: The Card Game only.")
                raise DeckFileError(file.name, [problem])
            found.append(NamedDeck(file.name, read_deck(file, facts)))
        except DeckFileError as error:
            wrong.append(error)
    if wrong:
        raise PartyError("\n".join(map(str, wrong)))
    return found
