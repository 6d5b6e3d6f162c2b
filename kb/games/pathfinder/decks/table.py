"""The party that the rules check: the decks of the players, and all other cards outside the box.

A deck that is checked alone is a party with one deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from kb.decks.names import name_key
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    SET_TITLES,
    SETS,
    Cards,
    Facts,
    FeatKind,
    PathfinderCard,
    RewardGives,
    names,
)
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted

# From adventure OPEN_BOX_FROM on, cards that are not Basic may come from the box. Their number must be at least
# OPEN_BOX_BELOW lower than that of the adventure being played (sections "Between Games" and "Dying" of both rulebooks).
OPEN_BOX_FROM = 3
OPEN_BOX_BELOW = 2
CLASS_DECKS = "class decks"


class GameBox:
    """The box of a set during an adventure, with the products that the players own.

    The object knows which cards are in the box, and how many copies of each. Results are cached.
    """

    def __init__(self, facts: Facts, set_id: str, adventure: str, owns: frozenset[str] | None) -> None:
        self.facts, self.set, self.adventure, self.owns = facts, set_id, adventure, owns
        self.number = ADVENTURES.index(adventure)
        self._printings: dict[PathfinderCard, Cards] = {}
        self._copies: dict[PathfinderCard, int | None] = {}

    def mixed_in(self, set_id: str) -> bool:
        """Return True if `set_id` is another set whose box is mixed in, because the deck file lists it under `owns`."""
        return set_id != self.set and set_id in (self.owns or ())

    @property
    def has_class_decks(self) -> bool:
        """True if the players own Class Decks, or if the deck file does not list the products owned."""
        return self.owns is None or CLASS_DECKS in self.owns

    def printings(self, card: PathfinderCard) -> Cards:
        """Return all cards that the name of `card` in a deck file may mean.

        These are the card itself, and cards with its name in a set that is mixed in or in the user's Class Decks.
        """
        found = self._printings.get(card)
        if found is None:
            found = self._printings[card] = self._all_printings(card)
        return found

    def _all_printings(self, card: PathfinderCard) -> Cards:
        if card.class_deck is not None and not card.own:
            return (card,)
        printings = [card]
        if self.has_class_decks:
            at = card.set, name_key(card.name)
            printings += [other for other in self.facts.class_printings.get(at, ()) if other != card]
        for set_id in SET_TITLES if card.class_deck is None else ():
            other = self.facts.card(set_id, card.name) if self.mixed_in(set_id) else None
            if other is not None and other.set != card.set and not other.own:
                printings.append(other)
        return tuple(printings)

    def begun(self, card: PathfinderCard) -> bool:
        """Return True if the adventure deck of `card` has been added to the box by now, or if its number is unknown."""
        return any(each.number is None or each.number <= self.number for each in self.printings(card))

    def holds(self, card: PathfinderCard, product: str) -> bool:
        """Return True if the copies of `card` in `product` are in the box by now.

        That is so if the product's adventure has begun and the players own the product. If the deck file does not
        list the products owned, all products count as owned.
        """
        begun = product not in ADVENTURES[1:] or int(product) <= self.number
        if card.class_deck is not None:
            return begun and self.has_class_decks
        return begun and (self.owns is None or (product if card.set == self.set else card.set) in self.owns)

    def copies(self, card: PathfinderCard) -> int | None:
        """Return the number of copies of `card` in all products in the box; None if it is unknown."""
        if card not in self._copies:
            known = [self._copies_of(each) for each in self.printings(card)]
            self._copies[card] = None if None in known else sum(number or 0 for number in known)
        return self._copies[card]

    def _copies_of(self, card: PathfinderCard) -> int | None:
        """Return the number of copies of one printing; None if it is unknown.

        A number that the user entered takes precedence. If some products are not in the box yet, the number is
        limited to the copies in the products that are in the box.
        """
        by_product = [(number, self.holds(card, product)) for product, number in card.copies]
        counts = [number for number, in_box in by_product if in_box] if by_product else [None]
        products = None if None in counts else sum(number or 0 for number in counts)
        owned = None if card.class_deck is not None else self.facts.owned.get((card.set, name_key(card.name)))
        if owned is None or products is None:
            return products if owned is None else owned
        return owned if all(in_box for _, in_box in by_product) else min(owned, products)


class GameTable:
    """The decks of a party, and all other cards outside the box. The rules about parties check this object.

    decks: at least one, in the order of the players. piles: other lists of cards with their titles, such as `rewards`.
    removed: cards that are out of the game. rebuilding: True if the decks contain the cards before the rebuild.
    """

    def __init__(
        self,
        decks: Iterable[PathfinderDeck],
        facts: Facts,
        piles: Sequence[tuple[str, Cards]] = (),
        removed: Cards = (),
        rebuilding: bool = False,
    ) -> None:
        self.facts, self.removed, self.rebuilding = facts, removed, rebuilding
        self._boxes: dict[tuple[str, str, frozenset[str] | None], GameBox] = {}
        self.seats = tuple(Seat(deck, self) for deck in decks)
        first = self.seats[0].deck
        others = [Seat(replace(first, stage="rebuilt", cards=cards), self, holder) for holder, cards in piles]
        self.holders = (*self.seats, *others)
        """The decks of the players, followed by the other lists of cards (`piles`)."""

    @property
    def decks(self) -> list[PathfinderDeck]:
        """The decks of the players."""
        return [seat.deck for seat in self.seats]

    @property
    def set(self) -> str:
        """The id of the set whose rulebook applies, which is the set of the first deck."""
        return self.seats[0].deck.set

    @property
    def pile_key(self) -> str:
        """The key for a member's cards in the file: `pool` before the decks are rebuilt, otherwise `cards`."""
        return "pool" if self.rebuilding else "cards"

    @property
    def alone(self) -> bool:
        """True if the party has only one deck."""
        return len(self.seats) == 1

    @cached_property
    def box(self) -> GameBox:
        """The box of the party during the latest adventure of its decks.

        The box contains the products that any deck lists as owned. If a deck lists no products, it is unknown which are
        owned.
        """
        owned = [deck.owns for deck in self.decks if deck.owns is not None]
        owns = frozenset[str]().union(*owned) if len(owned) == len(self.seats) else None
        return self.box_of(self.set, max((deck.adventure for deck in self.decks), key=ADVENTURES.index), owns)

    def box_of(self, set_id: str, adventure: str, owns: frozenset[str] | None) -> GameBox:
        """Return the box of a set during an adventure, with the products in `owns`. If `owns` is None, it is unknown
        which products the players own.
        """
        at = set_id, adventure, owns
        if at not in self._boxes:
            self._boxes[at] = GameBox(self.facts, *at)
        return self._boxes[at]

    @cached_property
    def out_of_the_box(self) -> Counter[PathfinderCard]:
        """The copies of each card that is outside the box: in decks, in other lists, or removed from the game."""
        held = Counter(card for seat in self.holders for card in seat.deck.cards)
        held.update(self.removed)
        return held

    @cached_property
    def spare(self) -> Counter[PathfinderCard]:
        """The cards that the party had and that are in no deck, with their copies.

        The files of several decks may list the same left-over cards of the party, so the largest number of copies
        counts. The cards that a member had and neither kept nor gave away also count.
        """
        listed, own = Counter[PathfinderCard](), Counter[PathfinderCard]()
        for deck in self.decks:
            listed |= Counter(deck.left_over)
            own += deck.not_kept()
        return listed | own

    def seat(self, name: str) -> Seat | None:
        """Return the seat of the character `name`; None if nobody plays this character."""
        return next((seat for seat in self.seats if seat.name == name), None)


class Seat:
    """A deck within its party. The rules about decks check this object.

    It answers questions that depend on the deck, the party and the box, such as which cards the deck needs. A seat may
    also stand for another list of cards. `holder` is then the title of the list, such as `rewards` or `late Kyra`.
    """

    def __init__(self, deck: PathfinderDeck, table: GameTable, holder: str = "") -> None:
        self.deck, self.table, self.facts, self.holder = deck, table, table.facts, holder
        self.box = table.box_of(deck.set, deck.adventure, deck.owns)
        self._from_box: dict[PathfinderCard, bool | None] = {}

    @property
    def name(self) -> str:
        """The character's name."""
        return self.deck.character.name

    @property
    def who(self) -> str:
        """The name of the cards' owner in messages; empty if the party has only one deck and no other cards."""
        return self.holder or ("" if self.table.alone and len(self.table.holders) == 1 else self.name)

    @property
    def open_box(self) -> bool:
        """True if the character may take cards from the box that are not Basic.

        That is so from adventure 3 on, except for a new character who does not replace a dead one.
        """
        joins = self.deck.stage == "new" and self.deck.after_death is False
        return self.deck.number >= OPEN_BOX_FROM and not joins

    @property
    def highest_from_box(self) -> int:
        """The highest adventure deck number that a card from the box may have if it is not Basic."""
        return self.deck.number - OPEN_BOX_BELOW

    def owned(self, card: PathfinderCard) -> bool:
        """Return True if the Owner trait of `card` names this character."""
        return card.owner is not None and name_key(card.owner) == name_key(self.deck.character.trait or self.name)

    def basic(self, card: PathfinderCard) -> bool | None:
        """Return True if `card` counts as Basic for this character, as cards that the character owns do.

        The result is None if it is unknown whether the card is Basic.
        """
        return True if self.owned(card) else card.basic

    def may_take(self, card: PathfinderCard) -> bool | None:
        """Return True if this character may take `card` from the box now; None if facts of the card are unknown.

        The result does not consider the rules on loot.
        """
        if card not in self._from_box:
            verdicts = [self._may_take_printing(each) for each in self.box.printings(card)]
            self._from_box[card] = True if True in verdicts else None if None in verdicts else False
        return self._from_box[card]

    def _may_take_printing(self, card: PathfinderCard) -> bool | None:
        if self.basic(card):
            return True
        # The section "Between Games" of Rise of the Runelords lists the base set, the Character Add-On Deck and the
        # adventure decks, which excludes promotional cards. Mummy's Mask allows any card with a low enough number, and
        # counts a letter as 0.
        open_box = self.open_box and (card.deck != "P" or SETS[self.deck.set].open_to_promos)
        if open_box and card.number is not None and card.number <= self.highest_from_box:
            return True
        unknown = self.basic(card) is None or (open_box and card.number is None)
        return None if unknown else False

    def gives(self, card: PathfinderCard) -> bool | None:
        """Return True if this character may take `card` from the box now and its adventure deck has been added to the
        box.

        The result is None if facts of the card are unknown, or if it is a promotional card that the players may not own
        or that is not in the box yet. The result is also None for loot, because the rulebook contradicts itself about
        loot.
        """
        allowed = self.may_take(card) if self.box.begun(card) else False
        no_promos = self.deck.adventure == "B" or "P" not in (self.deck.owns or ())
        if allowed and not self.owned(card) and (card.loot or (card.deck == "P" and no_promos)):
            return None
        return allowed

    @cached_property
    def places(self) -> dict[str, tuple[int, str]]:
        """The number of cards of each type that the deck must contain, each with a text that says how it adds up.

        Feats do not count in a new deck. A checked box that does not exist on the Cards List adds no card; another
        check reports it.
        """
        deck, places = self.deck, {}
        for kind in CARD_TYPES:
            base = deck.character.base(kind)
            if deck.stage == "new":
                places[kind] = base, ""
                continue
            feats, most = len(deck.card_feats.get(kind, ())), deck.character.cards_list[kind].maximum
            if most is not None:
                feats = min(feats, most - base)
            change = deck.deck_adjustments.get(kind, 0) if SETS[deck.set].roles_adjust and deck.role else 0
            parts = [str(base)]
            if feats:
                parts.append(counted(feats, "card feat"))
            if change:
                parts.append(f"{change:+} from the role card")
            places[kind] = max(0, base + feats + change), f" ({' and '.join(parts)})" if len(parts) > 1 else ""
        return places

    def wanted(self, kind: str) -> int:
        """Return the number of cards of a type that the deck must contain."""
        return self.places[kind][0]

    @cached_property
    def lines(self) -> dict[str, Cards]:
        """The deck's cards, grouped by the type under which the Cards List counts them."""
        return self.in_lines(self.deck.cards)

    def in_lines(self, cards: Iterable[PathfinderCard]) -> dict[str, Cards]:
        """Return the cards, grouped by the type under which the Cards List would count them.

        A card counts as its own type. If the character card lets cards of one type count as another, surplus cards of
        the first type do so.
        """
        lines: dict[str, list[PathfinderCard]] = {kind: [] for kind in CARD_TYPES}
        for card in cards:
            if card.type in lines:
                lines[card.type].append(card)
        for counts_as in self.deck.character.counts_as:
            too_many = len(lines[counts_as.type]) - self.wanted(counts_as.type)
            for card in [card for card in lines[counts_as.type] if counts_as.fits(card)][: max(0, too_many)]:
                lines[counts_as.type].remove(card)
                lines[counts_as.counts_as].append(card)
        return {kind: tuple(line) for kind, line in lines.items()}

    def filled_lines(self) -> list[tuple[str, Cards, int]]:
        """Return each type of the Cards List with the cards that count as it and the number required."""
        return [(kind, cards, self.wanted(kind)) for kind, cards in self.lines.items()]

    def serves(self, card: PathfinderCard, instead: PathfinderCard) -> bool:
        """Return True if `card` can replace the card `instead`, because the deck then still fits the Cards List.

        The two cards have the same type, unless the character card lets cards of one type count as another. Only
        another copy can replace a card that the character card requires.
        """
        required = instead.name in self.deck.character.must_hold and card.name != instead.name
        if required and names(self.deck.cards).count(instead.name) <= 1:
            return False
        if not self.deck.character.counts_as or instead not in self.deck.cards:
            return card.type == instead.type
        cards = list(self.deck.cards)
        cards[cards.index(instead)] = card
        swapped = self.in_lines(cards)
        return all(len(swapped[kind]) == len(line) for kind, line in self.lines.items())

    def built(self) -> Cards:
        """Return the cards in the deck before trades: without the cards received, and with the cards given away."""
        before = Counter(self.deck.cards)
        before.subtract(Counter(self.deck.received))
        before.update(Counter(self.deck.gave))
        return tuple((+before).elements())

    def taken_from_box(self) -> Cards:
        """Return the cards that came from the box.

        These are all cards of a new deck before trades. For a rebuilt deck, they are the cards under `from_box`.
        """
        return self.built() if self.deck.stage == "new" else self.deck.from_box or ()

    def must_leave(self, card: PathfinderCard) -> bool:
        """Return True if the deck cannot keep `card`, because another rule does not allow the card in it."""
        stranger = card.set != self.deck.set and card.class_deck is None and not self.box.mixed_in(card.set)
        barred = self.may_take(card) is False and card in self.taken_from_box()
        return stranger or barred or not self.box.begun(card)

    def in_reach(self, card: PathfinderCard) -> bool:
        """Return True if the deck can get a copy of `card`: another deck or the party's other cards have one, or the box
        gives it to this character.
        """
        others = (card for seat in self.table.holders if seat is not self for card in seat.deck.cards)
        if self.table.spare[card] or card in self.deck.gave or card in others:
            return True
        copies = self.box.copies(card)
        left = card not in self.table.removed if copies is None else copies > self.table.out_of_the_box[card]
        return left and self.gives(card) is True

    def spare_for(self, kind: str) -> list[str]:
        """Name the cards that the party still has and that can count as `kind` in this deck.

        A name is repeated for each copy.
        """
        may_fill = self.deck.character.may_fill
        return [
            card.name for card in self.table.spare.elements() if kind in may_fill(card) and not self.must_leave(card)
        ]

    def candidates(self, kind: str, number: int = 1, instead_of: PathfinderCard | None = None) -> tuple[str, ...]:
        """Suggest cards of the type `kind` that this character may take from the box, and return their names.

        Cards of the suggested deck come first. At least one copy of each suggested card is still in the box. If the
        number of copies is unknown, cards that the deck does not contain yet come first. `number` is the number of
        cards needed. If there are fewer different cards, names are repeated, once for each copy.

        `instead_of` is the card to exchange, which is not suggested. If the deck must exchange several cards, the
        suggestions for each of them begin with a different card, so that no copy is suggested twice.
        """
        spare = [(card.name, copies) for card, copies in self._copies_left(kind)]
        copies_left = [
            name for name, copies in spare for _ in range(copies) if not instead_of or name != instead_of.name
        ]
        if instead_of and copies_left:
            others = list(dict.fromkeys(card for card in self.deck.of_type(kind) if self.must_leave(card)))
            before = others[: others.index(instead_of)] if instead_of in others else []
            skipped = sum(map(self.deck.cards.count, before)) % len(copies_left)
            copies_left = copies_left[skipped:] + copies_left[:skipped]
        distinct = list(dict.fromkeys(copies_left))
        return tuple(distinct[: max(5, number)] if len(distinct) >= number else copies_left[:number])

    def _copies_left(self, kind: str) -> list[tuple[PathfinderCard, int]]:
        """Return the cards of the type `kind` that the character may take from the box, each with its copies left.

        The number is 1 if the number of copies is unknown.
        """
        in_deck = Counter(card.name for card in self.deck.cards)
        first = names(self.facts.suggested_for(self.deck.character))
        spare: list[tuple[PathfinderCard, int]] = []
        for card in self.facts.of_set(self.deck.set):
            if kind in self.deck.character.may_fill(card) and self.gives(card):
                in_box = any(self.box.holds(card, product) for product in card.products)
                copies = self.box.copies(card) if in_box else 0
                left = 1 if copies is None else copies - in_deck[card.name]
                if left > 0:
                    spare.append((card, left))

        def order(each: tuple[PathfinderCard, int]) -> tuple[bool, int, bool, str]:
            card = each[0]
            perhaps_none_left = in_deck[card.name] > 0 and self.box.copies(card) is None
            place = first.index(card.name) if card.name in first else len(first)
            return perhaps_none_left, place, card.type != kind, card.name

        return sorted(spare, key=order)

    def earnable(self, kind: FeatKind) -> int:
        """Return the number of feats of a kind that a character who played all games so far can have; 0 in a new deck.

        The number counts the rewards that `rewards` yields.
        """
        return sum(gives.feats.get(kind, 0) for gives in self.rewards()) if self.deck.stage == "rebuilt" else 0

    def rewards(self) -> Iterator[RewardGives]:
        """Yield all rewards that the party can have gained so far.

        These are the rewards from all earlier adventures, and from the current adventure up to the scenario
        `after_scenario`. If the file does not give `after_scenario`, all rewards of the current adventure count.
        """
        for adventure in self.facts.adventures.get(self.deck.set, ()):
            order = ADVENTURES.index(adventure.deck)
            played = len(adventure.scenarios)
            if order == self.deck.number and self.deck.after_scenario is not None:
                played = self.deck.after_scenario
            if order <= self.deck.number:
                yield from adventure.scenarios[:played]
                if played >= len(adventure.scenarios):
                    yield adventure.reward

    def gives_later(self) -> Iterator[RewardGives]:
        """Yield the rewards that the party cannot have gained yet."""
        gained = list(self.rewards())
        for adventure in self.facts.adventures.get(self.deck.set, ()):
            for gives in (*adventure.scenarios, adventure.reward):
                if gives not in gained:
                    yield gives


def seat_of(deck: PathfinderDeck, facts: Facts) -> Seat:
    """Return the seat of a deck that is checked alone, in a party with no other deck."""
    return GameTable([deck], facts).seats[0]
