"""What the rules say of one card in decks of one profile: how it counts, what it costs, whether and how it may be in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kb.games.arkham.decks.model import Card

DECK_TYPES = ("asset", "event", "skill")
_NO_LIMIT = 1_000_000


class Kind(Enum):
    """As what a card is in a deck."""

    PLAYER = "player card"
    SIGNATURE = "signature card"
    BASIC = "basic weakness"
    WEAKNESS = "weakness"
    STORY = "story card"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Denial(Enum):
    """Why a card may not be in the deck."""

    NONE = ""
    TYPE = "no card of a deck"
    BONDED = "bonded"
    SIGNATURE = "signature of another investigator"
    TRAIT = "only for investigators with other traits"
    CLASS = "weakness of another class"
    TABOO = "forbidden by the taboo list"
    FORBIDDEN = "excluded by a deckbuilding restriction"
    OPTIONS = "in none of the deckbuilding options"


@dataclass(frozen=True, slots=True)
class Status:
    """One card in decks of one profile.

    title: what copies are counted by, empty for cards that no limit by title concerns. counts: towards the deck size.
    limit: copies by title. cost: experience of a copy. mask: the limited options (bit by
    place) that let it in, 0 when it takes no limited slot. named: name of a scenario card.
    """

    code: str
    card: Card | None
    kind: Kind
    title: str = ""
    counts: bool = False
    limit: int = _NO_LIMIT
    cost: int = 0
    mask: int = 0
    denial: Denial = Denial.NONE
    named: str = ""

    @property
    def label(self) -> str:
        """Name of the card with its code; scenario cards by their name, unknown ones by the code alone."""
        return self.card.label if self.card else f"{self.named} [{self.code}]".strip()
