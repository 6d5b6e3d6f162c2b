"""The rulesets of the two Pathfinder sets, and what their checks ask of a deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kb.decks.names import name_key
from kb.decks.report import Family, Problem, Severity
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.decks.model import ADVENTURES, SET_TITLES, Card, Deck, Facts, FeatKind, Gives

RULESETS = {set_id: Ruleset["Subject"]("pathfinder", title) for set_id, title in SET_TITLES.items()}

# Between Games and Dying, both rulebooks: from this adventure on the box is open to more than Basic cards,
# and only those this much lower than the adventure being played.
OPEN_BOX_FROM = 3
OPEN_BOX_BELOW = 2


@dataclass(frozen=True, slots=True)
class Subject:
    """A deck with the facts of its game: what every check takes."""

    deck: Deck
    facts: Facts

    @property
    def name(self) -> str:
        """The character's name."""
        return self.deck.character.name

    @property
    def open_box(self) -> bool:
        """Whether cards from the box need not be Basic any more."""
        return self.deck.number >= OPEN_BOX_FROM

    @property
    def opening_adventure(self) -> str:
        """Name of the adventure that lifts the Basic restriction."""
        found = self.facts.adventure(self.deck.set, str(OPEN_BOX_FROM))
        return found.name if found else f"adventure {OPEN_BOX_FROM}"

    @property
    def highest_from_box(self) -> int:
        """Highest adventure deck number of a card that is not Basic and may come from the box now."""
        return self.deck.number - OPEN_BOX_BELOW

    def owned(self, card: Card) -> bool:
        """Whether this character is the Owner of the card."""
        return card.owner is not None and name_key(card.owner) == name_key(self.name)

    def basic(self, card: Card) -> bool | None:
        """Whether the card counts as Basic for this character; None when nobody knows."""
        return True if self.owned(card) else card.basic

    def from_box(self, card: Card) -> bool | None:
        """Whether this character may take the card from the box now, loot left aside; None when nobody knows."""
        if self.basic(card):
            return True
        if self.open_box and card.number is not None and card.number <= self.highest_from_box:
            return True
        unknown = self.basic(card) is None or (self.open_box and card.number is None)
        return None if unknown else False

    def in_box(self, product: str) -> bool:
        """Whether the cards of a product are in the box by now: its adventure has begun, and it is owned (where said)."""
        begun = product not in ADVENTURES[1:] or int(product) <= self.deck.number
        return begun and (self.deck.owns is None or product in self.deck.owns)

    def copies(self, card: Card) -> int | None:
        """Copies of the card in the box and the decks together; None when unknown."""
        known = [number for product, number in card.copies if self.in_box(product)]
        return None if not card.copies or None in known else sum(number or 0 for number in known)

    def taken_from_box(self) -> tuple[Card, ...]:
        """The cards of the deck that came from the box: all of a new deck, else those the file names."""
        return self.deck.cards if self.deck.stage == "new" else self.deck.from_box or ()

    def alternatives(self, card_type: str, limit: int = 5) -> list[str]:
        """Names of cards of a type that this character may take from the box: those of the suggested deck first.

        Promotional cards are named only when the deck file says that they are owned.
        """
        held = Counter(card.name for card in self.deck.cards)
        suggested = self.facts.suggested.get((self.deck.set, self.name), ())
        first = [card.name for card in suggested]

        def spare(card: Card) -> bool:
            copies = self.copies(card)
            promo = card.deck == "P" and "P" not in (self.deck.owns or ())
            return not promo and any(map(self.in_box, card.products)) and (copies is None or held[card.name] < copies)

        found = [
            card
            for card in self.facts.of_set(self.deck.set)
            if card_type in self.deck.character.may_fill(card)
            and (not card.loot or self.owned(card))
            and self.from_box(card)
            and spare(card)
        ]
        found.sort(
            key=lambda card: (
                first.index(card.name) if card.name in first else len(first),
                card.type != card_type,
                card.name,
            )
        )
        return [card.name for card in found[:limit]]

    def earnable(self, kind: FeatKind) -> int:
        """Feats of a kind that a character who has played everything so far can have; none for a new character.

        Counts the rewards of all adventures before, and of the one being played those up to `after_scenario`; where the
        file does not say it, all of them, the adventure's own reward included.
        """
        return sum(gives.feats.get(kind, 0) for gives in self.rewards()) if self.deck.stage == "rebuilt" else 0

    def rewards(self) -> Iterator[Gives]:
        """All rewards that the party can have gained by now."""
        for adventure in self.facts.adventures.get(self.deck.set, ()):
            order = ADVENTURES.index(adventure.deck)
            played = len(adventure.scenarios)
            if order == self.deck.number and self.deck.after_scenario is not None:
                played = self.deck.after_scenario
            if order <= self.deck.number:
                yield from adventure.scenarios[:played]
                if played >= len(adventure.scenarios):
                    yield adventure.reward


def rule(
    *cites: str, family: Family, severity: Severity = "error", sets: Iterable[str] = tuple(SET_TITLES)
) -> Callable[[Callable[[Subject], Iterable[Problem]]], Callable[[Subject], Iterable[Problem]]]:
    """Register a check in the rulesets of both sets (or of `sets`).

    A citation without a slash is an entry of the set itself: `cards-list` is `pathfinder/rotr/cards-list` in the one and
    `pathfinder/mm/cards-list` in the other.
    """

    def register(run: Callable[[Subject], Iterable[Problem]]) -> Callable[[Subject], Iterable[Problem]]:
        for set_id in sets:
            entries = [cite if "/" in cite else f"pathfinder/{set_id}/{cite}" for cite in cites]
            RULESETS[set_id].check(*entries, family=family, severity=severity)(run)
        return run

    return register
