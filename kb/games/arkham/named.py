"""Decks of the game by the names of their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_FRAME, game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import PartyError
from kb.games.arkham.decks.adapter import read_framed
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.upgrade.campaign import NamedDeck

GAME = "arkham"


def named_decks(
    files: Iterable[DeckFile | DeckFileError], facts: Facts, frame: Mapping[str, Any] = NO_FRAME
) -> list[NamedDeck]:
    """The decks of files (as `kb.decks.reading` reads them), in the frame that options describe.

    Raises PartyError that says what is wrong with each that cannot be read.
    """
    found: list[NamedDeck] = []
    wrong: list[DeckFileError] = []
    for file in files:
        try:
            if isinstance(file, DeckFileError):
                raise file
            if game_of(file).id != GAME:
                problem = DeckProblem(0, "This is done for decks of Arkham Horror: The Card Game only.")
                raise DeckFileError(file.name, [problem])
            found.append(NamedDeck(file.name, *read_framed(file, facts, frame)))
        except DeckFileError as error:
            wrong.append(error)
    if wrong:
        raise PartyError("\n".join(map(str, wrong)))
    return found
