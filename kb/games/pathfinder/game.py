"""Pathfinder Adventure Card Game: its parts, imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.form import DeckForm
    from kb.decks.games import Access, Decks
    from kb.decks.party import RebuildingParty
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart, CardTables


class Pathfinder:
    """The game as the engine sees it (see kb.games.Game)."""

    @property
    def cards(self) -> CardsPart:
        """Return the part that reads records in `cards/`."""
        from kb.games.pathfinder import cards

        return cards

    @property
    def tables(self) -> CardTables:
        """Return the part with tables of scenarios and locations."""
        from kb.games.pathfinder.scenarios import tables

        return tables

    @property
    def decks(self) -> Decks:
        """Return the part with deck files and their rules."""
        from kb.games.pathfinder.decks import deck_check

        return deck_check

    @property
    def party(self) -> RebuildingParty:
        """Return the part for the decks of one party."""
        from kb.games.pathfinder.party import decks_together

        return decks_together

    @property
    def pages(self) -> Pages:
        """Return the part with the game's own pages."""
        from kb.games.pathfinder import pages

        return pages

    @property
    def campaigns(self) -> AnyCampaign:
        """Return the part that replays campaigns."""
        from kb.games.pathfinder.campaign.campaigns import campaigns

        return campaigns

    @property
    def access(self) -> Access:
        """Return the part that knows which cards a character may have."""
        from kb.games.pathfinder.decks import may_take

        return may_take

    @property
    def form(self) -> DeckForm:
        """Return the part that shows decks as a form."""
        from kb.games.pathfinder.decks import deck_form

        return deck_form


game: Game = Pathfinder()
