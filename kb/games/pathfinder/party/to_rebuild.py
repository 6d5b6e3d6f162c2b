"""A party between two scenarios, as dataclasses: its members with cards and wishes, and their decks after the rebuild."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.frozen import frozen
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.facts import Cards, Facts, PathfinderCard
from kb.games.pathfinder.decks.table import GameTable
from kb.games.pathfinder.records import CARD_TYPES
from kb.shapes import Jsonable, key

REWARDS = "rewards"
Places = Mapping[str, int]
"""A number of cards for each card type."""


@frozen
class Member:
    """A living character of the party.

    `deck.cards` are all cards that the member has before the rebuild; a newcomer has none. `keep` are those that the
    member does not give away. `refuses` are cards that the member neither gives away nor takes, whatever it costs.
    """

    deck: PathfinderDeck
    wishes: Cards = ()
    newcomer: bool = False
    keep: Cards = ()
    refuses: Cards = ()

    @property
    def name(self) -> str:
        """The character's name."""
        return self.deck.character.name

    def refused(self, card: PathfinderCard) -> bool:
        """Return True if the member refuses cards with the name of `card`."""
        return any(card.name == each.name for each in self.refuses)

    @property
    def begun(self) -> PathfinderDeck:
        """The member's deck with the stage that it has after the rebuild: `new` for a newcomer, otherwise `rebuilt`."""
        return replace(self.deck, stage="new" if self.newcomer else "rebuilt")


@frozen
class TableToRebuild:
    """A party after a scenario, before it rebuilds its decks.

    `rewards` are the cards that the party has just gained. `dead` are dead characters with their cards. `leaving` are
    the characters who now leave the party, also with their cards. `removed` are cards removed from the game. The set,
    the adventure and the products owned are the same for all members.
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
        """Return all cards of the party as pairs of an owner and the owner's cards.

        The owners are the living members, `rewards`, the characters who leave, and the dead characters. A dead
        character is called `late NAME`, because a new member may have the same name.
        """
        living = [(member.name, member.deck.cards) for member in self.members]
        return [
            *living,
            (REWARDS, self.rewards),
            *self.leaving,
            *((f"late {name}", cards) for name, cards in self.dead),
        ]

    def held(self) -> Counter[PathfinderCard]:
        """Return the copies of each card that the party has."""
        return Counter(card for _, cards in self.piles() for card in cards)

    def before(self, facts: Facts) -> GameTable:
        """Return the party as it was before the rebuild, in the form that the rule checks take."""
        others = [(origin, cards) for origin, cards in self.piles()[len(self.members) :] if cards]
        return GameTable([member.deck for member in self.members], facts, others, self.removed, rebuilding=True)

    def begun(self, facts: Facts) -> GameTable:
        """Return the party in the form that the rule checks take. Each deck already has its stage after the rebuild:
        new or rebuilt.
        """
        return GameTable([member.begun for member in self.members], facts)


@frozen
class CardMove(Jsonable):
    """A card that goes to another member in a rebuild."""

    card: PathfinderCard = key("named")
    """The name of the card."""
    origin: str = key(name="from")
    """The previous owner: a living member, `rewards`, or `late NAME` for a dead character."""
    to: str
    """The member who gets the card."""
    why: str = ""
    """The reason for the move, in words."""


@dataclass(slots=True)
class Renewed:
    """A member's deck after the rebuild.

    need: the number of cards of each type that the deck must contain. deck: the cards from the party. lacking: the
    number of cards of each type that must come from the box. chosen: the cards taken from the box (None: not chosen
    yet). unfilled: the number of cards of each type that not even the box has. eligible: the cards that the member
    may take from the box, of the types that the party lacks. disputed: loot of these types, which is listed
    separately because the rulebook contradicts itself about loot.
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
        """The number of cards of each type that the member must still choose from the box."""
        return self.lacking if self.chosen is None else self.unfilled

    @property
    def cards(self) -> Cards:
        """The cards from the party, and the cards chosen from the box so far."""
        return (*self.deck, *(self.chosen or ()))


@frozen
class Rebuilt:
    """The result of a rebuild: the new decks by member, and the moves of cards between members.

    `kept` and `missed` are the wishes that are fulfilled and not fulfilled, as pairs of a member and a card. `left` are
    the cards that nobody keeps, as pairs of the previous owner and a card.
    """

    members: Mapping[str, Renewed]
    moves: tuple[CardMove, ...] = ()
    kept: tuple[tuple[str, PathfinderCard], ...] = ()
    missed: tuple[tuple[str, PathfinderCard], ...] = ()
    left: tuple[tuple[str, PathfinderCard], ...] = ()

    @property
    def left_over(self) -> Cards:
        """The cards that nobody keeps."""
        return tuple(card for _, card in self.left)

    @property
    def trades(self) -> tuple[CardMove, ...]:
        """The moves of cards from one living member to another."""
        return tuple(move for move in self.moves if move.origin in self.members)


def is_late(origin: str) -> bool:
    """Return True if `origin`, the owner of cards in `TableToRebuild.piles`, is a dead character."""
    return origin.startswith("late ")


def in_order(card: PathfinderCard) -> tuple[int, str, str]:
    """Return a sort key for cards: by type in the order of the Cards List, then by name and set."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set
