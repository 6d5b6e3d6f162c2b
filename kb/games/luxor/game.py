"""The `game` object of Luxor. Each property imports its module on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.campaigns.game_campaign import AnyCampaign
    from kb.decks.games import Access, Decks
    from kb.decks.scores import Scoring
    from kb.games import Game
    from kb.site.places import Pages
    from kb.sources.cards import CardsPart


class Luxor:
    """Luxor as kb sees it (see `kb.games.Game`): it has no cards, decks, pages or campaigns, but can score a game."""

    cards: CardsPart | None = None
    decks: Decks | None = None
    pages: Pages | None = None
    campaigns: AnyCampaign | None = None
    access: Access | None = None

    @property
    def scoring(self) -> Scoring:
        """The module that asks for a final position and scores it."""
        from kb.games.luxor import score

        return score


game: Game = Luxor()
