"""The parts of the game Pebbles."""

from __future__ import annotations

from kb.decks.games import Decks
from kb.games import Game
from kb.site.places import Pages
from kb.sources.cards import CardsPart


class Pebbles:
    """The game, with the parts that kb uses."""

    campaigns = access = None

    @property
    def cards(self) -> CardsPart:
        from pebbles_kb import stones

        return stones

    @property
    def decks(self) -> Decks:
        from pebbles_kb import pouch

        return pouch

    @property
    def pages(self) -> Pages:
        from pebbles_kb.pages import PebblePages

        return PebblePages()


game: Game = Pebbles()
