"""Checks on which products are in the box by now, and on cohorts, which stand beside the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.decks.names import both, either, name_key, tally
from kb.decks.report import Problem
from kb.games.pathfinder.decks.access import distinct, exchange
from kb.games.pathfinder.decks.model import ADVENTURES, SET_TITLES, Card, product_title, sets_where
from kb.games.pathfinder.decks.ruleset import CLASS_DECKS, Subject, rule


@rule("completing-an-adventure", "set-indicators", family="pool")
def adventure_has_begun(subject: Subject) -> Iterator[Problem]:
    """No card is of an adventure deck (or of Class Deck cards of that number) that is not in the box yet."""
    for card, number in Counter(subject.deck.cards).items():
        if not subject.begun(card):
            what = (
                f"a card of the {card.class_deck} Class Deck with the number"
                if card.class_deck
                else "a card of adventure deck"
            )
            yield Problem(
                f"{card.name} is {what} {card.number}, which is not in the box during adventure {subject.deck.adventure}.",
                f"{exchange(subject, card, number)} Or correct `adventure:`.",
                (card.name,),
            )


@rule(
    "promotional-cards", "pathfinder/mm/owner-trait", family="pool", sets=sets_where(lambda each: each.open_to_promos)
)
def promos_wait(subject: Subject) -> Iterator[Problem]:
    """A promotional card stays out until adventure 1 begins, unless its Owner is played."""
    if subject.deck.adventure != "B":
        return
    for card, number in Counter(subject.deck.cards).items():
        if card.deck == "P" and not subject.owned(card):
            yield Problem(
                f"{card.name} is a promotional card; it is not added to the game before adventure 1 begins.",
                exchange(subject, card, number),
                (card.name,),
            )


@rule("promotional-cards", family="pool", severity="note", sets=sets_where(lambda each: not each.open_to_promos))
def promos_are_not_mentioned(subject: Subject) -> Iterator[Problem]:
    """The rulebook of Rise of the Runelords says nothing about promotional cards; the table decides."""
    names = [card.name for card in distinct(subject.deck.cards) if card.deck == "P"]
    if names:
        yield Problem(
            f"{both(names)}: the rulebook says nothing about promotional cards.",
            "Agree at the table. Mummy's Mask lets an owner use a promo at once and keeps others out until adventure 1.",
            tuple(names),
        )


@rule(
    "pathfinder/mm/class-decks",
    "card-sets",
    family="pool",
    severity="note",
    sets=sets_where(lambda each: not each.class_decks),
)
def class_decks_are_newer(subject: Subject) -> Iterator[Problem]:
    """The rulebook of Rise of the Runelords knows no Class Decks; their cards are checked by the rule of Mummy's Mask."""
    names = [subject.name] if subject.deck.character.class_deck else []
    names += [card.name for card in distinct(subject.deck.cards) if card.class_deck]
    if names:
        yield Problem(
            f"{both(names)}: of Class Decks, checked by the later rule.",
            "Nothing to do, if your table plays with Class Decks.",
            tuple(names),
        )


@rule("card-sets", "organizing-the-box", "pathfinder/mm/class-decks", family="pool")
def owned_products(subject: Subject) -> Iterator[Problem]:
    """Every card and the character come from a product that is owned (when the deck file says which are)."""
    owns = subject.deck.owns
    if owns is None:
        return
    who = subject.deck.character
    if who.own:
        if who.class_deck and CLASS_DECKS not in owns:
            yield Problem(
                f"{subject.name} is a character of the {who.class_deck} Class Deck; `owns:` lists no class decks.",
                "Choose another character, or add `class decks` to `owns:`.",
            )
    elif who.product not in owns:
        yield Problem(
            f"{subject.name} is a character of {product_title(subject.deck.character.product)}, which `owns:` does not list.",
            "Choose another character, or add the product to `owns:`.",
        )
    for card, number in Counter(subject.deck.cards).items():
        if card.set != subject.deck.set or not subject.begun(card) or len(subject.printings(card)) > 1:
            continue
        missing = [] if card.class_deck else [product for product in card.products if product not in owns]
        if card.class_deck and CLASS_DECKS not in owns:
            yield Problem(
                f"{card.name} is a card of the {card.class_deck} Class Deck; `owns:` lists no class decks.",
                f"{exchange(subject, card, number)} Or add `class decks` to `owns:`.",
                (card.name,),
            )
        elif card.products and len(missing) == len(card.products):
            where = either([product_title(product) for product in missing])
            yield Problem(
                f"{card.name} is in {where}, which `owns:` does not list.",
                f"{exchange(subject, card, number)} Or add the product to `owns:`.",
                (card.name,),
            )


@rule("put-the-adventure-path-card-faceup", "completing-an-adventure", family="campaign", severity="warning")
def adventure_is_owned(subject: Subject) -> Iterator[Problem]:
    """The adventure deck of the adventure being played is owned (when the deck file says which are)."""
    owns = subject.deck.owns
    if owns is not None and subject.deck.adventure not in owns:
        have = [number for number in ADVENTURES if number in owns]
        yield Problem(
            f"Adventure {subject.deck.adventure} is being played, but `owns:` does not list its deck.",
            f"Play {either(have)}, or add it to `owns:`." if have else "Add it to `owns:`.",
        )


@rule("pathfinder/mm/cohorts", "cards-list", family="required")
def cohorts_of_the_character(subject: Subject) -> Iterator[Problem]:
    """A cohort stands on the character's own list, outside the count of the deck; neither set has such a character."""
    listed = {name_key(name) for name in subject.deck.character.cohorts}
    for name in subject.deck.cohorts:
        if name_key(name) not in listed:
            yield Problem(
                f"{name} is not a cohort on the list of {subject.name}.",
                "Remove it, or play a character whose Cards List names it.",
                (name,),
            )


MOST_NAMED_ALONE = 4  # of one set; more than that is one mistake, not many


@rule("card-sets", "organizing-the-box", family="pool", sets=sets_where(lambda each: not each.compatibility))
def cards_of_another_set(subject: Subject) -> Iterator[Problem]:
    """Every card is of the set whose box is played, of a box mixed in (`owns:` lists it), or of a Class Deck."""
    yield from foreign(subject)


@rule(
    "compatibility-with-other-sets",
    "organizing-the-box",
    family="pool",
    sets=sets_where(lambda each: each.compatibility),
)
def cards_from_another_set(subject: Subject) -> Iterator[Problem]:
    """Every card is of the set whose box is played, of a box mixed in, or of a Class Deck; the sets are compatible."""
    yield from foreign(subject)


def foreign(subject: Subject) -> Iterator[Problem]:
    """Cards of another set: an error, or a note where the deck file says that its box is mixed in."""
    deck = subject.deck
    cards = [card for card in distinct(deck.cards) if card.set != deck.set and card.class_deck is None]
    own = SET_TITLES[deck.set]
    for set_id in dict.fromkeys(card.set for card in cards):
        found = [card for card in cards if card.set == set_id]
        names = tuple(card.name for card in found)
        other = SET_TITLES.get(set_id, set_id)
        if subject.mixed_in(set_id):
            yield Problem(
                f"{tally(names)}: of {other}, mixed into the box of {own}; the rules of {own} are applied to them.",
                "Nothing to do, if your group mixes the boxes.",
                names,
                "note",
            )
        elif len(found) > MOST_NAMED_ALONE:
            yield Problem(
                f"{len(found)} cards of the deck are of {other}, while {subject.name} is a character of {own}: {tally(names)}.",
                another_character(subject, set_id) + f"If your group mixes the boxes, add {set_id} to `owns:`.",
                names,
            )
        else:
            for card in found:
                yield stranger(subject, card, f"{card.name} is a card of {other}, not of {own}.")


def another_character(subject: Subject, set_id: str) -> str:
    """What to write when the deck is of another set: its character of that name, or any of its characters."""
    if (set_id, name_key(subject.name)) in subject.facts.characters:
        return f"{SET_TITLES[set_id]} has a character {subject.name} of its own: write `set: {set_id}` if that one is meant. "
    return f"Choose a character of {SET_TITLES[set_id]}, or cards of {SET_TITLES[subject.deck.set]}. "


def stranger(subject: Subject, card: Card, message: str) -> Problem:
    """A card of a set whose box is not there."""
    number = subject.deck.cards.count(card)
    return Problem(
        message,
        f"{exchange(subject, card, number)} If your group mixes the boxes, add {card.set} to `owns:`.",
        (card.name,),
    )
