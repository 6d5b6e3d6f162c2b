"""The decks of an Arkham Horror table as `kb.decks.party` asks for them, and decks of the game by the names of their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kb.decks.deckfile import DeckFile
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import Located, PartyError, PartyReport
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.desk import read_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import FrameError, frame_of
from kb.games.arkham.decks.names import CardNames, UnknownName
from kb.games.arkham.decks.party import check_party
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


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one table together, and each by itself. Raises PartyError.

    One of each investigator by name, copies over the products owned (name a product twice when there are two of it), one
    weakness pool, nobody who was killed or driven insane.
    """
    named = named_decks(files, facts)
    try:
        products = Counter(frame_of({"owned": owned}, facts).products)
        gone = [CardNames(facts).find(name, investigator=True).name for name in out]
    except (FrameError, UnknownName) as error:
        raise PartyError(str(error)) from None
    together = check_party([each.deck for each in named], [each.file for each in named], facts, products, gone)
    reports = tuple(check_deck(each.deck, facts, each.file) for each in named)
    return PartyReport(tuple(map(Located, together)), reports)
