"""The parts of a game. Games in other packages have the same structure and are found through their entry point.

    # my_game/game.py
    class Chess:
        cards = decks = pages = campaigns = access = None

    game: Game = Chess()

These parts are optional: `party` for decks that are played together (`kb.decks.party.Party`), `upgrades` for decks that buy better
cards (`kb.decks.upgrades.Upgrading`), `form` for decks that are built in a form (`kb.decks.form.DeckForm`), `scoring` for final
positions (`kb.decks.questions.Scoring`), and `tables` for tables of cards (`kb.sources.cards.CardTables`).
A part may be an object or a module. Import it in a property, so that a search does not import deck rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.games import Access, Decks
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart


class Game(Protocol):
    """The object `game` of the module `game` in a game's package. A part that the game does not have is None."""

    @property
    def cards(self) -> CardsPart | None:
        """The part for records in `cards/<id>/`."""

    @property
    def decks(self) -> Decks | None:
        """The part for deck files and their rules."""

    @property
    def pages(self) -> Pages | None:
        """The part for the site's pages in addition to the pages of the rules."""

    @property
    def campaigns(self) -> AnyCampaign | None:
        """The part for campaigns: folders that are replayed game by game."""

    @property
    def access(self) -> Access | None:
        """The part that says which cards a character may have."""
