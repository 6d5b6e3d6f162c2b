"""Defines the `game` object that each game's package provides. kb finds a game in another package by
the package's entry point.

    # my_game/game.py
    class Chess:
        cards = decks = pages = campaigns = access = None

    game: Game = Chess()

The object may have more attributes: `party` for decks that are played together (`kb.decks.party.Party`), `upgrades`
for decks whose players buy better cards (`kb.decks.upgrades.Upgrading`), `form` for decks that are built in a form
(`kb.decks.form.DeckForm`), `scoring` for final positions (`kb.decks.scores.Scoring`), and `tables` for tables of
cards (`kb.sources.cards.CardTables`). The value of an attribute is an object or a module. Import that module inside a
property, so that a search does not import deck rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.games import Access, Decks
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart


class Game(Protocol):
    """Protocol of the `game` object in a package's `game` module. An attribute is None if the game lacks that feature."""

    @property
    def cards(self) -> CardsPart | None:
        """Object or module that loads the game's card records from `cards/<id>/`."""

    @property
    def decks(self) -> Decks | None:
        """Object or module that reads the game's deck files and checks them against its rules."""

    @property
    def pages(self) -> Pages | None:
        """Object or module that writes the game's site pages other than the rules, such as pages of cards."""

    @property
    def campaigns(self) -> AnyCampaign | None:
        """Object that replays and checks a campaign, which is a folder with one file for each game played."""

    @property
    def access(self) -> Access | None:
        """Object or module that says which cards a character may include in a deck."""
