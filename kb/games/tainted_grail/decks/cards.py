"""Reads the combat and diplomacy cards of a sheet: numbers of basic cards, names, starter, gained and set-aside cards."""

from __future__ import annotations

import re
from collections import Counter

from kb.decks import nodes
from kb.decks.fields import Fields, parts
from kb.decks.names import split_quantity
from kb.decks.nodes import DeckProblem, Node, Scalar
from kb.games.tainted_grail.decks.model import (
    BASIC_CARDS,
    CARDS_OF_A_SIDE,
    POOL,
    Card,
    Deck,
    DeckName,
    Grade,
    basic_card,
)

KEYS = ("starter", "gained", "deck", "out")
NUMBER = re.compile(rf"^#?(\d{{1,4}})(?:\s*[-–]\s*(\d{{1,4}}))?(?:\s*/\s*{BASIC_CARDS})?$")


def read_deck(fields: Fields, name: DeckName) -> Deck:
    """The cards under `combat:` or `diplomacy:`: a list is the deck; keys give starter, gained, deck or out.

    Without `deck` the deck is all cards owned but those `out`.
    """
    node = fields.get(name)
    if node is None:
        return Deck(name)
    reader = _CardReader(fields.problems)
    if not isinstance(node, nodes.Mapping):
        return Deck(name, cards=reader.cards(node))
    inner = Fields(node, fields.problems, f"{name}: ")
    inner.check_keys(KEYS)
    starter = inner.get("starter")
    deck = Deck(name, (), reader.gained(inner), None if starter is None else reader.cards(starter))
    listed, out = inner.get("deck"), inner.get("out")
    if listed is not None:
        if out is not None:
            inner.note(out, f"`{name}` has both `deck` and `out`; `out` is for sheets that do not list the deck.")
        return Deck(name, reader.cards(listed), deck.gained, deck.starter)
    return Deck(name, reader.owned_but(deck, out), deck.gained, deck.starter)


class _CardReader:
    def __init__(self, problems: list[DeckProblem]) -> None:
        self.problems = problems

    def refuse(self, node: Node, message: str) -> tuple[Card, ...]:
        self.problems.append(DeckProblem(node.line, message))
        return ()

    def cards(self, node: Node, grade: Grade | None = None) -> tuple[Card, ...]:
        """The cards of a list, in its order, one for each copy."""
        return tuple(card for part in parts(node) for card in self.line(part, grade))

    def line(self, node: Node, grade: Grade | None) -> tuple[Card, ...]:
        """`7`, `7/25`, `1-15`, `Cleave`, `2x Cleave`."""
        if not isinstance(node, Scalar):
            return self.refuse(node, "A card must be a name or the number of a basic card.")
        if found := NUMBER.match(node.text):
            first, last = int(found[1]), int(found[2] or found[1])
            if not 1 <= first <= last <= BASIC_CARDS:
                return self.refuse(node, f"Basic cards are numbered 1 to {BASIC_CARDS}; {node.text!r} is not.")
            if grade == "advanced":
                return self.refuse(node, f"{node.text} is the number of a basic card, not an advanced card.")
            return tuple(map(basic_card, range(first, last + 1)))
        number, name = split_quantity(node.text)
        if not 1 <= number <= CARDS_OF_A_SIDE:
            return self.refuse(node, f"{node.text!r}: a character has 1 to {CARDS_OF_A_SIDE} cards of each kind.")
        return (Card(name, None, grade),) * number

    def gained(self, fields: Fields) -> tuple[Card, ...]:
        """Cards gained from the advancement pool: a list, or lists under `advanced` and `basic`."""
        node = fields.get("gained")
        if node is None:
            return ()
        if not isinstance(node, nodes.Mapping):
            return self.cards(node)
        graded = Fields(node, self.problems, f"{fields.where}gained: ")
        graded.check_keys(POOL)
        return tuple(
            card for grade in POOL if (below := graded.get(grade)) is not None for card in self.cards(below, grade)
        )

    def owned_but(self, deck: Deck, out: Node | None) -> tuple[Card, ...]:
        """All owned cards of a deck but those set aside."""
        owned = (*deck.starter_cards, *deck.gained)
        left = Counter(card.key for card in owned)
        there = Counter(left)
        for part in () if out is None else parts(out):
            for card in self.line(part, None):
                if left[card.key] <= 0 and there[card.key]:
                    self.refuse(part, f"{card.name} is `out` more often than the {there[card.key]} owned.")
                elif left[card.key] <= 0:
                    self.refuse(part, f"{card.name} is `out`, but not among the starter and gained {deck.name} cards.")
                left[card.key] -= 1
        kept = []
        for card in owned:
            if left[card.key] > 0:
                left[card.key] -= 1
                kept.append(card)
        return tuple(kept)
