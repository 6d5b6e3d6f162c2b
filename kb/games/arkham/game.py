"""Arkham Horror: The Card Game: its parts, imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.form import DeckForm
    from kb.decks.games import Access, Decks
    from kb.decks.party import PartyPart
    from kb.decks.upgrades import Upgrading
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart


class Arkham:
    """The game as the engine sees it (see kb.games.Game)."""

    @property
    def cards(self) -> CardsPart:
        """Return the part that reads records in `cards/`."""
        from kb.games.arkham import cards

        return cards

    @property
    def decks(self) -> Decks:
        """Return the part with deck files and their rules."""
        from kb.games.arkham.decks import deck_rules

        return deck_rules

    @property
    def party(self) -> PartyPart:
        """Return the part for the decks of one group."""
        from kb.games.arkham import party

        return party

    @property
    def upgrades(self) -> Upgrading:
        """Return the part that prices and plans upgrades."""
        from kb.games.arkham import upgrades

        return upgrades

    @property
    def pages(self) -> Pages:
        """Return the part with the game's own pages."""
        from kb.games.arkham.pages import deck

        return deck

    @property
    def campaigns(self) -> AnyCampaign:
        """Return the part that replays campaigns."""
        from kb.games.arkham.campaign.replaying import campaigns

        return campaigns

    @property
    def access(self) -> Access:
        """Return the part that knows which cards a character may have."""
        from kb.games.arkham.decks import may_take

        return may_take

    @property
    def form(self) -> DeckForm:
        """Return the part that shows decks as a form."""
        from kb.games.arkham.decks import deck_form

        return deck_form


game: Game = Arkham()
