"""Rules on products and sets: which cards are in the box during an adventure, and which products the players own."""

from __future__ import annotations

from collections import Counter

from kb.decks.names import both, counted_names, either, name_key
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Advice, ListUnder, Remedy, Remove, Set
from kb.games.pathfinder.decks.access import distinct
from kb.games.pathfinder.decks.facts import ADVENTURES, SET_TITLES, PathfinderCard, names, product_title, sets_where
from kb.games.pathfinder.decks.rulesets import card_rule, deck_rule, exchange
from kb.games.pathfinder.decks.table import CLASS_DECKS, Seat


def change(seat: Seat, card: PathfinderCard, number: int) -> tuple[Remedy, ...]:
    """Return the remedy for `number` copies of a card that are not allowed: exchange them in a deck, or remove them."""
    if seat.holder or seat.table.rebuilding:
        return (Remove(number, (card.name,) * number, who=seat.who),)
    return (exchange(seat, card, number),)


@card_rule("completing-an-adventure", "set-indicators", family="pool")
def adventure_has_begun(seat: Seat) -> Problems:
    """No card has the number of an adventure deck that is not in the box yet. This includes cards of Class Decks."""
    for card, number in Counter(seat.deck.cards).items():
        if not seat.box.begun(card):
            what = "a card from adventure deck"
            if card.class_deck:
                what = f"a card from the {card.class_deck} Class Deck with the number"
            yield Problem(
                f"{card.name} is {what} {card.number}, which is not in the box during adventure {seat.deck.adventure}.",
                cards=(card.name,),
                remedies=(*change(seat, card, number), Set("adventure")),
            )


@card_rule(
    "promotional-cards", "pathfinder/mm/owner-trait", family="pool", sets=sets_where(lambda each: each.open_to_promos)
)
def promos_wait(seat: Seat) -> Problems:
    """A promotional card stays out of the game until adventure 1 begins, unless the character in its Owner trait is
    played.
    """
    if seat.deck.adventure != "B":
        return
    for card, number in Counter(seat.deck.cards).items():
        if card.deck == "P" and not seat.owned(card):
            yield Problem(
                f"{card.name} is a promotional card; it is not added to the game before adventure 1 begins.",
                cards=(card.name,),
                remedies=change(seat, card, number),
            )


@card_rule("promotional-cards", family="pool", severity="note", sets=sets_where(lambda each: not each.open_to_promos))
def promos_are_not_mentioned(seat: Seat) -> Problems:
    """The rulebook of this set does not mention promotional cards, so the players decide when to use them."""
    promos = [card.name for card in distinct(seat.deck.cards) if card.deck == "P"]
    if promos:
        rule = "Mummy's Mask lets an owner use a promotional card at once, but others only from adventure 1"
        yield Problem(
            f"{both(promos)}: the rulebook says nothing about promotional cards. {rule}.",
            cards=tuple(promos),
            remedies=(Advice("agree with your group when these cards are added to the game"),),
        )


@card_rule(
    "pathfinder/mm/class-decks",
    "card-sets",
    family="pool",
    severity="note",
    sets=sets_where(lambda each: not each.class_decks),
)
def class_decks_are_newer(seat: Seat) -> Problems:
    """The rulebook of this set does not cover Class Decks, so kb checks their cards by the rule of Mummy's Mask."""
    newer = [seat.name] if seat.deck.character.class_deck and not seat.holder else []
    newer += [card.name for card in distinct(seat.deck.cards) if card.class_deck]
    if newer:
        yield Problem(
            f"{both(newer)}: from Class Decks, which kb checks by the rule of Mummy's Mask.", cards=tuple(newer)
        )


@card_rule("card-sets", "organizing-the-box", "pathfinder/mm/class-decks", family="pool")
def owned_products(seat: Seat) -> Problems:
    """The character and all cards come from products that the players own, if the deck file lists these products."""
    owns = seat.deck.owns
    if owns is None:
        return
    who = seat.deck.character
    if who.own:
        where = f"the {who.class_deck} Class Deck" if who.class_deck and CLASS_DECKS not in owns else ""
        lacking = CLASS_DECKS
    else:
        where = "" if who.product in owns else product_title(who.product)
        lacking = who.product
    if where and not seat.holder:
        yield Problem(
            f"{seat.name} is a character from {where}, which is not among the products owned.",
            at=At("owns"),
            remedies=(ListUnder("owns", (product_word(lacking),)), Advice("choose another character")),
            names_owner=True,
        )
    for card, number in Counter(seat.deck.cards).items():
        if card.set != seat.deck.set or not seat.box.begun(card) or len(seat.box.printings(card)) > 1:
            continue
        products = (CLASS_DECKS,) if card.class_deck else card.products or ((card.deck,) if card.deck else ())
        if not owns & {*products}:
            where = f"the {card.class_deck} Class Deck" if card.class_deck else either(map(product_title, products))
            yield Problem(
                f"{card.name} is in {where}, which is not among the products owned.",
                cards=(card.name,),
                remedies=(*change(seat, card, number), ListUnder("owns", (product_word(products[0]),))),
            )


def product_word(product: str) -> str:
    """Return a product as a deck file writes it, such as `base`, `add-on` or `3`."""
    return {"B": "base", "C": "add-on", "P": "promo"}.get(product, product)


@deck_rule("put-the-adventure-path-card-faceup", "completing-an-adventure", severity="warning")
def adventure_is_owned(seat: Seat) -> Problems:
    """The players own the adventure deck that is being played, if the deck file lists the products that they own."""
    owns, adventure = seat.deck.owns, seat.deck.adventure
    if owns is not None and adventure not in owns:
        have = tuple(number for number in ADVENTURES if number in owns)
        yield Problem(
            f"Adventure {adventure} is being played, but its deck is not among the products owned.",
            at=At("owns"),
            remedies=(
                ListUnder("owns", (product_word(adventure),)),
                *((Set("adventure", choices=have),) if have else ()),
            ),
        )


@deck_rule("pathfinder/mm/cohorts", "cards-list", family="required")
def cohorts_of_the_character(seat: Seat) -> Problems:
    """A character has only the cohorts that the Cards List names. Cohorts do not count as cards in the deck. No
    character of the base sets has a cohort.
    """
    listed = {name_key(name) for name in seat.deck.character.cohorts}
    for name in seat.deck.cohorts:
        if name_key(name) not in listed:
            yield Problem(
                f"{name} is not a cohort on the list of {seat.name}.",
                cards=(name,),
                at=At("cohorts"),
                remedies=(Remove(1, (name,), pile="cohorts"),),
            )


MOST_NAMED_ALONE = 4  # more cards of another set are reported as a single problem


@card_rule("card-sets", "organizing-the-box", family="pool", sets=sets_where(lambda each: not each.compatibility))
def cards_of_another_set(seat: Seat) -> Problems:
    """Every card is from the set that is played, from a set whose box is mixed in (see `owns:`), or from a Class Deck."""
    yield from foreign(seat)


@card_rule(
    "compatibility-with-other-sets",
    "organizing-the-box",
    family="pool",
    sets=sets_where(lambda each: each.compatibility),
)
def cards_from_another_set(seat: Seat) -> Problems:
    """Every card is from the set that is played, from a compatible set whose box is mixed in, or from a Class Deck."""
    yield from foreign(seat)


def foreign(seat: Seat) -> Problems:
    """Yield the problems with cards from another set. The problems are notes if the deck file says that the other set's
    box is mixed in.
    """
    deck = seat.deck
    cards = [card for card in distinct(deck.cards) if card.set != deck.set and card.class_deck is None]
    own = SET_TITLES[deck.set]
    for set_id in dict.fromkeys(card.set for card in cards):
        strangers = [card for card in cards if card.set == set_id]
        named, other = tuple(names(strangers)), SET_TITLES.get(set_id, set_id)
        mix = ListUnder("owns", (set_id,), why="if your group mixes the boxes")
        if seat.box.mixed_in(set_id):
            yield Problem(
                f"{counted_names(named)}: from {other}, mixed into the box of {own}. The rules of {own} apply to them.",
                cards=named,
                severity="note",
            )
        elif len(strangers) > MOST_NAMED_ALONE:
            message = (
                f"{len(strangers)} cards in the deck are from {other}, but {seat.name} is a character from {own}: "
                f"{counted_names(named)}."
            )
            same_name = seat.facts.called(seat.name, set_id) and not seat.holder
            meant: Remedy = Advice(f"choose a character from {other}, or cards from {own}")
            if same_name:
                meant = Set("set", set_id, why=f"if you mean {seat.name} from {other}")
            yield Problem(message, cards=named, remedies=(meant, mix))
        else:
            for card in strangers:
                yield Problem(
                    f"{card.name} is a card from {other}, not from {own}.",
                    cards=(card.name,),
                    remedies=(*change(seat, card, deck.cards.count(card)), mix),
                )
