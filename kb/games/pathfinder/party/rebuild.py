"""Rebuilds the decks of a table: who keeps what, who gives what to whom, and what the box must add.

A minimum-cost flow from cards to places. What decides, first things first: no place stays empty; nothing comes from the box while
the table has a card that fits; who must hold a card has it; `keep:`; the most wishes come true; every card stays with who had it;
the fewest cards change hands. What still ties is told by skills and proficiencies, then by adventure deck numbers, then by the
suggested deck. Whoever has a complete deck and wishes for nothing takes no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from kb.decks.flow import Flows, Network, Node
from kb.games.pathfinder.decks.counts import lines, wanted
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import CARD_TYPES, Card, Character
from kb.games.pathfinder.decks.ruleset import Subject
from kb.games.pathfinder.party.model import Member, Move, Rebuilt, Table

MANY = 99  # copies of a card of which no source says how many there are
LEFT: Node = "left over"

# What a step costs: each more than all steps of the kinds below together, for a thousand places. What breaks ties costs less than that.
TRADE, STAY, WISH, KEEP, REQUIRED, FROM_THE_BOX, NOTHING_FITS = (10_000_000 * 1_000**level for level in range(7))
LIKED, WISHED = 20_000, 100_000  # for cards of the box: of the suggested deck, wished for


class Box:
    """The box while the cards of a table are out of it."""

    def __init__(self, table: Table, facts: Facts) -> None:
        self.table = table
        self.facts = facts
        self.out = table.held() + Counter(table.removed)
        self.seen: dict[tuple[str, str], tuple[tuple[Card, ...], tuple[Card, ...]]] = {}

    def stock(self, card: Card) -> int:
        """Copies of a card in the box: those of the products in it, without what the table holds or has removed."""
        copies = Subject(self.table.members[0].deck, self.facts).copies(card)
        return MANY if copies is None else max(0, copies - self.out[card])

    def options(self, member: Member, kind: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Cards of the box that a member may take into a place of a type: the plain ones, and loot, which is disputed."""
        if (member.name, kind) not in self.seen:
            subject = Subject(member.begun, self.facts)
            found = [
                card
                for card in sorted(self.facts.of_set(self.table.set), key=lambda card: card.name)
                if kind in member.deck.character.may_fill(card) and self.may_come(subject, card) and self.stock(card)
            ]
            loot = tuple(card for card in found if card.loot and not subject.owned(card))
            self.seen[member.name, kind] = tuple(card for card in found if card not in loot), loot
        return self.seen[member.name, kind]

    def may_come(self, subject: Subject, card: Card) -> bool:
        """Whether a card may come from the box into a deck: Basic, its Owner's, or of a number low enough by now.

        A promotional card that is not the member's own comes only when the table says that it owns promos, and never before the
        first adventure.
        """
        if subject.from_box(card) is not True:
            return False
        return (
            card.deck != "P" or subject.owned(card) or ("P" in (self.table.owns or ()) and self.table.adventure != "B")
        )


def settled(member: Member, table: Table, facts: Facts) -> bool:
    """Whether a member changes nothing: her deck is complete, she wishes for nothing, and holds no card that somebody else must hold."""
    if member.newcomer or member.wishes or member.deck.of_type(None):
        return False
    subject = Subject(member.begun, facts)
    complete = all(len(held) == wanted(subject, kind)[0] for kind, held in lines(subject).items())
    names = {card.name for card in member.deck.cards}
    owed = {name for other in table.members if other is not member for name in lacks(other, facts)}
    return complete and not owed & names and not (lacks(member, facts) & {card.name for card in table.held()})


def lacks(member: Member, facts: Facts) -> set[str]:
    """Cards that a member must hold and does not."""
    names = {
        card.name if (card := facts.card(member.deck.set, name)) else name for name in member.deck.character.must_hold
    }
    return names - {card.name for card in member.deck.cards}


def worth(card: Card) -> int:
    """How much the party loses when the card goes back to the box, where all else is equal."""
    return 2 * (card.number or 0) + (0 if card.basic else 1)


def skill(character: Character, card: Card) -> int:
    """How well a character uses a card, by its traits: the die and bonus of the skill it asks for, and proficiencies."""
    traits = card.traits or ()
    if card.type == "armor":
        return sum(trait in traits for trait in character.proficient)
    if card.type not in ("weapon", "spell"):
        return 0
    found = max((character.skills.get(trait, 0) for trait in traits), default=0)
    return found + (card.type == "weapon" and "Weapon" in character.proficient)


def in_order(card: Card) -> tuple[int, str, str]:
    """What cards are shown by: the order of the Cards List, then names."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set


class Assignment:
    """The flow from the cards of a table and the box to the places of its decks."""

    def __init__(self, table: Table, facts: Facts, box: Box) -> None:
        self.table = table
        self.facts = facts
        self.box = box
        self.members = [member for member in table.members if not settled(member, table, facts)]
        self.graph = Network()
        self.needs = {member.name: member.need(facts) for member in self.members}
        self.places = sum(sum(need.values()) for need in self.needs.values())
        for name, need in self.needs.items():
            for kind, number in need.items():
                self.graph.add_node(("line", name, kind), wanted=number)
                self.graph.add_edge("nothing", ("line", name, kind), price=NOTHING_FITS)
        cards = sum(self.add_pile(origin, Counter(cards)) for origin, cards in self.piles())
        for member in self.members:
            self.add_box(member)
        for source in ("box", "nothing"):
            self.graph.add_node(source, wanted=-self.places)
            self.graph.add_edge(source, LEFT)
        self.graph.add_node(LEFT, wanted=cards + self.places)
        self.flow: Flows = self.graph.cheapest()

    def piles(self) -> list[tuple[str, tuple[Card, ...]]]:
        """The piles that are given out: not those of members who change nothing."""
        out = {member.name for member in self.table.members} - set(self.needs)
        return [(origin, cards) for origin, cards in self.table.piles() if origin not in out]

    def add_pile(self, origin: str, cards: Counter[Card]) -> int:
        """The cards of somebody: each goes to a member or is left over. Returns how many there are."""
        for card, copies in cards.items():
            pile = ("pile", origin, card)
            self.graph.add_node(pile, wanted=-copies)
            self.graph.add_edge(pile, LEFT)
            for member in self.members:
                if member.newcomer or not self.lines(member, card):
                    continue
                arrived = self.arrive(member, card)
                own = origin == member.name
                price = -STAY if own else TRADE if origin in self.needs else 0
                self.graph.add_edge(pile, arrived, price=price - self.tie(member, card))
                if own and card in member.keep:
                    kept: Node = ("keep", member.name, card)
                    self.graph.add_edge(
                        pile, kept, price=price - self.tie(member, card) - KEEP, room=member.keep.count(card)
                    )
                    self.graph.add_edge(kept, arrived)
        return cards.total()

    def lines(self, member: Member, card: Card) -> list[str]:
        """The lines of a member's list that a card may fill."""
        return [kind for kind in member.deck.character.may_fill(card) if kind in self.needs[member.name]]

    def arrive(self, member: Member, card: Card) -> Node:
        """The node at which a card of the table comes to a member: on from there to her lines."""
        arrived, placed = ("arrived", member.name, card), ("placed", member.name, card)
        if arrived not in self.graph:
            self.graph.add_edge(arrived, placed)
            required = int(card.name in member.deck.character.must_hold)
            for what, times, gain in (("wish", member.wishes.count(card), WISH), ("required", required, REQUIRED)):
                if times:
                    self.graph.add_edge(arrived, (what, arrived), price=-gain, room=times)
                    self.graph.add_edge((what, arrived), placed, room=times)
            for kind in self.lines(member, card):
                self.graph.add_edge(placed, ("line", member.name, kind), price=int(kind != card.type))
        return arrived

    def tie(self, member: Member, card: Card) -> int:
        """What breaks ties: how well the member uses the card, how far it has come, whether her suggested deck has it."""
        suggested = card in self.facts.suggested.get((member.deck.set, member.name), ())
        return 2 * (100 * skill(member.deck.character, card) + 4 * worth(card) + suggested)

    def add_box(self, member: Member) -> None:
        """What the box may add to a member's deck: what she must hold, wishes for or has in the suggested deck first."""
        suggested = self.facts.suggested.get((member.deck.set, member.name), ())
        for kind in self.needs[member.name]:
            line = ("line", member.name, kind)
            for card in self.box.options(member, kind)[0]:
                stock: Node = ("box", card)
                self.graph.add_edge("box", stock, room=self.box.stock(card))
                price = FROM_THE_BOX - self.tie(member, card) + int(kind != card.type)
                self.graph.add_edge(stock, line, price=price)
                held = member.deck.cards.count(card)
                liked = [(suggested.count(card), LIKED), (member.wishes.count(card), WISHED)]
                liked.append((int(card.name in member.deck.character.must_hold), REQUIRED))
                for number, gain in liked:
                    if number > held:
                        gladly: Node = ("gladly", gain, *line, card)
                        self.graph.add_edge(stock, gladly, price=price - gain, room=number - held)
                        self.graph.add_edge(gladly, line)

    def into(self, name: str, ways: tuple[str, ...]) -> dict[str, list[Card]]:
        """The cards that come into a member's lines in one of these ways."""
        return {
            kind: [
                node[-1]
                for node, flow in self.flow.items()
                if isinstance(node, tuple) and node[0] in ways
                for _ in range(flow.get(("line", name, kind), 0))
            ]
            for kind in self.needs[name]
        }

    def moves(self) -> Iterator[tuple[Card, str, str | None]]:
        """Each card of the table that leaves its pile: where it was, and to whom it goes (None: nobody)."""
        for origin, cards in self.piles():
            for card in sorted(dict.fromkeys(cards), key=in_order):
                for to, copies in self.flow["pile", origin, card].items():
                    name = to[1] if isinstance(to, tuple) else None
                    yield from [(card, origin, name)] * (copies if name != origin else 0)

    def reasons(self, member: Member) -> dict[Card, list[str]]:
        """Why cards come to a member, for each that she had not: she wished for it, must hold it, or has a place for it."""
        own, found = Counter(member.deck.cards), dict[Card, list[str]]()
        wishes, required = Counter(member.wishes), set(member.deck.character.must_hold)
        for kind, cards in self.into(member.name, ("placed",)).items():
            came = list((Counter(cards) - own).elements())
            own -= Counter(cards)
            for place, card in enumerate(came, len(cards) - len(came) + 1):
                why = f"fills {member.name}'s {ordinal(place)} {kind}"
                if card.name in required:
                    why = f"{member.name} must hold it"
                elif wishes[card] > member.deck.cards.count(card):
                    why, wishes[card] = f"{member.name} wished for it", wishes[card] - 1
                found.setdefault(card, []).append(why)
        return found


def ordinal(number: int) -> str:
    """`first`, `second` … `10th`."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    return words[number - 1] if number <= len(words) else f"{number}th"


def rebuild_party(table: Table, facts: Facts, fill: bool = False) -> Rebuilt:
    """The decks of a table after the rebuild; with `fill` the cards from the box are chosen too.

    Pure: it reads and writes nothing. Every card that a member may not or need not hold is left over; `unfilled` are places
    for which the box has no card.
    """
    box = Box(table, facts)
    plan = Assignment(table, facts, box)
    need = {member.name: member.need(facts) for member in table.members}
    decks = {member.name: member.deck.cards for member in table.members}
    lacking: dict[str, dict[str, int]] = {name: {} for name in decks}
    chosen: dict[str, tuple[Card, ...]] = dict.fromkeys(decks, ()) if fill else {}
    unfilled: dict[str, dict[str, int]] = {}
    moves, left = list[Move](), list[tuple[str, Card]]()
    reasons = {member.name: plan.reasons(member) for member in plan.members}
    for card, origin, to in plan.moves():
        if to is None:
            left.append((origin, card))
        else:
            moves.append(Move(card, origin, to, reasons[to][card].pop(0)))
    for name, needed in plan.needs.items():
        held = plan.into(name, ("placed",))
        decks[name] = tuple(sorted((card for cards in held.values() for card in cards), key=in_order))
        lacking[name] = {kind: more for kind, number in needed.items() if (more := number - len(held[kind]))}
        boxed = plan.into(name, ("box", "gladly"))
        holes = {kind: more for kind in needed if (more := plan.flow["nothing"].get(("line", name, kind), 0))}
        if holes:
            unfilled[name] = holes
        if fill:
            chosen[name] = tuple(sorted((card for cards in boxed.values() for card in cards), key=in_order))
    table_lacks = {kind for member in table.members if not member.newcomer for kind in lacking[member.name]}
    eligible, disputed = choices(box, table_lacks)
    kept, missed = wishes(table, {name: (*cards, *chosen.get(name, ())) for name, cards in decks.items()})
    return Rebuilt(
        need=need,
        decks=decks,
        lacking=lacking,
        box={name: unfilled.get(name, {}) for name in decks} if fill else lacking,
        moves=tuple(moves),
        kept=kept,
        missed=missed,
        left_over=tuple(card for _, card in left),
        left_by_dead=tuple(card for origin, card in left if origin.startswith("late ")),
        unfilled=unfilled,
        eligible=eligible,
        disputed=disputed,
        chosen=chosen,
    )


def choices(box: Box, lacking: set[str]) -> tuple[
    dict[str, dict[str, tuple[Card, ...]]], dict[str, dict[str, tuple[Card, ...]]]
]:  # fmt: skip
    """For each member and type that the table lacks (a newcomer: every type) what she may take, and what is disputed."""
    eligible: dict[str, dict[str, tuple[Card, ...]]] = {}
    disputed: dict[str, dict[str, tuple[Card, ...]]] = {}
    for member in box.table.members:
        for kind in member.need(box.facts):
            if kind in lacking or member.newcomer:
                plain, loot = box.options(member, kind)
                eligible.setdefault(member.name, {})[kind] = plain
                if loot:
                    disputed.setdefault(member.name, {})[kind] = loot
    return eligible, disputed


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
