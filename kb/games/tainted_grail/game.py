"""The `game` object of Tainted Grail. Each property imports its module on first use."""

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
    """Tainted Grail as kb sees it (see `kb.games.Game`): sheets and campaigns, but no cards."""

    access: Access | None = None  # no source lists the game's cards

    cards: CardsPart | None = None

    @property
    def decks(self) -> Decks:
        """The module that reads, checks and shows character sheets."""
        from kb.games.tainted_grail.decks import sheet_form

        return sheet_form

    @property
    def form(self) -> DeckForm:
        """The module that shows character sheets as a form."""
        from kb.games.tainted_grail.decks import sheet_form as form

        return form

    @property
    def pages(self) -> Pages:
        """The object that builds the page of a character sheet."""
        from kb.games.tainted_grail.pages import TaintedGrailPages

        return TaintedGrailPages()

    @property
    def campaigns(self) -> AnyCampaign:
        """The object that replays and checks campaigns, save sheet by save sheet."""
        from kb.games.tainted_grail.campaign.campaign import campaigns

        return campaigns


game: Game = TaintedGrail()
