"""Rebuilds the decks of a party: which cards members keep, trade and get, and which must come from the box.

It is a minimum-cost flow from cards to places. Priorities, the highest first: no place stays empty; nothing comes from
the box while the party has a card that fits; a member has the cards that they must hold; `keep:`; as many wishes as
possible; every card stays with its holder; as few cards as possible change hands. Ties are broken by skills and
proficiencies, then by adventure deck numbers, then by the suggested deck. A member with a complete deck and no wishes
takes no part, or keeps all cards if cards count as two types. A refused move is impossible. A newcomer takes cards from
the box only, which by then includes the cards that nobody kept; the others lose neither a place nor a card for them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kb.decks.flow import Network, Node
from kb.games.pathfinder.decks.facts import Cards, Facts, PathfinderCard, PathfinderCharacter
from kb.games.pathfinder.decks.table import Seat
from kb.games.pathfinder.party.to_rebuild import CardMove, Member, Rebuilt, Renewed, TableToRebuild, in_order
from kb.games.pathfinder.records import CARD_TYPES

MANY = 99  # copies of a card whose number no source gives
LEFT: Node = "left over"

# Costs of the priorities: each is more than all lower ones together, for a thousand places. Costs that break ties are lower still.
TRADE, STAY, WISH, KEEP, REQUIRED, FROM_THE_BOX, NOTHING_FITS = (10_000_000 * 1_000**level for level in range(7))
LIKED, WISHED, COUNTED = 20_000, 100_000, 1_000_000  # for cards of the box: suggested, wished for, of known number


class Stock:
    """The cards in the box, not counting a party's cards, and the cards that each member may take from the box."""

    def __init__(self, table: TableToRebuild, facts: Facts) -> None:
        self.table = table
        self.facts = facts
        self.out = table.held() + Counter(table.removed)
        self.held = table.held()
        self.cards = sorted(facts.of_set(table.set), key=lambda card: card.name)
        now = table.begun(facts)
        self.seats: dict[str, Seat] = {seat.name: seat for seat in now.seats}
        self.box = now.seats[0].box
        self.needs = {
            seat.name: {kind: number for kind in CARD_TYPES if (number := seat.wanted(kind))}
            for seat in table.before(facts).seats
        }
        """The number of cards of each type that each deck must contain: Cards List, card feats, role. Types of which a
        deck contains none are left out.
        """
        self._fitting: dict[tuple[str, str], list[tuple[PathfinderCard, bool | None]]] = {}

    def copies(self, card: PathfinderCard) -> int | None:
        """Return the number of copies of a card in the products owned; None if unknown."""
        return self.box.copies(card)

    def count(self, card: PathfinderCard, back: int = 0) -> int:
        """Return the copies of a card in the box: copies held by the party or removed do not count, copies put `back`
        do.
        """
        copies = self.box.copies(card)
        return MANY if copies is None else max(0, copies - self.out[card] + back)

    def fitting(self, member: Member, kind: str) -> list[tuple[PathfinderCard, bool | None]]:
        """Return the cards that fit a line of a member's Cards List, except cards that the member refuses. Each comes
        with True if the box gives it to the member, and None if this is unknown.
        """
        at = member.name, kind
        if at not in self._fitting:
            seat, character = self.seats[member.name], member.deck.character
            self._fitting[at] = [
                (card, seat.gives(card))
                for card in self.cards
                if kind in character.may_fill(card) and not member.refused(card)
            ]
        return self._fitting[at]

    def options(self, member: Member, kind: str, back: Counter[PathfinderCard]) -> tuple[Cards, Cards]:
        """Return the cards of the box that a member may take into a place of a type: ordinary ones, and loot, which is
        disputed.

        A newcomer takes them after the others have put `back` the cards that they do not keep.
        """
        seat = self.seats[member.name]
        candidates = [
            (card, gives)
            for card, gives in self.fitting(member, kind)
            if gives is not False and self.count(card, back[card] if member.newcomer else 0)
        ]
        loot = tuple(card for card, gives in candidates if gives is None and card.loot and seat.may_take(card))
        return tuple(card for card, gives in candidates if gives), loot


def settled(member: Member, table: TableToRebuild, stock: Stock) -> bool:
    """Return True if a member changes nothing: the deck is complete, there are no wishes, and no other member must hold
    one of its cards.
    """
    if member.newcomer or member.wishes or member.deck.of_type(None):
        return False
    complete = all(len(cards) == want for _, cards, want in stock.seats[member.name].filled_lines())
    names = {card.name for card in member.deck.cards}
    owed = {name for other in table.members if other is not member for name in lacks(other)}
    return complete and not owed & names and not (lacks(member) & {card.name for card in table.held()})


def lacks(member: Member) -> set[str]:
    """Return the cards that a member must hold but does not hold."""
    return {*member.deck.character.must_hold} - {card.name for card in member.deck.cards}


def worth(card: PathfinderCard) -> int:
    """Return the party's loss if the card goes back to the box, to break ties."""
    return 2 * (card.number or 0) + (0 if card.basic else 1)


def skill(character: PathfinderCharacter, card: PathfinderCard) -> int:
    """Return how well a character uses a card, by its traits: the die and bonus of the skill it needs, and proficiencies."""
    traits = card.traits or ()
    if card.type == "armor":
        return sum(map(character.proficient_with, traits))
    if card.type not in ("weapon", "spell"):
        return 0
    roll = max(map(character.roll, traits), default=0)
    return roll + (card.type == "weapon" and character.proficient_with("Weapon"))


class RebuildPlan:
    """The cheapest flow from the cards of a party and the box to the places of its decks.

    A card goes from its pile to a member's hand and then to a line of the member's list, or from the box straight to a
    line. If only the first copies have extra value (kept, wished for, required, suggested), a second, cheaper edge has
    that capacity.
    """

    def __init__(self, table: TableToRebuild, stock: Stock) -> None:
        self.stock = stock
        self.facts = stock.facts
        # A member whose cards count as another type may give one up for another's place, and take cards that fit nobody else.
        self.members = [
            replace(member, keep=member.deck.cards) if complete else member
            for member in table.members
            if not (complete := settled(member, table, stock)) or member.deck.character.counts_as
        ]
        self.needs = {member.name: stock.needs[member.name] for member in self.members}
        self.living = {member.name: member for member in table.members}
        idle = {member.name for member in table.members} - self.needs.keys()
        self.piles = [(origin, Counter(cards)) for origin, cards in table.piles() if origin not in idle]
        self.graph = Network()
        self.offers = {
            (member.name, kind): stock.options(member, kind, stock.held)[0]
            for member in self.members
            for kind in self.needs[member.name]
        }
        some = {card for cards in (*self.offers.values(), *(pile for _, pile in self.piles)) for card in cards}
        for card in filter(some.__contains__, stock.cards):  # nobody can take the others
            self.graph.add_edge("box", ("box", card), room=stock.count(card))
            self.graph.add_edge(("box", card), ("again", card))
        for name, need in self.needs.items():
            for kind, number in need.items():
                self.graph.add_node(("line", name, kind), number)
                self.graph.add_edge(
                    "nothing", ("line", name, kind), REQUIRED if self.living[name].newcomer else NOTHING_FITS
                )
        for origin, pile in self.piles:
            for card, copies in pile.items():
                self.graph.add_node((origin, card), -copies)
                self.graph.add_edge((origin, card), ("again", card))
                self.graph.add_edge(("again", card), LEFT)
                for member in self.members:
                    if not member.newcomer and self.lines(member, card):
                        self.add_way(origin, card, member)
        for member in self.members:
            if not member.newcomer:
                for card in dict.fromkeys(card for _, pile in self.piles for card in pile):
                    self.add_hand(member, card)
            for kind in self.needs[member.name]:
                self.add_box(member, kind)
        places = sum(sum(need.values()) for need in self.needs.values())
        for source in ("box", "nothing"):
            self.graph.add_node(source, -places)
            self.graph.add_edge(source, LEFT)
        self.graph.add_node(LEFT, places + sum(pile.total() for _, pile in self.piles))
        self.flow = self.graph.cheapest()

    def lines(self, member: Member, card: PathfinderCard) -> list[str]:
        """Return the lines of a member's list that a card may fill."""
        return [kind for kind in member.deck.character.may_fill(card) if kind in self.needs[member.name]]

    def tie(self, member: Member, card: PathfinderCard) -> int:
        """Return a score that breaks ties: the member's skill with the card, its adventure deck number, and the
        suggested deck.
        """
        suggested = card in self.facts.suggested_for(member.deck.character)
        return 2 * (100 * skill(member.deck.character, card) + 4 * worth(card) + suggested)

    def add_way(self, origin: str, card: PathfinderCard, member: Member) -> None:
        """Add edges from the pile `origin` to the member's hand, unless the member or the pile's owner refuses the card."""
        own = origin == member.name
        if not own and any(each.refused(card) for each in (member, self.living.get(origin, member))):
            return
        price = (-STAY if own else TRADE if origin in self.needs else 0) - self.tie(member, card)
        hand = ("hand", member.name, card)
        self.graph.add_edge((origin, card), hand, price)
        if own and card in member.keep:
            self.graph.add_edge((origin, card), hand, price - KEEP, member.keep.count(card))

    def add_hand(self, member: Member, card: PathfinderCard) -> None:
        """Let a card go from a member's hand to the member's lines, with extra value for copies wished for or required."""
        hand, placed = ("hand", member.name, card), ("placed", member.name, card)
        self.graph.add_edge(hand, placed)
        self.graph.add_edge(hand, placed, -WISH, member.wishes.count(card))
        self.graph.add_edge(hand, placed, -REQUIRED, int(card.name in member.deck.character.must_hold))
        for kind in self.lines(member, card):
            self.graph.add_edge(placed, ("line", member.name, kind), int(kind != card.type))

    def add_box(self, member: Member, kind: str) -> None:
        """Add the edges from the box to a line: first cards that a member must hold, wishes for or has in the
        suggested deck.
        """
        suggested = self.facts.suggested_for(member.deck.character)
        line = ("line", member.name, kind)
        for card in self.offers[member.name, kind]:
            source, in_deck = (self.source(member), card), member.deck.cards.count(card)
            price = (0 if member.newcomer else FROM_THE_BOX) - self.tie(member, card) + int(kind != card.type)
            self.graph.add_edge(source, line, price + COUNTED * (self.stock.copies(card) is None))
            self.graph.add_edge(source, line, price - LIKED, max(0, suggested.count(card) - in_deck))
            self.graph.add_edge(source, line, price - WISHED, max(0, member.wishes.count(card) - in_deck))
            if card.name in member.deck.character.must_hold and not in_deck:
                self.graph.add_edge(source, line, price - REQUIRED, 1)

    def source(self, member: Member) -> str:
        """Return the node of the box for a member: `again` for a newcomer, with the cards that the others do not keep,
        or else `box`.
        """
        return "again" if member.newcomer else "box"

    def filled(self, name: str, kind: str, source: str) -> list[PathfinderCard]:
        """Return the cards that fill a line of a member's Cards List. `source` is `placed` (the party's cards), `box`,
        or `again` (the box for a newcomer).
        """
        return [
            start[-1]
            for (start, end), number in self.flow.items()
            if end == ("line", name, kind) and isinstance(start, tuple) and start[0] == source
            for _ in range(number)
        ]

    def renewed(self, member: Member, fill: bool) -> Renewed:
        """Return a member's deck after the flow; the deck of a member who takes no part is unchanged."""
        need, name = self.stock.needs[member.name], member.name
        if name not in self.needs:
            return Renewed(need, member.deck.cards, () if fill else None)
        placed = {kind: self.filled(name, kind, "placed") for kind in need}
        chosen = {kind: self.filled(name, kind, self.source(member)) for kind in need}
        return Renewed(
            need,
            in_lines(placed),
            in_lines(chosen) if fill else None,
            {kind: more for kind, number in need.items() if (more := number - len(placed[kind]))},
            {kind: holes for kind in need if (holes := self.flow.get(("nothing", ("line", name, kind)), 0))},
        )

    def moves(self) -> tuple[list[CardMove], list[tuple[str, PathfinderCard]]]:
        """Return the cards that change hands, with the reason for each, and the cards left over, by holder."""
        reasons = {member.name: self.reasons(member) for member in self.members}
        moves: list[CardMove] = []
        left: list[tuple[str, PathfinderCard]] = []
        for origin, pile in self.piles:
            for card in sorted(pile, key=in_order):
                left += [(origin, card)] * self.flow.get(((origin, card), ("again", card)), 0)
                for name, why in reasons.items():
                    number = self.flow.get(((origin, card), ("hand", name, card)), 0) if name != origin else 0
                    moves += [CardMove(card, origin, name, why[card].pop(0)) for _ in range(number)]
        return moves, left

    def reasons(self, member: Member) -> dict[PathfinderCard, list[str]]:
        """Return why each new card comes to a member: a wish, a required card, or an empty place."""
        own, reasons = Counter(member.deck.cards), dict[PathfinderCard, list[str]]()
        wishes = Counter(member.wishes)
        for kind in self.needs[member.name]:
            cards = self.filled(member.name, kind, "placed")
            came = list((Counter(cards) - own).elements())
            own -= Counter(cards)
            for place, card in enumerate(came, len(cards) - len(came) + 1):
                why = f"fills {member.name}'s {ordinal(place)} {kind}"
                if card.name in member.deck.character.must_hold:
                    why = f"{member.name} must have it"
                elif wishes[card] > member.deck.cards.count(card):
                    why, wishes[card] = f"{member.name} wished for it", wishes[card] - 1
                reasons.setdefault(card, []).append(why)
        return reasons


def ordinal(number: int) -> str:
    """Return `first`, `second` … `10th`."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    return words[number - 1] if number <= len(words) else f"{number}th"


def rebuild_party(table: TableToRebuild, facts: Facts, fill: bool = False) -> Rebuilt:
    """Return the decks of a party after the rebuild; with `fill`, also choose the cards from the box.

    The function reads and writes no files. Cards that a member may not or need not hold are left over.
    """
    stock = Stock(table, facts)
    plan = RebuildPlan(table, stock)
    moves, left = plan.moves()
    members = {member.name: plan.renewed(member, fill) for member in table.members}
    table_lacks = {kind for member in table.members if not member.newcomer for kind in members[member.name].lacking}
    back = Counter(card for _, card in left)
    fulfilled: list[tuple[str, PathfinderCard]] = []
    missed: list[tuple[str, PathfinderCard]] = []
    for member in table.members:
        renewed = members[member.name]
        for kind in renewed.need:
            if kind in table_lacks or member.newcomer:
                renewed.eligible[kind], loot = stock.options(member, kind, back)
                if loot:
                    renewed.disputed[kind] = loot
        there = Counter(renewed.cards)
        for card in member.wishes:  # two wishes for the same card need two copies
            (fulfilled if there[card] > 0 else missed).append((member.name, card))
            there[card] -= 1
    return Rebuilt(members, tuple(moves), tuple(fulfilled), tuple(missed), tuple(left))


def in_lines(cards: dict[str, list[PathfinderCard]]) -> Cards:
    """Return the cards of several lines in the order in which decks show them."""
    return tuple(sorted((card for line in cards.values() for card in line), key=in_order))
