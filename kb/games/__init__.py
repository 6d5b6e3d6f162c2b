"""What a game offers. A game of another package writes the same and is found through its entry point.

    # my_game/game.py
    class Chess:
        cards = decks = pages = campaigns = access = None

    game: Game = Chess()

A game whose decks share a table has a part `party` besides (`kb.decks.party.Party`), one whose decks buy better cards a part
`upgrades` (`kb.decks.upgrades.Upgrading`), one whose decks are built in a form a part `form` (`kb.decks.form.DeckForm`),
one whose final positions are scored a part `scoring` (`kb.decks.questions.Scoring`), one whose cards are shown in tables a part
`tables` (`kb.sources.cards.CardTables`); the others need not name them.
A part may be an object or a module; let a property import it, so that a search does not import deck rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.games import Access, Decks
    from kb.site.places import Pages
    from kb.sources.cards import Cards


class Game(Protocol):
    """The object `game` of the module `game` in a game's package; a part that is None the game does not have."""

    @property
    def cards(self) -> Cards | None:
        """Records in `cards/<id>/`."""

    @property
    def decks(self) -> Decks | None:
        """Deck files and their rules."""

    @property
    def pages(self) -> Pages | None:
        """Pages of the site besides those of the rules."""

    @property
    def campaigns(self) -> AnyCampaign | None:
        """Campaigns: folders that are replayed game by game."""

    @property
    def access(self) -> Access | None:
        """Which cards a character may have."""
