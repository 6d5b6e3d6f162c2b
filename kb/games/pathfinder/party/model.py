"""A table between two scenarios, and its rebuilt decks, as frozen dataclasses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.games.pathfinder.decks.counts import wanted
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import CARD_TYPES, Card, Deck
from kb.games.pathfinder.decks.ruleset import Subject

REWARDS = "rewards"


@dataclass(frozen=True, slots=True)
class Member:
    """A living character. `deck.cards` are all cards she holds (a newcomer begins and holds none); `keep` are those of them that she
    gives to nobody."""

    deck: Deck
    wishes: tuple[Card, ...] = ()
    newcomer: bool = False
    keep: tuple[Card, ...] = ()

    @property
    def name(self) -> str:
        """The character's name."""
        return self.deck.character.name

    @property
    def begun(self) -> Deck:
        """The deck at the stage that it is rebuilt at."""
        return replace(self.deck, stage="new" if self.newcomer else "rebuilt")

    def need(self, facts: Facts) -> dict[str, int]:
        """How many cards of each type the deck must hold: Cards List, card feats, role. Types without any are left out."""
        subject = Subject(self.deck, facts)
        return {kind: number for kind in CARD_TYPES if (number := wanted(subject, kind)[0])}


@dataclass(frozen=True, slots=True)
class Table:
    """The characters of one table after a scenario.

    `rewards` are the cards that the party has just gained, `dead` the cards of each dead character, `removed` cards that
    are out of the game. Set, adventure and products owned are the same in the deck of every member.
    """

    set: str
    adventure: str
    members: tuple[Member, ...]
    rewards: tuple[Card, ...] = ()
    dead: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    owns: frozenset[str] | None = None
    removed: tuple[Card, ...] = ()

    def piles(self) -> list[tuple[str, tuple[Card, ...]]]:
        """Who holds which cards: the living, then the rewards, then the dead (`late NAME`, since a name may live on)."""
        living = [(member.name, member.deck.cards) for member in self.members]
        return [*living, (REWARDS, self.rewards), *((f"late {name}", cards) for name, cards in self.dead)]

    def held(self) -> Counter[Card]:
        """All cards at the table."""
        return Counter(card for _, cards in self.piles() for card in cards)


@dataclass(frozen=True, slots=True)
class Move:
    """A card that changes hands, and why; `origin` is a living member, `rewards` or `late NAME`."""

    card: Card
    origin: str
    to: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The decks after the rebuild.

    `decks` are the cards each member has from the table, `lacking` how many of each type must come from the box, `chosen`
    those taken from it for her, `box` how many of each type are still to be chosen. `eligible` are the cards she may take of
    the types that the table lacks, `disputed` the loot on which the rulebook contradicts itself. `left_over` go back to the
    box; `left_by_dead` are those of them that the dead held. `unfilled` are places for which the box has nothing.
    """

    need: Mapping[str, Mapping[str, int]]
    decks: Mapping[str, tuple[Card, ...]]
    lacking: Mapping[str, Mapping[str, int]]
    box: Mapping[str, Mapping[str, int]]
    moves: tuple[Move, ...] = ()
    kept: tuple[tuple[str, Card], ...] = ()
    missed: tuple[tuple[str, Card], ...] = ()
    left_over: tuple[Card, ...] = ()
    left_by_dead: tuple[Card, ...] = ()
    unfilled: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    eligible: Mapping[str, Mapping[str, tuple[Card, ...]]] = field(default_factory=dict)
    disputed: Mapping[str, Mapping[str, tuple[Card, ...]]] = field(default_factory=dict)
    chosen: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)

    @property
    def trades(self) -> tuple[Move, ...]:
        """The cards that go from one living member to another."""
        return tuple(move for move in self.moves if move.origin in self.decks)

    def cards(self, name: str) -> tuple[Card, ...]:
        """A member's deck as far as its cards are chosen."""
        return (*self.decks[name], *self.chosen.get(name, ()))


def in_order(card: Card) -> tuple[int, str, str]:
    """What cards are shown by: the order of the Cards List, then names."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set
