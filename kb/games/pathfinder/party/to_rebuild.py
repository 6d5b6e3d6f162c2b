"""A party between two scenarios: the cards of each member, their wishes, and the decks after the rebuild."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.frozen import frozen
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.facts import Cards, Facts, PathfinderCard
from kb.games.pathfinder.decks.table import GameTable
from kb.games.pathfinder.records import CARD_TYPES
from kb.jsonable import NAMED, Jsonable, called

REWARDS = "rewards"
Places = Mapping[str, int]
"""The number of cards of each type."""


@frozen
class Member:
    """A living character. `deck.cards` are all cards of the member (none for a newcomer). `keep` are the cards among
    them that the member does not give away. `refuses` are cards that the member neither gives away nor takes, at any
    cost.
    """

    deck: PathfinderDeck
    wishes: Cards = ()
    newcomer: bool = False
    keep: Cards = ()
    refuses: Cards = ()

    @property
    def name(self) -> str:
        """Return the character's name."""
        return self.deck.character.name

    def refused(self, card: PathfinderCard) -> bool:
        """Return True if the member refuses a card, from any product."""
        return any(card.name == each.name for each in self.refuses)

    @property
    def begun(self) -> PathfinderDeck:
        """Return the deck at the stage at which it is rebuilt."""
        return replace(self.deck, stage="new" if self.newcomer else "rebuilt")


@frozen
class TableToRebuild:
    """The characters of one party after a scenario.

    `rewards` are the cards that the party has just gained, `dead` the cards of each dead character, `leaving` the cards
    of each character who leaves now, and `removed` cards that are out of the game. Set, adventure and products owned
    are the same in the deck of every member.
    """

    set: str
    adventure: str
    members: tuple[Member, ...]
    rewards: Cards = ()
    dead: tuple[tuple[str, Cards], ...] = ()
    owns: frozenset[str] | None = None
    removed: Cards = ()
    leaving: tuple[tuple[str, Cards], ...] = ()

    def piles(self) -> list[tuple[str, Cards]]:
        """Return the cards by holder: the living, then the rewards, then the dead (`late NAME`, since a name may be
        reused).
        """
        living = [(member.name, member.deck.cards) for member in self.members]
        return [
            *living,
            (REWARDS, self.rewards),
            *self.leaving,
            *((f"late {name}", cards) for name, cards in self.dead),
        ]

    def held(self) -> Counter[PathfinderCard]:
        """Return all cards of the party."""
        return Counter(card for _, cards in self.piles() for card in cards)

    def before(self, facts: Facts) -> GameTable:
        """Return the party before the rebuild for the rules."""
        others = [(origin, cards) for origin, cards in self.piles()[len(self.members) :] if cards]
        return GameTable([member.deck for member in self.members], facts, others, self.removed, rebuilding=True)

    def begun(self, facts: Facts) -> GameTable:
        """Return the party with every deck at the stage at which it is rebuilt."""
        return GameTable([member.begun for member in self.members], facts)


@frozen
class CardMove(Jsonable):
    """A card that changes hands."""

    card: PathfinderCard = field(metadata=NAMED)
    """The card."""
    origin: str = field(metadata=called("from"))
    """The giver or source: a living member, `rewards` or `late NAME`."""
    to: str
    """The receiver."""
    why: str = ""
    """The reason, in words."""


@dataclass(slots=True)
class Renewed:
    """A member's deck after the rebuild. `need` is the required number of cards of each type.

    `deck` are the cards from the party, `lacking` the numbers of each type that must come from the box, and `chosen`
    the cards taken from it (None: not chosen yet). `unfilled` are places that the box cannot fill. `eligible` are the
    cards that the member may take of the types that the party lacks, `disputed` the loot on which the rulebook
    contradicts itself.
    """

    need: Places
    deck: Cards
    chosen: Cards | None
    lacking: Places = field(default_factory=dict)
    unfilled: Places = field(default_factory=dict)
    eligible: dict[str, Cards] = field(default_factory=dict)
    disputed: dict[str, Cards] = field(default_factory=dict)

    @property
    def box(self) -> Places:
        """Return the number of cards of each type still to be chosen from the box."""
        return self.lacking if self.chosen is None else self.unfilled

    @property
    def cards(self) -> Cards:
        """Return the cards chosen so far."""
        return (*self.deck, *(self.chosen or ()))


@frozen
class Rebuilt:
    """The decks after the rebuild, by member. `left` are the cards that nobody keeps, with their previous holders."""

    members: Mapping[str, Renewed]
    moves: tuple[CardMove, ...] = ()
    kept: tuple[tuple[str, PathfinderCard], ...] = ()
    missed: tuple[tuple[str, PathfinderCard], ...] = ()
    left: tuple[tuple[str, PathfinderCard], ...] = ()

    @property
    def left_over(self) -> Cards:
        """Return the cards that nobody keeps."""
        return tuple(card for _, card in self.left)

    @property
    def trades(self) -> tuple[CardMove, ...]:
        """Return the cards that go from one living member to another."""
        return tuple(move for move in self.moves if move.origin in self.members)


def is_late(origin: str) -> bool:
    """Return True if a pile contains the cards of a dead character."""
    return origin.startswith("late ")


def in_order(card: PathfinderCard) -> tuple[int, str, str]:
    """Return the sort key of cards: the order of the Cards List, then names."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set
