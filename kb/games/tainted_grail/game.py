"""Tainted Grail: The Fall of Avalon: its parts, imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.form import DeckForm
    from kb.decks.games import Access, Decks
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart


class TaintedGrail:
    """The game as the engine sees it (see kb.games.Game)."""

    access: Access | None = None  # no source lists its cards

    cards: CardsPart | None = None

    @property
    def decks(self) -> Decks:
        """Return the part with deck files and their rules."""
        from kb.games.tainted_grail.decks import sheet_form

        return sheet_form

    @property
    def form(self) -> DeckForm:
        """Return the part that shows character sheets as a form."""
        from kb.games.tainted_grail.decks import sheet_form as form

        return form

    @property
    def pages(self) -> Pages:
        """Return the part with the game's own pages."""
        from kb.games.tainted_grail.pages import TaintedGrailPages

        return TaintedGrailPages()

    @property
    def campaigns(self) -> AnyCampaign:
        """Return the part that replays campaigns, save sheet by save sheet."""
        from kb.games.tainted_grail.campaign.campaign import campaigns

        return campaigns


game: Game = TaintedGrail()
