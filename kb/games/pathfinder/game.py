"""Pathfinder Adventure Card Game: its parts, imported when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.form import DeckForm
    from kb.decks.games import Access, Decks
    from kb.decks.party import RebuildingParty
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import Cards, CardTables


class Pathfinder:
    """The game as the engine rooms see it (see kb.games.Game)."""

    @property
    def cards(self) -> Cards:
        """Records in `cards/`."""
        from kb.games.pathfinder import cards

        return cards

    @property
    def tables(self) -> CardTables:
        """Tables of scenarios and locations."""
        from kb.games.pathfinder.scenarios import tables

        return tables

    @property
    def decks(self) -> Decks:
        """Deck files and their rules."""
        from kb.games.pathfinder.decks import deck_check

        return deck_check

    @property
    def party(self) -> RebuildingParty:
        """The decks of one table."""
        from kb.games.pathfinder.party import decks_together

        return decks_together

    @property
    def pages(self) -> Pages:
        """Pages of its own."""
        from kb.games.pathfinder import pages

        return pages

    @property
    def campaigns(self) -> AnyCampaign:
        """Campaigns, replayed game by game."""
        from kb.games.pathfinder.campaign.campaigns import campaigns

        return campaigns

    @property
    def access(self) -> Access:
        """Which cards a character may have."""
        from kb.games.pathfinder.decks import may_take

        return may_take

    @property
    def form(self) -> DeckForm:
        """Decks as a form to fill in."""
        from kb.games.pathfinder.decks import deck_form

        return deck_form


game: Game = Pathfinder()
