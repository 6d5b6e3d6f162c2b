"""Checks on where the cards of a rebuilt deck came from, and on the decks built at one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.decks.names import name_key, tally
from kb.decks.report import Problem
from kb.games.pathfinder.decks.counts import serves, wanted
from kb.games.pathfinder.decks.model import CARD_TYPES
from kb.games.pathfinder.decks.ruleset import Subject, rule

DECKS_WITH_BASE_SET = 4
DECKS_WITH_ADD_ON = 6


@rule("cards-from-the-box", "rebuilding-your-deck", family="campaign")
def box_fills_holes_only(subject: Subject) -> Iterator[Problem]:
    """A card comes from the box only when the party has no card of its type left."""
    if subject.deck.stage != "rebuilt":
        return
    spare = subject.spare()
    for card_type in CARD_TYPES:
        replaced = [card for card in subject.deck.from_box or () if card.type == card_type]
        taken = [card.name for card in replaced]
        left = [card.name for card in spare.elements() if any(serves(subject, card, each) for each in replaced)]
        if taken and left:
            number = min(len(taken), len(left))
            back = tally(taken) if number == len(taken) else f"{number} of {tally(taken)}"
            keep = tally(left) if number == len(left) else f"{number} of {tally(left)}"
            yield Problem(
                f"{tally(taken)} came from the box, while the party still has {tally(left)}.",
                f"Put {back} back into the box and keep {keep} instead.",
                tuple(dict.fromkeys(taken + left)),
            )


@rule("rebuilding-your-deck", "cards-from-the-box", family="campaign")
def from_box_is_in_the_deck(subject: Subject) -> Iterator[Problem]:
    """Every card named as taken from the box is in the deck, in that number."""
    missing = Counter(subject.deck.from_box or ()) - Counter(subject.deck.cards)
    for card, number in missing.items():
        yield Problem(
            f"`from_box` names {tally([card.name] * number)} more often than the deck holds it.",
            "Take it out of `from_box`, or put it into `cards` in the place of another: cards taken from the box go into a deck.",
            (card.name,),
        )  # fmt: skip


@rule("rebuilding-your-deck", "trading-cards", "cards-from-the-box", family="campaign")
def cards_are_accounted_for(subject: Subject) -> Iterator[Problem]:
    """Every card of a rebuilt deck was had after the scenario, traded for, or taken from the box (when the file says)."""
    deck = subject.deck
    if deck.stage != "rebuilt" or deck.had is None:
        return
    known = Counter(deck.had) + Counter(deck.received) - Counter(deck.gave) + Counter(deck.from_box or ())
    for card, number in (Counter(deck.cards) - known).items():
        yield Problem(
            f"{tally([card.name] * number)} is neither among the cards that {subject.name} had or received nor from the box.",
            "Add it to `received` if another player gave it, to `from_box` if it filled a gap, or remove it.",
            (card.name,),
        )
    for card in Counter(deck.gave) - (Counter(deck.had) + Counter(deck.received)):
        yield Problem(
            f"{subject.name} gave {card.name} away without having had it.", "Correct `gave` or `had`.", (card.name,)
        )


@rule("cards-list", "building-your-deck", "rebuilding-your-deck", family="required")
def cards_that_must_be_held(subject: Subject) -> Iterator[Problem]:
    """A card that the character card puts into the deck is in it: Estra's Honaire.

    A rebuilt deck may be without it only while the party has lost it, as `had:` shows, and no card of its type came from the box.
    """
    deck = subject.deck
    spare = {card.name for card in (*subject.spare(), *deck.gave)}
    for name in deck.character.must_hold:
        known = subject.facts.card(deck.set, name)
        if known is None or any(card.name == name for card in deck.cards):
            continue
        there = name in spare or any(card.type == known.type for card in deck.from_box or ())
        lost = deck.stage == "rebuilt" and deck.had is not None and not there
        open_place = len(deck.of_type(known.type)) < wanted(subject, known.type or "")[0]
        yield Problem(
            f"{subject.name} must hold {name}, but the deck does not.",
            f"Take {name} as the next {known.type} from the box."
            if lost
            else f"Add {name}."
            if open_place
            else f"Exchange one {known.type} for {name}.",
            (name,),
            "warning" if lost else None,
        )


@rule("limited-decks-at-once", "starting-a-new-character", family="campaign")
def decks_at_once(subject: Subject) -> Iterator[Problem]:
    """No more than 4 decks are built at once with the base set, 6 with the Character Add-On Deck."""
    deck = subject.deck
    others = {name_key(name) for name in deck.party} - {name_key(subject.name)}
    number = 1 + len(others)
    characters = [subject.facts.characters.get((deck.set, key)) for key in others] + [deck.character]
    add_on = any(character is not None and character.product == "C" for character in characters)
    if deck.owns is not None:
        add_on = "C" in deck.owns
    if number > DECKS_WITH_ADD_ON:
        yield Problem(
            f"{number} decks are built at once; even with the Character Add-On Deck no more than {DECKS_WITH_ADD_ON} may be.",
            f"Write down the cards of {number - DECKS_WITH_ADD_ON} of the decks and put them back in the box.",
        )
    elif number > DECKS_WITH_BASE_SET and not add_on:
        unsure = deck.owns is None
        yield Problem(
            f"{number} decks are built at once; the base set is made for no more than {DECKS_WITH_BASE_SET}.",
            "Write down the cards of a deck and put them back in the box, or add `add-on` to `owns:`.",
            severity="warning" if unsure else None,
        )


@rule("choose-your-character", family="campaign")
def one_deck_a_character(subject: Subject) -> Iterator[Problem]:
    """No two players of a party play the same character card."""
    for key, number in Counter(map(name_key, subject.deck.party)).items():
        if number > 1:
            name = next(name for name in subject.deck.party if name_key(name) == key)
            yield Problem(f"{name} is in the party {number} times.", "Let each player choose another character.")
