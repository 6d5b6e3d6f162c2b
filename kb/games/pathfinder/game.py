"""The `game` object of the Pathfinder Adventure Card Game. Its properties import other modules only when they are used."""

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
    """The Pathfinder Adventure Card Game as kb sees it (see `kb.games.Game`)."""

    @property
    def cards(self) -> CardsPart:
        """The module that loads the records in `cards/pathfinder/`."""
        from kb.games.pathfinder import cards

        return cards

    @property
    def tables(self) -> CardTables:
        """The module that builds the tables of scenarios and locations."""
        from kb.games.pathfinder.scenarios import tables

        return tables

    @property
    def decks(self) -> Decks:
        """The module that reads, checks, shows and creates decks."""
        from kb.games.pathfinder.decks import deck_check

        return deck_check

    @property
    def party(self) -> RebuildingParty:
        """The module that checks and rebuilds the decks of a party."""
        from kb.games.pathfinder.party import decks_together

        return decks_together

    @property
    def pages(self) -> Pages:
        """The module that writes the game's site pages."""
        from kb.games.pathfinder import pages

        return pages

    @property
    def campaigns(self) -> AnyCampaign:
        """The object that replays and checks campaigns."""
        from kb.games.pathfinder.campaign.campaigns import campaigns

        return campaigns

    @property
    def access(self) -> Access:
        """The module that says which cards a character may include in a deck."""
        from kb.games.pathfinder.decks import may_take

        return may_take

    @property
    def form(self) -> DeckForm:
        """The module that shows decks as a form."""
        from kb.games.pathfinder.decks import deck_form

        return deck_form


game: Game = Pathfinder()
