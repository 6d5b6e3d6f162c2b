"""Luxor: its parts, imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.games import Access, Decks
    from kb.decks.questions import Scoring
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart


class Luxor:
    """The game as the engine sees it (see kb.games.Game)."""

    cards: CardsPart | None = None
    decks: Decks | None = None
    pages: Pages | None = None
    campaigns: AnyCampaign | None = None
    access: Access | None = None

    @property
    def scoring(self) -> Scoring:
        """Return the part that scores final positions."""
        from kb.games.luxor import form

        return form


game: Game = Luxor()
