"""The deck that the Pathfinder checks examine, as a frozen dataclass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from kb.decks.remedies import Remedy
from kb.frozen import frozen
from kb.games.pathfinder.decks.facts import ADVENTURES, Cards, FeatKind, PathfinderCard, PathfinderCharacter
from kb.games.pathfinder.decks.power_feats import PowerFeats

Stage = Literal["new", "rebuilt"]


@frozen
class PathfinderDeck:
    """The content of a deck file.

    adventure: the adventure being played. after_scenario: the number of its last scenario played (0: none, None:
    unknown). card_feats, skill_feats: the checked boxes of each type or skill, as positions from the left, counted from
    1. powers: the power feats. from_box: cards that came from the box. had: all cards before the deck was rebuilt.
    received, gave: cards traded with other players. left_over: cards that the whole party had and nobody kept. owns:
    the products owned (`B`, `C`, `1` … `6`, `P`), `class decks`, and the ids of sets mixed into the box. after_death:
    True if a new character replaces a dead one (None: unknown). contradictions: the name of each card whose description
    in the file contradicts the card facts, with the contradiction and a remedy.

    `powers`, `from_box`, `had` and `owns` are None if the file does not give them.
    """

    character: PathfinderCharacter
    stage: Stage
    adventure: str
    cards: Cards
    after_scenario: int | None = None
    card_feats: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    skill_feats: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    powers: PowerFeats | None = None
    role: str | None = None
    deck_adjustments: Mapping[str, int] = field(default_factory=dict)
    cohorts: tuple[str, ...] = ()
    from_box: Cards | None = None
    left_over: Cards = ()
    had: Cards | None = None
    received: Cards = ()
    gave: Cards = ()
    owns: frozenset[str] | None = None
    party: tuple[str, ...] = ()
    after_death: bool | None = None
    contradictions: tuple[tuple[str, str, Remedy], ...] = ()

    @property
    def set(self) -> str:
        """The id of the character's set. The rulebook of this set applies."""
        return self.character.set

    @property
    def number(self) -> int:
        """The adventure deck number of the adventure being played; 0 for the base set."""
        return ADVENTURES.index(self.adventure)

    def not_kept(self) -> Counter[PathfinderCard]:
        """Return the cards that the character had or received, but neither kept nor gave away, with their copies.

        The result is empty for a new deck, and if the file does not say what the character had.
        """
        if self.had is None or self.stage != "rebuilt":
            return Counter()
        kept = Counter(self.cards) - Counter(self.from_box or ())
        return Counter(self.had) + Counter(self.received) - Counter(self.gave) - kept

    def feats(self, kind: FeatKind) -> int:
        """Return the number of feats of a kind that the character has."""
        boxes = {"card": self.card_feats, "skill": self.skill_feats}.get(kind)
        if boxes is None:
            return self.powers.number if self.powers else 0
        return sum(map(len, boxes.values()))

    def of_type(self, card_type: str | None) -> Cards:
        """Return the deck's cards of a type, including loot of that type. If the type is None, return the cards whose
        type is unknown.
        """
        return tuple(card for card in self.cards if card.type == card_type)
