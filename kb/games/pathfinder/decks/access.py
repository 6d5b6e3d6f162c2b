"""Checks on which cards may come from the box into a deck: Basic and Owner traits, adventure deck numbers, loot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.pathfinder.decks.model import SET_TITLES, Card
from kb.games.pathfinder.decks.ruleset import OPEN_BOX_BELOW, Subject, rule


def distinct(cards: Iterable[Card]) -> list[Card]:
    """Each card once, in order."""
    return list(dict.fromkeys(cards))


def of_this_set(subject: Subject, cards: Iterable[Card]) -> list[Card]:
    """Each card of the deck's own set once; cards of another set have a check of their own."""
    return [card for card in distinct(cards) if card.set == subject.deck.set]


def exchange(subject: Subject, card: Card) -> str:
    """What to take instead of a card."""
    options = subject.alternatives(card.type) if card.type else []
    return f"Exchange it, for instance for {either(options)}." if options else "Take another card."


def why_not(subject: Subject, card: Card) -> str:
    """Why a card may not come from the box."""
    trait = "is not Basic"
    if card.owner is not None:
        trait = f"counts as Basic for {card.owner} alone"
    if not subject.open_box:
        return f"{card.name} {trait}"
    label = f"of Class Deck level {card.deck}" if card.class_deck else f"of adventure deck {card.deck}"
    return f"{card.name} {trait} and is {label}, which is not at least {OPEN_BOX_BELOW} lower than {subject.deck.adventure}"


def barred(subject: Subject, cards: Iterable[Card]) -> Iterator[tuple[Card, str]]:
    """The cards of this set that may not come from the box, with the reason; loot has a check of its own."""
    for card in of_this_set(subject, cards):
        if subject.from_box(card) is False and not card.loot:
            yield card, why_not(subject, card)


@rule(
    "building-your-deck",
    "basic-trait",
    "starting-after-dying",
    "set-indicators",
    "pathfinder/mm/owner-trait",
    family="access",
)
def new_deck(subject: Subject) -> Iterator[Problem]:
    """A new deck holds only Basic cards and cards this character owns.

    Once the third adventure has begun, it may also hold any card of base set or Character Add-On Deck, and any card
    whose adventure deck number is at least 2 lower than that of the adventure being played.
    """
    if subject.deck.stage != "new":
        return
    for card, reason in barred(subject, subject.deck.cards):
        until = "" if subject.open_box else f" before {subject.opening_adventure}"
        yield Problem(f"{reason}: a new deck{until} may not hold it.", exchange(subject, card), (card.name,))


@rule("cards-from-the-box", "basic-trait", "set-indicators", "pathfinder/mm/owner-trait", family="access")
def cards_from_the_box(subject: Subject) -> Iterator[Problem]:
    """A card taken from the box when rebuilding is Basic or owned by this character.

    Once the third adventure has begun, it may also be any card of base set or Character Add-On Deck, and any card whose
    adventure deck number is at least 2 lower than that of the adventure being played.
    """
    if subject.deck.stage != "rebuilt":
        return
    for card, reason in barred(subject, subject.deck.from_box or ()):
        until = "" if subject.open_box else f" before {subject.opening_adventure}"
        yield Problem(f"{reason}: it may not be taken from the box{until}.", exchange(subject, card), (card.name,))


@rule("basic-trait", "building-your-deck", "cards-from-the-box", family="access", severity="warning")
def basic_is_known(subject: Subject) -> Iterator[Problem]:
    """For every card from the box the facts say whether it may be taken."""
    for card in of_this_set(subject, subject.taken_from_box()):
        if subject.from_box(card) is None and not card.loot:
            what = "has the Basic trait" if subject.basic(card) is None else "is of a deck low enough"
            yield Problem(
                f"Whether {card.name} {what} is not in the card facts.",
                f"Read it on the card: without it, {card.name} may not come from the box.",
                (card.name,),
            )


@rule("loot", "loot-reward", family="access")
def loot_is_a_reward(subject: Subject) -> Iterator[Problem]:
    """Loot is given out as a reward and never taken from the box, except by its Owner, for whom it counts as Basic."""
    for card in of_this_set(subject, subject.taken_from_box()):
        if card.loot and not subject.owned(card):
            where = "a new deck may not hold it" if subject.deck.stage == "new" else "it may not be taken from the box"
            yield Problem(
                f"{card.name} is loot, the reward of a scenario: {where}.", exchange(subject, card), (card.name,)
            )


@rule("loot", "loot-reward", "winning-the-scenario", family="campaign", severity="warning")
def loot_is_earned(subject: Subject) -> Iterator[Problem]:
    """Loot in a rebuilt deck is a reward of a scenario that has been played."""
    if subject.deck.stage != "rebuilt":
        return
    given = {name for gives in subject.rewards() for name in gives.loot}
    known = {name for every in subject.facts.adventures.get(subject.deck.set, ()) for name in every.reward.loot} | {
        name
        for every in subject.facts.adventures.get(subject.deck.set, ())
        for part in every.scenarios
        for name in part.loot
    }
    for card in of_this_set(subject, subject.deck.cards):
        begun = card.number is None or card.number <= subject.deck.number
        if card.loot and card.name in known - given and begun and not subject.owned(card):
            yield Problem(
                f"{card.name} is the reward of a later scenario.",
                "Remove it, or correct `adventure:` and `after_scenario:`.",
                (card.name,),
            )


@rule("card-sets", "organizing-the-box", family="pool", sets=("rotr",))
def cards_of_another_set(subject: Subject) -> Iterator[Problem]:
    """Every card is of the set whose box is played, or of a Class Deck."""
    yield from foreign(subject)


@rule("compatibility-with-other-sets", "organizing-the-box", family="pool", sets=("mm",))
def cards_from_another_set(subject: Subject) -> Iterator[Problem]:
    """Every card is of the set whose box is played, or of a Class Deck; the sets are compatible, but come in boxes of their own."""
    yield from foreign(subject)


def foreign(subject: Subject) -> Iterator[Problem]:
    """Cards of another set; only worth a note when the deck file says that the set is owned and mixed in."""
    for card in distinct(subject.deck.cards):
        if card.set != subject.deck.set and card.class_deck is None:
            mixed = subject.deck.owns is not None and card.set in subject.deck.owns
            yield Problem(
                f"{card.name} is a card of {SET_TITLES.get(card.set, card.set)}, not of {SET_TITLES[subject.deck.set]}.",
                f"{exchange(subject, card)} If your group mixes the boxes, add {card.set} to `owns:`.",
                (card.name,),
                "note" if mixed else None,
            )
