"""A Pathfinder deck as its file describes it."""

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
    """A character's deck as its file describes it.

    `adventure` is the adventure being played, `after_scenario` the number of its last scenario played (0: none, None:
    unknown). Feat boxes are positions from the left, counted from 1. `powers` are the power feats, which have no order.
    `powers`, `from_box`, `had` and `owns` are None if unknown.
    `owns` contains products (`B`, `C`, `1` … `6`, `P`), `class decks` and other sets. `after_death` is true if a new
    character replaces one who died (None: unknown). `contradictions` are cards that the file describes, each with the
    contradiction to the facts and a remedy.
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
        """Return the set of the character, whose rulebook applies."""
        return self.character.set

    @property
    def number(self) -> int:
        """Return the adventure deck number of the adventure being played."""
        return ADVENTURES.index(self.adventure)

    def not_kept(self) -> Counter[PathfinderCard]:
        """Return cards that the character had and neither kept nor gave away, as far as the file says."""
        if self.had is None or self.stage != "rebuilt":
            return Counter()
        kept = Counter(self.cards) - Counter(self.from_box or ())
        return Counter(self.had) + Counter(self.received) - Counter(self.gave) - kept

    def feats(self, kind: FeatKind) -> int:
        """Return the number of checked feats of a kind."""
        boxes = {"card": self.card_feats, "skill": self.skill_feats}.get(kind)
        if boxes is None:
            return self.powers.number if self.powers else 0
        return sum(map(len, boxes.values()))

    def of_type(self, card_type: str | None) -> Cards:
        """Return the deck's cards of a type; loot counts as its type."""
        return tuple(card for card in self.cards if card.type == card_type)
