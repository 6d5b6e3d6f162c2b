"""The party: the decks of the players, and all other cards outside the box. Every rule checks one; a single deck is a
party of one.
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

# Between Games and Dying, both rulebooks: from this adventure on, cards that are not Basic may come from the box if
# their number is at least this much lower than the number of the adventure being played.
OPEN_BOX_FROM = 3
OPEN_BOX_BELOW = 2
CLASS_DECKS = "class decks"


class GameBox:
    """The products in the box during an adventure: printings and copies of cards, computed once."""

    def __init__(self, facts: Facts, set_id: str, adventure: str, owns: frozenset[str] | None) -> None:
        self.facts, self.set, self.adventure, self.owns = facts, set_id, adventure, owns
        self.number = ADVENTURES.index(adventure)
        self._printings: dict[PathfinderCard, Cards] = {}
        self._copies: dict[PathfinderCard, int | None] = {}

    def mixed_in(self, set_id: str) -> bool:
        """Return True if the box of another set is mixed in (the deck file lists it under `owns`)."""
        return set_id != self.set and set_id in (self.owns or ())

    @property
    def has_class_decks(self) -> bool:
        """Return True if Class Decks are owned, as far as the deck file says."""
        return self.owns is None or CLASS_DECKS in self.owns

    def printings(self, card: PathfinderCard) -> Cards:
        """Return the card, and the cards with its name in another box that is mixed in or in a Class Deck of the
        user's.

        The name in a deck file may mean any of them.
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
        """Return True if the adventure deck of the card has been added to the box by now (or if its number is
        unknown).
        """
        return any(each.number is None or each.number <= self.number for each in self.printings(card))

    def holds(self, card: PathfinderCard, product: str) -> bool:
        """Return True if the cards of a product of the card's set are in the box by now: its adventure has begun, and
        it is owned (if products are listed).
        """
        begun = product not in ADVENTURES[1:] or int(product) <= self.number
        if card.class_deck is not None:
            return begun and self.has_class_decks
        return begun and (self.owns is None or (product if card.set == self.set else card.set) in self.owns)

    def copies(self, card: PathfinderCard) -> int | None:
        """Return the number of copies of a card in all products in the box; None if unknown."""
        if card not in self._copies:
            known = [self._copies_of(each) for each in self.printings(card)]
            self._copies[card] = None if None in known else sum(number or 0 for number in known)
        return self._copies[card]

    def _copies_of(self, card: PathfinderCard) -> int | None:
        """Return the copies of one printing. A number that the user entered takes precedence, minus copies in products
        that are not in the box yet.
        """
        by_product = [(number, self.holds(card, product)) for product, number in card.copies]
        counts = [number for number, in_box in by_product if in_box] if by_product else [None]
        products = None if None in counts else sum(number or 0 for number in counts)
        owned = None if card.class_deck is not None else self.facts.owned.get((card.set, name_key(card.name)))
        if owned is None or products is None:
            return products if owned is None else owned
        return owned if all(in_box for _, in_box in by_product) else min(owned, products)


class GameTable:
    """The decks of one party, and all other cards outside the box.

    decks: at least one, in the order of the players. piles: other cards by holder, such as `rewards`. removed: cards
    that are out of the game. rebuilding: the members' cards are not their decks yet.
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
        """Everybody and everything that holds cards: the decks first, then the other piles."""

    @property
    def decks(self) -> list[PathfinderDeck]:
        """Return the decks of the players."""
        return [seat.deck for seat in self.seats]

    @property
    def set(self) -> str:
        """Return the set whose rulebook applies: the first deck's set."""
        return self.seats[0].deck.set

    @property
    def pile_key(self) -> str:
        """Return the key that a file uses for the cards of a member."""
        return "pool" if self.rebuilding else "cards"

    @property
    def alone(self) -> bool:
        """Return True if it is the party of a single deck."""
        return len(self.seats) == 1

    @cached_property
    def box(self) -> GameBox:
        """The box of the party: for the latest adventure in the decks, with the products that all decks list as owned."""
        owned = [deck.owns for deck in self.decks if deck.owns is not None]
        owns = frozenset[str]().union(*owned) if len(owned) == len(self.seats) else None
        return self.box_of(self.set, max((deck.adventure for deck in self.decks), key=ADVENTURES.index), owns)

    def box_of(self, set_id: str, adventure: str, owns: frozenset[str] | None) -> GameBox:
        """Return the box of a set during an adventure, with the products owned."""
        at = set_id, adventure, owns
        if at not in self._boxes:
            self._boxes[at] = GameBox(self.facts, *at)
        return self._boxes[at]

    @cached_property
    def out_of_the_box(self) -> Counter[PathfinderCard]:
        """The cards outside the box."""
        held = Counter(card for seat in self.holders for card in seat.deck.cards)
        held.update(self.removed)
        return held

    @cached_property
    def spare(self) -> Counter[PathfinderCard]:
        """The cards of the party that went into no deck, as the deck files say.

        Every file may list the cards that the whole party left over, so the longest list counts. Cards that a member
        had and did not keep or give away also count.
        """
        listed, own = Counter[PathfinderCard](), Counter[PathfinderCard]()
        for deck in self.decks:
            listed |= Counter(deck.left_over)
            own += deck.not_kept()
        return listed | own

    def seat(self, name: str) -> Seat | None:
        """Return the seat of a character; None if nobody plays it."""
        return next((seat for seat in self.seats if seat.name == name), None)


class Seat:
    """One deck of a party, or another pile of cards, with the requirements of the rules; each fact is computed once.

    holder: the holder of the cards, if it is not a player: `rewards`, `late Kyra`.
    """

    def __init__(self, deck: PathfinderDeck, table: GameTable, holder: str = "") -> None:
        self.deck, self.table, self.facts, self.holder = deck, table, table.facts, holder
        self.box = table.box_of(deck.set, deck.adventure, deck.owns)
        self._from_box: dict[PathfinderCard, bool | None] = {}

    @property
    def name(self) -> str:
        """Return the character's name."""
        return self.deck.character.name

    @property
    def who(self) -> str:
        """Return the owner of the cards if several have some; empty for a party of one deck."""
        return self.holder or ("" if self.table.alone and len(self.table.holders) == 1 else self.name)

    @property
    def open_box(self) -> bool:
        """Return True if cards from the box no longer need to be Basic. This excludes a new character who replaces
        nobody.
        """
        joins = self.deck.stage == "new" and self.deck.after_death is False
        return self.deck.number >= OPEN_BOX_FROM and not joins

    @property
    def highest_from_box(self) -> int:
        """Return the highest adventure deck number of a card that is not Basic and may come from the box now."""
        return self.deck.number - OPEN_BOX_BELOW

    def owned(self, card: PathfinderCard) -> bool:
        """Return True if this character is the Owner of the card."""
        return card.owner is not None and name_key(card.owner) == name_key(self.deck.character.trait or self.name)

    def basic(self, card: PathfinderCard) -> bool | None:
        """Return True if the card counts as Basic for this character; None if unknown."""
        return True if self.owned(card) else card.basic

    def may_take(self, card: PathfinderCard) -> bool | None:
        """Return True if this character may take the card from the box now, unless it is loot; None if unknown."""
        if card not in self._from_box:
            verdicts = [self._may_take_printing(each) for each in self.box.printings(card)]
            self._from_box[card] = True if True in verdicts else None if None in verdicts else False
        return self._from_box[card]

    def _may_take_printing(self, card: PathfinderCard) -> bool | None:
        if self.basic(card):
            return True
        # Between Games: Rise of the Runelords lists base set, Character Add-On Deck and adventure decks, so it excludes promotional
        # cards; Mummy's Mask allows any card with a low enough number, and a letter counts as 0 there.
        open_box = self.open_box and (card.deck != "P" or SETS[self.deck.set].open_to_promos)
        if open_box and card.number is not None and card.number <= self.highest_from_box:
            return True
        unknown = self.basic(card) is None or (open_box and card.number is None)
        return None if unknown else False

    def gives(self, card: PathfinderCard) -> bool | None:
        """Return True if the box gives this character the card now.

        None means that its facts are unknown, it is a promotional card that may not be owned (or not be in the box
        yet), or it is loot, on which the rulebook contradicts itself.
        """
        allowed = self.may_take(card) if self.box.begun(card) else False
        no_promos = self.deck.adventure == "B" or "P" not in (self.deck.owns or ())
        if allowed and not self.owned(card) and (card.loot or (card.deck == "P" and no_promos)):
            return None
        return allowed

    @cached_property
    def places(self) -> dict[str, tuple[int, str]]:
        """The number of cards of each type that the deck must contain, with its derivation; a new deck has no feats.

        A checked box that the list does not have adds no card; a separate check reports it.
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
        """The deck's cards by the line of the Cards List that they fill."""
        return self.in_lines(self.deck.cards)

    def in_lines(self, cards: Iterable[PathfinderCard]) -> dict[str, Cards]:
        """Return cards by the line of the Cards List that they would fill.

        A card fills the line of its type. Surplus cards of a type fill the line that they count as for this character.
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
        """Return the lines of the Cards List, each with its cards and the required number."""
        return [(kind, cards, self.wanted(kind)) for kind, cards in self.lines.items()]

    def serves(self, card: PathfinderCard, instead: PathfinderCard) -> bool:
        """Return True if a card can replace another in the deck because it fills the same line of the Cards List.

        That is the line of its type, unless the character card lets one of the two count as another type.
        """
        if not self.deck.character.counts_as or instead not in self.deck.cards:
            return card.type == instead.type
        cards = list(self.deck.cards)
        cards[cards.index(instead)] = card
        swapped = self.in_lines(cards)
        return all(len(swapped[kind]) == len(line) for kind, line in self.lines.items())

    def built(self) -> Cards:
        """Return the cards of the deck before trading: cards received are removed, and cards given are added."""
        before = Counter(self.deck.cards)
        before.subtract(Counter(self.deck.received))
        before.update(Counter(self.deck.gave))
        return tuple((+before).elements())

    def taken_from_box(self) -> Cards:
        """Return the cards that came from the box: all of a new deck, or else those that the file lists."""
        return self.built() if self.deck.stage == "new" else self.deck.from_box or ()

    def must_leave(self, card: PathfinderCard) -> bool:
        """Return True if a card has to leave the deck in any case."""
        stranger = card.set != self.deck.set and card.class_deck is None and not self.box.mixed_in(card.set)
        barred = self.may_take(card) is False and card in self.taken_from_box()
        return stranger or barred or not self.box.begun(card)

    def spare_for(self, kind: str) -> list[str]:
        """Return the names of cards that the party still has and that fill a line of this deck, one for each copy."""
        may_fill = self.deck.character.may_fill
        return [
            card.name for card in self.table.spare.elements() if kind in may_fill(card) and not self.must_leave(card)
        ]

    def candidates(self, kind: str, number: int = 1, instead_of: PathfinderCard | None = None) -> tuple[str, ...]:
        """Return names of cards of a type of which this character may take `number` from the box, starting with cards
        of the suggested deck.

        Every name has a copy left in the box; if the number is unknown, cards not yet held go first. `instead_of` is
        the card to exchange: it is not named itself. If several cards have to go, each gets other names first, so that
        no copy is promised twice. If there are fewer names than cards to take, names repeat, once for each copy.
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
        """Return cards of a type that may be taken now, each with its copies left (1 if the number is unknown)."""
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
        """Return the greatest number of feats of a kind for a character who played everything so far; 0 for a new
        character.

        It counts the rewards of all earlier adventures, and the rewards of the current adventure up to
        `after_scenario`. If the file does not give `after_scenario`, all of them count, including the adventure's own
        reward.
        """
        return sum(gives.feats.get(kind, 0) for gives in self.rewards()) if self.deck.stage == "rebuilt" else 0

    def rewards(self) -> Iterator[RewardGives]:
        """Yield all rewards that the party can have gained so far."""
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
        """Yield the rewards that the party can gain only later."""
        gained = list(self.rewards())
        for adventure in self.facts.adventures.get(self.deck.set, ()):
            for gives in (*adventure.scenarios, adventure.reward):
                if gives not in gained:
                    yield gives


def seat_of(deck: PathfinderDeck, facts: Facts) -> Seat:
    """Return the seat of a deck that is checked alone, as a party of one."""
    return GameTable([deck], facts).seats[0]
