"""The rulesets of the two Pathfinder sets, and what their checks ask of a deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from kb.decks.names import counted_names, either, name_key
from kb.decks.problems import Check, Rule
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    SET_TITLES,
    SETS,
    Card,
    Cards,
    Deck,
    Facts,
    FeatKind,
    Gives,
    names,
)

S = TypeVar("S")


def rules_of(rulesets: Mapping[str, Ruleset[S]]) -> Callable[..., Callable[[Rule[S]], Check[S]]]:
    """Return the decorator that registers a check in the rulesets of all sets, or of `sets`, and returns it.

    A citation without a slash is an entry of the set itself: `cards-list` is `pathfinder/rotr/cards-list` in the one and
    `pathfinder/mm/cards-list` in the other. `how` is as `Ruleset.check` takes it.
    """

    def rule(*cites: str, sets: Iterable[str] = tuple(SETS), **how: Any) -> Callable[[Rule[S]], Check[S]]:
        def register(run: Rule[S]) -> Check[S]:
            checks = []
            for set_id in sets:
                entries = [cite if "/" in cite else f"pathfinder/{set_id}/{cite}" for cite in cites]
                checks.append(rulesets[set_id].check(*entries, **{"family": "campaign", **how})(run))
            return checks[0]  # equal to those of the other sets: the same rule of the same game

        return register

    return rule


RULESETS = {set_id: Ruleset["Subject"]("pathfinder", title) for set_id, title in SET_TITLES.items()}
rule = rules_of(RULESETS)

# Between Games and Dying, both rulebooks: from this adventure on the box is open to more than Basic cards,
# and only those this much lower than the adventure being played.
OPEN_BOX_FROM = 3
OPEN_BOX_BELOW = 2
CLASS_DECKS = "class decks"


@frozen
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
        """Whether cards from the box need not be Basic any more: not for a new character who replaces nobody."""
        joins = self.deck.stage == "new" and self.deck.after_death is False
        return self.deck.number >= OPEN_BOX_FROM and not joins

    @property
    def highest_from_box(self) -> int:
        """Highest adventure deck number of a card that is not Basic and may come from the box now."""
        return self.deck.number - OPEN_BOX_BELOW

    def owned(self, card: Card) -> bool:
        """Whether this character is the Owner of the card."""
        return card.owner is not None and name_key(card.owner) == name_key(self.deck.character.trait or self.name)

    def basic(self, card: Card) -> bool | None:
        """Whether the card counts as Basic for this character; None when nobody knows."""
        return True if self.owned(card) else card.basic

    def mixed_in(self, set_id: str) -> bool:
        """Whether the box of another set is mixed in (the deck file lists it among what is owned)."""
        return set_id != self.deck.set and set_id in (self.deck.owns or ())

    def printings(self, card: Card) -> Cards:
        """The card, and the card of its name in another box that is mixed in or in a Class Deck of the user's: whoever names it
        may take either."""
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

    @property
    def has_class_decks(self) -> bool:
        """Whether Class Decks are owned, as far as the deck file says."""
        return self.deck.owns is None or CLASS_DECKS in self.deck.owns

    def from_box(self, card: Card) -> bool | None:
        """Whether this character may take the card from the box now, loot left aside; None when nobody knows."""
        verdicts = [self._printing_from_box(each) for each in self.printings(card)]
        return True if True in verdicts else None if None in verdicts else False

    def _printing_from_box(self, card: Card) -> bool | None:
        if self.basic(card):
            return True
        # Between Games: Rise of the Runelords names base set, Character Add-On Deck and adventure decks, so no promotional
        # card; Mummy's Mask takes whatever is numbered low enough, and a letter counts as 0 there.
        open_box = self.open_box and (card.deck != "P" or SETS[self.deck.set].open_to_promos)
        if open_box and card.number is not None and card.number <= self.highest_from_box:
            return True
        unknown = self.basic(card) is None or (open_box and card.number is None)
        return None if unknown else False

    def gives(self, card: Card) -> bool | None:
        """Whether the box gives this character the card now. None: its facts are not known, it is a promotional card of which nobody says
        that the table owns it (or that it is in the box by now), or it is loot, of which the rulebook says both."""
        allowed = self.from_box(card) if self.begun(card) else False
        no_promos = self.deck.adventure == "B" or "P" not in (self.deck.owns or ())
        if allowed and not self.owned(card) and (card.loot or (card.deck == "P" and no_promos)):
            return None
        return allowed

    def begun(self, card: Card) -> bool:
        """Whether the adventure deck of the card has been added to the box by now (it has when its number is unknown)."""
        return any(each.number is None or each.number <= self.deck.number for each in self.printings(card))

    def in_box(self, card: Card, product: str) -> bool:
        """Whether the cards of a product of the card's set are in the box by now: it has begun, and is owned (where said)."""
        begun = product not in ADVENTURES[1:] or int(product) <= self.deck.number
        owns = self.deck.owns
        if card.class_deck is not None:
            return begun and self.has_class_decks
        return begun and (owns is None or (product if card.set == self.deck.set else card.set) in owns)

    def copies(self, card: Card) -> int | None:
        """Copies of the card in the box and the decks together; None when unknown."""
        known = [self._copies_of(each) for each in self.printings(card)]
        return None if None in known else sum(number or 0 for number in known)

    def _copies_of(self, card: Card) -> int | None:
        """Copies of one printing. What the user owns counts, but for cards of products that are not in the box by now."""
        by_product = [(number, self.in_box(card, product)) for product, number in card.copies]
        counts = [number for number, in_box in by_product if in_box] if by_product else [None]
        products = None if None in counts else sum(number or 0 for number in counts)
        owned = None if card.class_deck is not None else self.facts.owned.get((card.set, name_key(card.name)))
        if owned is None or products is None:
            return products if owned is None else owned
        return owned if all(in_box for _, in_box in by_product) else min(owned, products)

    def built(self) -> Cards:
        """The cards of a deck as they were before it was traded from: without what was received, with what was given."""
        before = Counter(self.deck.cards)
        before.subtract(Counter(self.deck.received))
        before.update(Counter(self.deck.gave))
        return tuple((+before).elements())

    def taken_from_box(self) -> Cards:
        """The cards that came from the box: all that a new deck was built from, else those the file names."""
        return self.built() if self.deck.stage == "new" else self.deck.from_box or ()

    def spare(self) -> Counter[Card]:
        """Cards that the party had and that went into no deck."""
        return Counter(self.deck.left_over) | self.deck.not_kept()

    def must_leave(self, card: Card) -> bool:
        """Whether a card has to leave the deck, whatever else is done."""
        stranger = card.set != self.deck.set and card.class_deck is None and not self.mixed_in(card.set)
        barred = self.from_box(card) is False and card in self.taken_from_box()
        return stranger or barred or not self.begun(card)

    def alternatives(self, card_type: str, number: int = 1, instead_of: Card | None = None) -> str:
        """Names of cards of a type of which this character may take `number` from the box: those of the suggested deck first.

        Every name has a copy left in the box; where their number is unknown, cards not yet held go first. `instead_of` is the
        card to be exchanged: it is not named itself, and where several cards have to go, each is given other names first, so
        that no copy is promised twice. Where
        there are fewer names than cards to take, the copies are counted: `2x Blessing of the Gods`; nothing to take is ``.
        """
        spare = [(card.name, copies) for card, copies in self._spare_copies(card_type)]
        copies_left = [
            name for name, copies in spare for _ in range(copies) if not instead_of or name != instead_of.name
        ]
        if instead_of and copies_left:
            others = list(dict.fromkeys(card for card in self.deck.of_type(card_type) if self.must_leave(card)))
            before = others[: others.index(instead_of)] if instead_of in others else []
            skipped = sum(map(self.deck.cards.count, before)) % len(copies_left)
            copies_left = copies_left[skipped:] + copies_left[:skipped]
        distinct = list(dict.fromkeys(copies_left))
        return either(distinct[: max(5, number)]) if len(distinct) >= number else counted_names(copies_left[:number])

    def _spare_copies(self, card_type: str) -> list[tuple[Card, int]]:
        """Cards of a type that may be taken now, each with the copies left of it (1 where the number is unknown)."""
        in_deck = Counter(card.name for card in self.deck.cards)
        first = names(self.facts.suggested_for(self.deck.character))
        spare: list[tuple[Card, int]] = []
        for card in self.facts.of_set(self.deck.set):
            if card_type in self.deck.character.may_fill(card) and self.gives(card):
                copies = self.copies(card) if any(self.in_box(card, product) for product in card.products) else 0
                left = 1 if copies is None else copies - in_deck[card.name]
                if left > 0:
                    spare.append((card, left))

        def order(each: tuple[Card, int]) -> tuple[bool, int, bool, str]:
            card = each[0]
            perhaps_none_left = in_deck[card.name] > 0 and self.copies(card) is None
            place = first.index(card.name) if card.name in first else len(first)
            return perhaps_none_left, place, card.type != card_type, card.name

        return sorted(spare, key=order)

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
