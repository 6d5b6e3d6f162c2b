"""Rebuilds the decks of a party: which cards members keep, trade and get, and which must come from the box.

The rebuild is a minimum-cost flow from cards to the places in decks. Its priorities, highest first:

1. No place in a deck stays empty.
2. No card comes from the box while the party has a card that fits. Only a card that a character card requires, and
   that the party does not have, comes from the box in any case.
3. A member has the cards that the character card requires.
4. A member has the cards under `keep:`.
5. As many wishes as possible are fulfilled.
6. Each card stays with its holder.
7. As few cards as possible change hands.

Ties are broken by skills and proficiencies, then by adventure deck numbers, then by the suggested deck. A member with a
complete deck and no wishes takes no part. If that character's cards count as two types, the member takes part, but
keeps all cards. A move that a member refuses is impossible. A newcomer takes cards only from the box, which by then
contains the cards that nobody kept. The other members lose neither a place nor a card to a newcomer.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kb.decks.flow import Network, Node
from kb.games.pathfinder.decks.facts import Cards, Facts, PathfinderCard, PathfinderCharacter
from kb.games.pathfinder.decks.table import Seat
from kb.games.pathfinder.party.to_rebuild import CardMove, Member, Rebuilt, Renewed, TableToRebuild, in_order
from kb.games.pathfinder.records import CARD_TYPES

MANY = 99  # the number of copies assumed for a card if no source gives it
LEFT: Node = "left over"

# The costs of the priorities. Each cost is higher than all lower costs together, for up to a thousand places. The costs
# that break ties are even lower.
TRADE, STAY, WISH, KEEP, REQUIRED, FROM_THE_BOX, NOTHING_FITS = (10_000_000 * 1_000**level for level in range(7))
# The costs that break ties between cards of the box: suggested cards, wishes, cards with a known number of copies.
LIKED, WISHED, COUNTED = 20_000, 100_000, 1_000_000


class Stock:
    """The box of a party that rebuilds its decks: which cards are in it, and which of them each member may take."""

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
        """The number of cards of each type that a deck must contain, by member. Types without cards are left out."""
        self._fitting: dict[tuple[str, str], list[tuple[PathfinderCard, bool | None]]] = {}

    def copies(self, card: PathfinderCard) -> int | None:
        """Return the number of copies of `card` in the products owned, wherever they are now; None if it is unknown."""
        return self.box.copies(card)

    def count(self, card: PathfinderCard, back: int = 0) -> int:
        """Return the number of copies of `card` that are in the box now, including `back` copies that are put back.

        Copies that the party has and copies removed from the game are not in the box.
        """
        copies = self.box.copies(card)
        return MANY if copies is None else max(0, copies - self.out[card] + back)

    def fitting(self, member: Member, kind: str) -> list[tuple[PathfinderCard, bool | None]]:
        """Return the cards that can count as `kind` in a member's deck, except cards that the member refuses.

        A card is paired with True if the member may take it from the box, with False if not, and with None if that is
        unknown.
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
        """Return the cards in the box that a member may take as cards of the type `kind`, in two groups.

        The first group contains the cards that are allowed. The second contains loot, because the rulebook
        contradicts itself about loot. `back` are the cards that nobody keeps. Newcomers choose after the other
        members have put these cards back.
        """
        seat = self.seats[member.name]
        candidates = [
            (card, gives)
            for card, gives in self.fitting(member, kind)
            if gives is not False and self.count(card, back[card] if member.newcomer else 0)
        ]
        loot = tuple(card for card, gives in candidates if gives is None and card.loot and seat.may_take(card))
        return tuple(card for card, gives in candidates if gives), loot

    def lost_cards(self, member: Member) -> Cards:
        """Return the cards in the box that the member's character card requires and the party does not have.

        Newcomers choose all their cards from the box, so none of them is lost. A removed card whose number of copies is
        unknown is not in the box.
        """
        wanted = set() if member.newcomer else lacks(member, member.deck.cards) - {card.name for card in self.held}
        return tuple(
            card
            for kind in (self.needs[member.name] if wanted else ())
            for card in self.options(member, kind, self.held)[0]
            if card.name in wanted and card.type == kind
            if self.copies(card) is not None or card not in self.table.removed
        )


def settled(member: Member, table: TableToRebuild, stock: Stock) -> bool:
    """Return True if a member's deck does not need to change.

    The deck is complete and the member has no wishes. No other member's character card requires a card in this deck,
    and no card that this member's character card requires is elsewhere in the party or in the box.
    """
    if member.newcomer or member.wishes or member.deck.of_type(None):
        return False
    complete = all(len(cards) == want for _, cards, want in stock.seats[member.name].filled_lines())
    names = {card.name for card in member.deck.cards}
    owed = {name for other in table.members if other is not member for name in lacks(other, other.deck.cards)}
    offered = (*table.held(), *stock.lost_cards(member))
    return complete and not owed & names and not (lacks(member, member.deck.cards) & {card.name for card in offered})


def lacks(member: Member, cards: Cards) -> set[str]:
    """Name the cards that the member's character card requires and that are not among `cards`."""
    return {*member.deck.character.must_hold} - {card.name for card in cards}


def worth(card: PathfinderCard) -> int:
    """Return a score for the value of `card` to the party, which breaks ties. Higher numbers are better."""
    return 2 * (card.number or 0) + (0 if card.basic else 1)


def skill(character: PathfinderCharacter, card: PathfinderCard) -> int:
    """Return a score for how well a character can use `card`, from the character's skills and proficiencies."""
    traits = card.traits or ()
    if card.type == "armor":
        return sum(map(character.proficient_with, traits))
    if card.type not in ("weapon", "spell"):
        return 0
    roll = max(map(character.roll, traits), default=0)
    return roll + (card.type == "weapon" and character.proficient_with("Weapon"))


class RebuildPlan:
    """The cheapest flow from the cards of a party and the box to the places in its decks.

    A card of the party flows from its owner to a member's hand. From there, it flows to a card type of the member's
    Cards List (a line). A card from the box flows directly to a line. If only some copies have extra value, because
    they are kept, wished for, required or suggested, there is a second, cheaper edge. Its capacity is the number of
    these copies.
    """

    def __init__(self, table: TableToRebuild, stock: Stock) -> None:
        self.stock = stock
        self.facts = stock.facts
        # If the cards of a member count as another type, even a complete deck can give a card to another member and take
        # a card that fits no other deck.
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
        for card in filter(some.__contains__, stock.cards):  # no member can take any other card
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
        """Return the card types that `card` may count as in a member's deck."""
        return [kind for kind in member.deck.character.may_fill(card) if kind in self.needs[member.name]]

    def tie(self, member: Member, card: PathfinderCard) -> int:
        """Return a score that breaks ties between cards for a member. Higher numbers are better.

        It considers the member's skill with the card first, then the card's value and the suggested deck.
        """
        suggested = card in self.facts.suggested_for(member.deck.character)
        return 2 * (100 * skill(member.deck.character, card) + 4 * worth(card) + suggested)

    def add_way(self, origin: str, card: PathfinderCard, member: Member) -> None:
        """Add the edges that let `card` go from its owner `origin` to the hand of `member`.

        There are none if the member or the owner refuses the card.
        """
        own = origin == member.name
        if not own and any(each.refused(card) for each in (member, self.living.get(origin, member))):
            return
        price = (-STAY if own else TRADE if origin in self.needs else 0) - self.tie(member, card)
        hand = ("hand", member.name, card)
        self.graph.add_edge((origin, card), hand, price)
        if own and card in member.keep:
            self.graph.add_edge((origin, card), hand, price - KEEP, member.keep.count(card))

    def add_hand(self, member: Member, card: PathfinderCard) -> None:
        """Add the edges that let `card` go from a member's hand into the member's deck.

        Copies that the member wishes for or must have are cheaper.
        """
        hand, placed = ("hand", member.name, card), ("placed", member.name, card)
        self.graph.add_edge(hand, placed)
        self.graph.add_edge(hand, placed, -WISH, member.wishes.count(card))
        self.graph.add_edge(hand, placed, -REQUIRED, int(card.name in member.deck.character.must_hold))
        for kind in self.lines(member, card):
            self.graph.add_edge(placed, ("line", member.name, kind), int(kind != card.type))

    def add_box(self, member: Member, kind: str) -> None:
        """Add the edges that let cards from the box become cards of the type `kind` in a member's deck.

        Cards that the member must have, wishes for or has in the suggested deck are cheaper.
        """
        suggested = self.facts.suggested_for(member.deck.character)
        line, lost = ("line", member.name, kind), self.stock.lost_cards(member)
        for card in self.offers[member.name, kind]:
            source, in_deck = (self.source(member), card), member.deck.cards.count(card)
            price = (0 if member.newcomer else FROM_THE_BOX) - self.tie(member, card) + int(kind != card.type)
            self.graph.add_edge(source, line, price + COUNTED * (self.stock.copies(card) is None))
            self.graph.add_edge(source, line, price - LIKED, max(0, suggested.count(card) - in_deck))
            self.graph.add_edge(source, line, price - WISHED, max(0, member.wishes.count(card) - in_deck))
            if card in lost:  # it does not compete with the cards of the party
                self.graph.add_edge(source, line, price - FROM_THE_BOX - REQUIRED, 1)
            elif member.newcomer and card.name in member.deck.character.must_hold:
                self.graph.add_edge(source, line, price - REQUIRED, 1)

    def source(self, member: Member) -> str:
        """Return the node in the graph from which a member takes cards in the box.

        The node is `box`, or `again` for a newcomer, who may also take the cards that the other members do not keep.
        """
        return "again" if member.newcomer else "box"

    def filled(self, name: str, kind: str, source: str) -> list[PathfinderCard]:
        """Return the cards from one source that the plan puts into the deck of the member `name` as cards of type
        `kind`.

        `source` is `placed` for cards from the party, `box` for cards from the box, and `again` for cards from the box
        that a newcomer takes.
        """
        return [
            start[-1]
            for (start, end), number in self.flow.items()
            if end == ("line", name, kind) and isinstance(start, tuple) and start[0] == source
            for _ in range(number)
        ]

    def renewed(self, member: Member, fill: bool) -> Renewed:
        """Return a member's deck after the rebuild. `fill` says whether to choose the cards from the box.

        The deck of a member who takes no part is unchanged.
        """
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
        """Return the cards that change hands, with their reasons, and the cards left over, with their last owners."""
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
        """Return the reasons why a member gets new cards, in words: one reason for each copy, by card."""
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
    """Return the ordinal of a number, such as `first`, `second` or `10th`."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    return words[number - 1] if number <= len(words) else f"{number}th"


def rebuild_party(table: TableToRebuild, facts: Facts, fill: bool = False) -> Rebuilt:
    """Rebuild the decks of a party and return the result. With `fill`, also choose the cards from the box.

    Cards that no member needs or may have are left over. The function reads and writes no files.
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
    """Return the cards of all types as one tuple, in the order that decks show them."""
    return tuple(sorted((card for line in cards.values() for card in line), key=in_order))
