"""Checks on cards of another set: strangers in the box, or a second box that the group has mixed in."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import name_key, tally
from kb.decks.report import Problem
from kb.games.pathfinder.decks.access import distinct, exchange
from kb.games.pathfinder.decks.model import SET_TITLES, Card
from kb.games.pathfinder.decks.ruleset import Subject, rule

MOST_NAMED_ALONE = 4  # of one set; more than that is one mistake, not many


@rule("card-sets", "organizing-the-box", family="pool", sets=("rotr",))
def cards_of_another_set(subject: Subject) -> Iterator[Problem]:
    """Every card is of the set whose box is played, of a box mixed in (`owns:` lists it), or of a Class Deck."""
    yield from foreign(subject)


@rule("compatibility-with-other-sets", "organizing-the-box", family="pool", sets=("mm",))
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
