"""Checks on where the cards of a rebuilt deck came from, and on the decks built at one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kb.decks.names import name_key, tally
from kb.decks.report import Problem
from kb.games.pathfinder.decks.counts import serves, wanted
from kb.games.pathfinder.decks.model import CARD_TYPES, Card, Character
from kb.games.pathfinder.decks.ruleset import Subject, rule

DECKS_WITH_BASE_SET = 4
DECKS_WITH_ADD_ON = 6


@rule("cards-from-the-box", "rebuilding-your-deck", family="campaign")
def box_fills_holes_only(subject: Subject) -> Iterator[Problem]:
    """A card comes from the box only when the party has no card of its type left."""
    yield from taken_too_early([subject], subject.spare())


def taken_too_early(subjects: Iterable[Subject], spare: Counter[Card]) -> Iterator[Problem]:
    """Cards that rebuilt decks took from the box while the party still has others that could stand in their place."""
    for kind in CARD_TYPES:
        taken = [
            (subject, card)
            for subject in subjects
            if subject.deck.stage == "rebuilt"
            for card in subject.deck.from_box or ()
            if card.type == kind
        ]
        left = [card.name for card in spare.elements() if any(serves(who, card, instead) for who, instead in taken)]
        if not left:
            continue
        names = [card.name for _, card in taken]
        who = list(dict.fromkeys(subject.name for subject, _ in taken))
        took = "; ".join(f"{each} took {tally(card.name for who, card in taken if who.name == each)}" for each in who)
        number = min(len(names), len(left))
        back = tally(names) if number == len(names) else f"{number} of {tally(names)}"
        keep = tally(left) if number == len(left) else f"{number} of {tally(left)}"
        yield Problem(
            f"{took} from the box, while the party still has {tally(left)}.",
            f"Put {back} back into the box and keep {keep} instead.",
            tuple(dict.fromkeys([*names, *left])),
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
    known = [subject.facts.characters.get((deck.set, key)) for key in others]
    yield from too_many_decks([deck.character, *known], deck.owns)


def too_many_decks(characters: Sequence[Character | None], owns: frozenset[str] | None) -> Iterator[Problem]:
    """More decks than may be built at once. `characters` are those of the decks; `owns` are the products, None when nobody says."""
    number = len(characters)
    with_add_on = (
        any(character and character.product == "C" for character in characters) if owns is None else "C" in owns
    )
    most = DECKS_WITH_ADD_ON if with_add_on else DECKS_WITH_BASE_SET
    if number <= most:
        return
    fix = f"Write down the cards of {number - most} of the decks and put them back in the box"
    if not with_add_on:
        beyond = number - DECKS_WITH_ADD_ON
        fix += f", or of {beyond} of them and add `add-on` to `owns:`" if beyond > 0 else ", or add `add-on` to `owns:`"
    yield Problem(
        f"{number} decks are built at once; {'even with the Character Add-On Deck' if with_add_on else 'with the base set'} "
        f"no more than {most} may be.",
        f"{fix}.",
        severity="warning" if owns is None and number <= DECKS_WITH_ADD_ON else None,
        count=number,
        limit=most,
    )


@rule("choose-your-character", family="campaign")
def one_deck_a_character(subject: Subject) -> Iterator[Problem]:
    """No two players of a party play the same character card."""
    yield from played_twice(subject.deck.party)


def played_twice(names: Iterable[str]) -> Iterator[Problem]:
    """Characters that are named more than once."""
    called = {name_key(name): name for name in reversed(list(names))}
    for key, number in Counter(map(name_key, names)).items():
        if number > 1:
            yield Problem(
                f"{called[key]} is at the table {number} times.",
                "Let each player choose another character.",
                count=number,
                limit=1,
            )
