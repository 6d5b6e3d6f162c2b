"""The game Pebbles, as kb finds it through the package's entry point."""

from __future__ import annotations

from kb.decks.games import Decks
from kb.games import Game
from kb.site.places import Pages
from kb.sources.cards import CardsPart


class Pebbles:
    """Gives kb access to the game's cards, decks and pages. Pebbles has no campaigns."""

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
