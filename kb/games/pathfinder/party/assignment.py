"""The flow that assigns the cards of a table to the places of its decks: who keeps what, and who gives what to whom."""

from __future__ import annotations

from collections import Counter

from kb.decks.flow import Flows, Network, Node
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Card
from kb.games.pathfinder.party.box import Box
from kb.games.pathfinder.party.model import Member, Move, Table
from kb.games.pathfinder.party.prices import (
    ANOTHER_LINE,
    FROM_THE_BOX,
    LEFT,
    NOTHING_FITS,
    REQUIRED,
    TRADE,
    WISH,
    in_order,
    worth,
)


class Assignment:
    """The flow from the cards of a table and the box to the places of its decks. Nodes and edges are in a steady order."""

    def __init__(self, table: Table, facts: Facts, box: Box, members: list[Member]) -> None:
        self.table = table
        self.facts = facts
        self.members = members
        self.graph = Network()
        self.needs = {member.name: member.need(facts) for member in members}
        self.places = sum(sum(need.values()) for need in self.needs.values())
        self.flow: Flows = {}
        self.moves: list[Move] = []
        self.left: list[tuple[str, Card]] = []
        self.held: dict[str, list[Card]] = {member.name: [] for member in table.members}
        self.add_places()
        self.add_cards()
        self.add_box(box)

    def add_places(self) -> None:
        """A place for each card that a deck must hold."""
        for name, need in self.needs.items():
            for kind, number in need.items():
                self.graph.add_node(("line", name, kind), wanted=number)

    def add_cards(self) -> None:
        """Each card goes to a member or is left over; who holds it already has no trade."""
        number = 0
        living = {member.name for member in self.members}
        for origin, cards in self.table.piles():
            for card, copies in sorted(Counter(cards).items(), key=lambda pair: in_order(pair[0])):
                number += copies
                node = ("pile", origin, card)
                self.graph.add_node(node, wanted=-copies)
                self.graph.add_edge(node, LEFT, price=worth(card))
                for member in self.members:
                    if taken := self.taken_by(member, card):
                        traded = origin in living and origin != member.name
                        self.graph.add_edge(node, taken, price=TRADE if traded else 0)
        self.graph.add_node(LEFT, wanted=number + self.places)

    def taken_by(self, member: Member, card: Card) -> Node | None:
        """The node at which a card comes to a member: on from there to her lines. None when she has no place for it."""
        lines = [kind for kind in member.deck.character.may_fill(card) if kind in self.needs[member.name]]
        if not lines:
            return None
        arrived, placed = ("arrived", member.name, card), ("placed", member.name, card)
        if arrived not in self.graph:
            self.graph.add_edge(arrived, placed, price=0)
            self.gain(arrived, placed, "wish", member.wishes.count(card), WISH)
            self.gain(arrived, placed, "required", int(card.name in member.deck.character.must_hold), REQUIRED)
            for kind in lines:
                self.graph.add_edge(placed, ("line", member.name, kind), price=ANOTHER_LINE * (kind != card.type))
        return arrived

    def gain(self, arrived: Node, placed: Node, what: str, times: int, worth_of_it: int) -> None:
        """Coming to this member is worth something, as often as it is said."""
        if times:
            self.graph.add_edge(arrived, (what, arrived), price=-worth_of_it, room=times)
            self.graph.add_edge((what, arrived), placed, price=0, room=times)

    def add_box(self, box: Box) -> None:
        """The box fills places, by what each member may take: cards that the same places may take are one node."""
        may_take = {
            (member.name, kind): set(box.options(member, kind)[0])
            for member in self.members
            for kind in self.needs[member.name]
        }
        groups: dict[tuple[Node, ...], int] = {}
        for card in sorted(set().union(*may_take.values()), key=in_order):
            lines: tuple[Node, ...] = tuple(
                ("line", name, kind) for (name, kind), cards in may_take.items() if card in cards
            )
            groups[lines] = groups.get(lines, 0) + box.stock(card)
        required: list[Node] = []
        for member in self.members:
            for name in member.deck.character.must_hold:
                must = self.facts.card(self.table.set, name)
                if must and must.type and not box.out[must] and must in may_take.get((member.name, must.type), ()):
                    required.append(("line", member.name, must.type))
        self.graph.add_node("box", wanted=-self.places)
        self.graph.add_edge("box", LEFT, price=0)
        for lines, stock in groups.items():
            self.graph.add_edge("box", ("box", lines), price=0, room=stock)
            for line in lines:
                self.graph.add_edge(("box", lines), line, price=FROM_THE_BOX)
        for line in required:
            self.graph.add_edge("box", ("required", line), price=0, room=1)
            self.graph.add_edge(("required", line), line, price=FROM_THE_BOX - REQUIRED, room=1)
        self.graph.add_node("nothing", wanted=-self.places)
        self.graph.add_edge("nothing", LEFT, price=0)
        for node in [node for node in self.graph if isinstance(node, tuple) and node[0] == "line"]:
            self.graph.add_edge("nothing", node, price=NOTHING_FITS)

    def solve(self) -> None:
        """Find the cheapest flow, and read from it who holds what."""
        self.flow = self.graph.cheapest()
        for origin, cards in self.table.piles():
            for card in sorted(set(cards), key=in_order):
                for to, copies in self.flow["pile", origin, card].items():
                    for _ in range(copies):
                        if to == LEFT:
                            self.left.append((origin, card))
                        else:
                            self.take(card, origin, str(to[1]) if isinstance(to, tuple) else "")

    def take(self, card: Card, origin: str, name: str) -> None:
        """A card comes to a member."""
        self.held[name].append(card)
        if origin != name:
            self.moves.append(Move(card, origin, name))

    def deck(self, name: str) -> tuple[Card, ...]:
        """A member's cards in the order of the Cards List."""
        return tuple(sorted(self.held[name], key=in_order))

    def lacking(self, name: str) -> dict[str, int]:
        """A member's places that no card of the table fills, by type."""
        found: dict[str, int] = {}
        for kind, number in self.needs[name].items():
            line = ("line", name, kind)
            filled = sum(
                flow.get(line, 0) for node, flow in self.flow.items() if isinstance(node, tuple) and node[0] == "placed"
            )
            if number > filled:
                found[kind] = number - filled
        return found

    def unfilled(self, name: str) -> dict[str, int]:
        """A member's places for which the box has nothing either."""
        return {
            kind: number for kind in self.needs[name] if (number := self.flow["nothing"].get(("line", name, kind), 0))
        }
