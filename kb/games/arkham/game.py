"""Arkham Horror: The Card Game: its parts, imported when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.form import DeckForm
    from kb.decks.games import Access, Decks
    from kb.decks.party import Party
    from kb.decks.upgrades import Upgrading
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import Cards


class Arkham:
    """The game as the engine rooms see it (see kb.games.Game)."""

    @property
    def cards(self) -> Cards:
        """Records in `cards/`."""
        from kb.games.arkham import cards

        return cards

    @property
    def decks(self) -> Decks:
        """Deck files and their rules."""
        from kb.games.arkham.decks import deck_rules

        return deck_rules

    @property
    def party(self) -> Party:
        """The decks of one table."""
        from kb.games.arkham import party

        return party

    @property
    def upgrades(self) -> Upgrading:
        """What a step costs, and what to buy when."""
        from kb.games.arkham import upgrades

        return upgrades

    @property
    def pages(self) -> Pages:
        """Pages of its own."""
        from kb.games.arkham.pages import deck

        return deck

    @property
    def campaigns(self) -> AnyCampaign:
        """Campaigns, replayed game by game."""
        from kb.games.arkham.campaign.replaying import campaigns

        return campaigns

    @property
    def access(self) -> Access:
        """Which cards a character may have."""
        from kb.games.arkham.decks import may_take

        return may_take

    @property
    def form(self) -> DeckForm:
        """Decks as a form to fill in."""
        from kb.games.arkham.decks import deck_form

        return deck_form


game: Game = Arkham()
