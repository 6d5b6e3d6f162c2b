"""The game Pebbles, as kb finds it through the package's entry point."""

from __future__ import annotations

from kb.decks.form import DeckForm
from kb.decks.games import Decks
from kb.decks.scores import Scoring
from kb.decks.upgrades import Upgrading
from kb.games import Game
from kb.site.places import Pages
from kb.sources.cards import CardsPart


class Pebbles:
    """Gives kb access to the parts of the game. Pebbles has no campaigns."""

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

    @property
    def scoring(self) -> Scoring:
        from pebbles_kb import bounces

        return bounces

    @property
    def form(self) -> DeckForm:
        from pebbles_kb import pouch_form

        return pouch_form

    @property
    def upgrades(self) -> Upgrading:
        from pebbles_kb import trades

        return trades


game: Game = Pebbles()
