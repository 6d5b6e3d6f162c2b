"""What the box can give: how many copies are still in it, and what each member may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Card
from kb.games.pathfinder.decks.ruleset import Subject
from kb.games.pathfinder.party.model import Member, Table

MANY = 99  # copies of a card of which no source says how many there are


class Box:
    """The box while the cards of a table are out of it."""

    def __init__(self, table: Table, facts: Facts) -> None:
        self.table = table
        self.facts = facts
        self.out = table.held()
        self.out.update(table.removed)
        self.seen: dict[tuple[str, str], tuple[list[Card], list[Card]]] = {}

    def stock(self, card: Card) -> int:
        """Copies of a card in the box: those of the products in it, without what the table holds or has removed."""
        copies = Subject(self.table.members[0].deck, self.facts).copies(card)
        return MANY if copies is None else max(0, copies - self.out[card])

    def options(self, member: Member, kind: str) -> tuple[list[Card], list[Card]]:
        """Cards of the box that a member may take into a place of a type: the plain ones, and loot, which is disputed."""
        if (member.name, kind) not in self.seen:
            self.seen[member.name, kind] = self.look(member, kind)
        return self.seen[member.name, kind]

    def look(self, member: Member, kind: str) -> tuple[list[Card], list[Card]]:
        """As `options`, looked up anew."""
        deck = replace(member.deck, stage="new" if member.newcomer else "rebuilt")
        subject = Subject(deck, self.facts)
        plain: list[Card] = []
        loot: list[Card] = []
        for card in sorted(self.facts.of_set(self.table.set), key=lambda card: card.name):
            if kind not in deck.character.may_fill(card) or not self.may_come(subject, card) or not self.stock(card):
                continue
            (loot if card.loot and not subject.owned(card) else plain).append(card)
        return plain, loot

    def may_come(self, subject: Subject, card: Card) -> bool:
        """Whether a card may come from the box into a deck: Basic, its Owner's, or of a number low enough by now.

        A promotional card that is not the member's own comes only when the table says that it owns promos; in Rise of the
        Runelords, which opens the box to base set, Add-On Deck and adventures alone, only when it is Basic.
        """
        if subject.from_box(card) is not True:
            return False
        if card.deck != "P" or subject.owned(card):
            return True
        basic_enough = self.table.set != "rotr" or bool(card.basic)
        begun = self.table.adventure != "B"
        return "P" in (self.table.owns or ()) and basic_enough and begun


def choices(box: Box, lacking: Mapping[str, int]) -> tuple[
    dict[str, dict[str, tuple[Card, ...]]], dict[str, dict[str, tuple[Card, ...]]]
]:  # fmt: skip
    """For each member and type that the table lacks (a newcomer: every type) what she may take, and what is disputed."""
    eligible: dict[str, dict[str, tuple[Card, ...]]] = {}
    disputed: dict[str, dict[str, tuple[Card, ...]]] = {}
    for member in box.table.members:
        for kind in member.need(box.facts):
            if kind in lacking or member.newcomer:
                plain, loot = box.options(member, kind)
                eligible.setdefault(member.name, {})[kind] = tuple(plain)
                if loot:
                    disputed.setdefault(member.name, {})[kind] = tuple(loot)
    return eligible, disputed
