"""The decks of an Arkham Horror table as `kb.decks.party` and `kb.decks.pull` ask for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kb.decks.deckfile import DeckFile
from kb.decks.party import PartyError, PartyReport
from kb.decks.report import Located
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import FrameError, frame_of
from kb.games.arkham.decks.names import CardFinder, UnknownName
from kb.games.arkham.decks.party import check_party
from kb.games.arkham.named import named_decks
from kb.games.arkham.pull import collection

__all__ = ["check", "collection"]


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one table together, and each by itself. Raises PartyError.

    One of each investigator by name, copies over the products owned (name a product twice when there are two of it), one
    weakness pool, nobody who was killed or driven insane.
    """
    named = named_decks(files, facts)
    try:
        products = Counter(frame_of({"owned": owned}, facts).products)
        gone = [CardFinder(facts).find(name, investigator=True).name for name in out]
    except (FrameError, UnknownName) as error:
        raise PartyError(str(error)) from None
    together = check_party([each.deck for each in named], [each.file for each in named], facts, products, gone)
    reports = tuple(check_deck(each.deck, facts, each.file) for each in named)
    return PartyReport(tuple(map(Located, together)), reports)
