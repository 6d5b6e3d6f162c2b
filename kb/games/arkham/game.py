"""Arkham Horror: The Card Game. Each part of the game is imported only when it is needed."""

from __future__ import annotations

from types import ModuleType
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
    """The parts of the game, as the rest of kb uses them (see kb.games.Game)."""

    @property
    def cards(self) -> CardsPart:
        """Return the part that reads the card records in `cards/`."""
        from kb.games.arkham import cards

        return cards

    @property
    def decks(self) -> Decks:
        """Return the part that reads and checks decks."""
        from kb.games.arkham.decks import deck_rules

        return deck_rules

    @property
    def party(self) -> PartyPart:
        """Return the part that checks the decks of one group together."""
        from kb.games.arkham import party

        return party

    @property
    def upgrades(self) -> Upgrading:
        """Return the part that prices upgrades."""
        from kb.games.arkham import upgrades

        return upgrades

    @property
    def plans(self) -> ModuleType:
        """Return the part that plans purchases, which only this game has."""
        from kb.games.arkham import purchase_plan

        return purchase_plan

    @property
    def pages(self) -> Pages:
        """Return the part that writes the pages of the site for this game."""
        from kb.games.arkham.pages import deck

        return deck

    @property
    def campaigns(self) -> AnyCampaign:
        """Return the part that replays campaigns."""
        from kb.games.arkham.campaign.replaying import campaigns

        return campaigns

    @property
    def access(self) -> Access:
        """Return the part that knows which cards an investigator may have."""
        from kb.games.arkham.decks import may_take

        return may_take

    @property
    def form(self) -> DeckForm:
        """Return the part that shows decks as a form."""
        from kb.games.arkham.decks import deck_form

        return deck_form


game: Game = Arkham()
