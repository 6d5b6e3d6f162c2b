"""Rebuilds the decks of a table: who keeps what, who gives what to whom, and what the box must add.

A minimum-cost flow from cards to places: what decides is first that no card comes from the box while the table has one
that fits, then the number of wishes, then the number of trades. Where these are equal, the cards of higher adventure
deck numbers stay with the party.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from kb.decks.flow import Flows, Network, Node
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import CARD_TYPES, Card
from kb.games.pathfinder.decks.ruleset import Subject
from kb.games.pathfinder.party.model import Member, Move, Rebuilt, Table

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


# What a step costs. Each is more than all steps of the kinds below can cost together, for hundreds of cards.
ANOTHER_LINE = 1
TRADE = 10_000
WISH = 10**8
REQUIRED = 10**11
FROM_THE_BOX = 10**13
NOTHING_FITS = 10**16
LEFT: Node = "left over"


def worth(card: Card) -> int:
    """How much the party loses when the card goes back to the box, where all else is equal."""
    return 2 * (card.number or 0) + (0 if card.basic else 1)


def in_order(card: Card) -> tuple[int, str, str]:
    """What cards are sorted by: the order of the Cards List, then names."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set


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


def choose(
    table: Table, facts: Facts, box: Box, rebuilt: Rebuilt
) -> tuple[dict[str, tuple[Card, ...]], dict[str, dict[str, int]]]:
    """Cards from the box for every place still open: those that must be held, wishes, the suggested deck, then others.

    Returns the cards by member, and the places for which there is none.
    """
    graph = Network()
    total = 0
    cards: set[Card] = set()
    for member in table.members:
        for kind, number in rebuilt.box[member.name].items():
            total += number
            line = ("line", member.name, kind)
            graph.add_node(line, wanted=number)
            graph.add_edge("nothing", line, price=NOTHING_FITS)
            options = rebuilt.eligible[member.name].get(kind, ())
            cards.update(options)
            for place, card in enumerate(_by_preference(member, facts, options)):
                _offer(graph, card, line, place, _spare_wishes(member, facts, card, rebuilt.decks[member.name]))
    for card in sorted(cards, key=in_order):
        graph.add_edge("box", ("card", card), price=0, room=box.stock(card))
    graph.add_node("box", wanted=-total)
    graph.add_node("nothing", wanted=-total)
    graph.add_node(LEFT, wanted=total)
    graph.add_edge("box", LEFT, price=0)
    graph.add_edge("nothing", LEFT, price=0)
    flow = graph.cheapest()
    chosen: dict[str, tuple[Card, ...]] = {}
    still: dict[str, dict[str, int]] = {}
    for member in table.members:
        taken: list[Card] = []
        for kind in rebuilt.box[member.name]:
            line = ("line", member.name, kind)
            for card in rebuilt.eligible[member.name].get(kind, ()):
                taken.extend([card] * sum(flow.get(node, {}).get(line, 0) for node in _ways(card, line)))
            if missing := flow["nothing"].get(line, 0):
                still.setdefault(member.name, {})[kind] = missing
        chosen[member.name] = tuple(sorted(taken, key=in_order))
    return chosen, {member.name: still.get(member.name, {}) for member in table.members}


def _ways(card: Card, line: Node) -> tuple[Node, Node]:
    return ("first", card, line), ("more", card, line)


def _offer(graph: Network, card: Card, line: Node, place: int, first: int) -> None:
    """A card may go to a line: `first` copies of it gladly, further ones by its place in the order of preference."""
    gladly, more = _ways(card, line)
    if first:
        graph.add_edge(("card", card), gladly, price=place - 10_000, room=first)
        graph.add_edge(gladly, line, price=0)
    graph.add_edge(("card", card), more, price=place)
    graph.add_edge(more, line, price=0)


def _spare_wishes(member: Member, facts: Facts, card: Card, held: Iterable[Card]) -> int:
    """How many copies of a card the member would like: what she must hold, wishes, has in the suggested deck."""
    liked = max(
        int(card.name in member.deck.character.must_hold),
        member.wishes.count(card),
        facts.suggested.get((member.deck.set, member.name), ()).count(card),
    )
    return max(0, liked - list(held).count(card))


def _by_preference(member: Member, facts: Facts, cards: Iterable[Card]) -> list[Card]:
    suggested = facts.suggested.get((member.deck.set, member.name), ())
    return sorted(
        cards,
        key=lambda card: (
            card.name not in member.deck.character.must_hold,
            card not in member.wishes,
            card not in suggested,
            -worth(card),
            card.name,
        ),
    )


def rebuild_party(table: Table, facts: Facts, fill: bool = False) -> Rebuilt:
    """The decks of a table after the rebuild; with `fill` the cards from the box are chosen too.

    Pure: it reads and writes nothing. Every card that a member may not or need not hold is left over; `unfilled` are places
    for which the box has no card.
    """
    box = Box(table, facts)
    old = [member for member in table.members if not member.newcomer]
    plan = Assignment(table, facts, box, old)
    plan.solve()
    need = {member.name: member.need(facts) for member in table.members}
    decks = {member.name: plan.deck(member.name) for member in table.members}
    lacking = {member.name: plan.lacking(member.name) for member in old}
    lacking |= {member.name: need[member.name] for member in table.members if member.newcomer}
    unfilled = {name: holes for member in old if (holes := plan.unfilled(name := member.name))}
    sorted_places = {
        name: {kind: holes[kind] for kind in CARD_TYPES if holes.get(kind)} for name, holes in lacking.items()
    }
    table_lacks = Counter({kind: number for member in old for kind, number in lacking[member.name].items()})
    eligible, disputed = choices(box, table_lacks)
    kept, missed = wishes(table, decks)
    left = [(origin, card) for origin, card in plan.left]
    rebuilt = Rebuilt(
        need=need,
        decks=decks,
        lacking=sorted_places,
        box=sorted_places,
        moves=tuple(plan.moves),
        kept=kept,
        missed=missed,
        left_over=tuple(card for _, card in left),
        left_by_dead=tuple(card for origin, card in left if origin.startswith("late ")),
        unfilled=unfilled,
        eligible=eligible,
        disputed=disputed,
    )
    if not fill:
        return rebuilt
    chosen, open_places = choose(table, facts, box, rebuilt)
    filled = {name: (*decks[name], *chosen[name]) for name in decks}
    kept, missed = wishes(table, filled)
    return replace(rebuilt, chosen=chosen, box=open_places, unfilled=open_places, kept=kept, missed=missed)


def wishes(
    table: Table, decks: Mapping[str, tuple[Card, ...]]
) -> tuple[tuple[tuple[str, Card], ...], tuple[tuple[str, Card], ...]]:
    """The wishes that came true and those that did not: a card wished for twice is two wishes, and needs two copies."""
    kept: list[tuple[str, Card]] = []
    missed: list[tuple[str, Card]] = []
    for member in table.members:
        there = Counter(decks[member.name])
        for card in member.wishes:
            (kept if there[card] > 0 else missed).append((member.name, card))
            there[card] -= 1
    return tuple(kept), tuple(missed)
