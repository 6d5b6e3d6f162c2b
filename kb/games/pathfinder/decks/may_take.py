"""Implements the protocol `kb.decks.games.Access` for Pathfinder: says which cards a character may take from the box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import AccessError
from kb.frozen import frozen
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import ADVENTURES, PLURALS, Facts, PathfinderCard
from kb.games.pathfinder.decks.table import OPEN_BOX_FROM, Seat, seat_of
from kb.games.pathfinder.records import CARD_TYPES


@frozen
class FromTheBox:
    """Says which cards a character may take from the box when the deck is rebuilt.

    `seats` contains a deck for each set that has a character with this name. `notes` are sentences about the rule
    applied.
    """

    seats: tuple[Seat, ...]
    notes: tuple[str, ...]

    def may_have(self, record: Mapping[str, Any]) -> bool | None:
        """Return True if the character may take the card in `record` from the box.

        Such a card is Basic, owned by the character or has a low enough number, and its type is on the Cards List. The
        result is None if it depends on unknown facts, on a card feat, or on the products owned (promotional cards). It
        is also None for loot, because the rulebook contradicts itself about loot.
        """
        seat_and_card = self.found(record)
        return False if seat_and_card is None else verdict(*seat_and_card)

    def found(self, record: Mapping[str, Any]) -> tuple[Seat, PathfinderCard] | None:
        """Return the card in `record`, with the character's deck in the set of the card; None if no set has the card."""
        for seat in self.seats:
            if record.get("game") == "pathfinder" and record.get("set") in (seat.deck.set, "own"):
                card = seat.facts.card(seat.deck.set, str(record.get("name")))
                if card is not None:
                    return seat, card
        return None

    def better(self, record: Mapping[str, Any]) -> bool:
        """Return True if the card in `record` has a higher adventure deck number than a card of its type in the deck."""
        seat_and_card = self.found(record)
        if seat_and_card is None or seat_and_card[1].number is None:
            return False
        seat, card = seat_and_card
        numbers = [each.number for each in seat.deck.of_type(card.type) if each.number is not None]
        return bool(numbers) and card.number is not None and card.number > min(numbers)


def verdict(seat: Seat, card: PathfinderCard) -> bool | None:
    """Return True if the character may take `card` from the box now and the Cards List requires cards of its type.

    The result is None if the answer depends on unknown facts, or on a card feat for the card's type.
    """
    lines = seat.deck.character.may_fill(card)
    if any(seat.wanted(kind) for kind in lines):
        return seat.gives(card)
    allowed = card.type is None or any(kind in by_feat(seat) for kind in lines)
    return None if allowed and seat.gives(card) is not False else False


def by_feat(seat: Seat) -> list[str]:
    """Return the card types that a deck cannot contain now, but could contain after a card feat."""
    lines = seat.deck.character.cards_list
    return [kind for kind in CARD_TYPES if not seat.wanted(kind) and lines[kind].maximum != 0]


def access(who: str | DeckFile, terms: Mapping[str, str], facts: Facts) -> FromTheBox | None:
    """Return which cards a character may take from the box; None if no character has the name.

    `who` is a deck file or the name of a character; several sets may have a character with this name. `terms` may
    contain the adventure. Raises AccessError for an unknown adventure, and DeckFileError if the deck file cannot be
    read.
    """
    if isinstance(who, DeckFile):
        decks = [read_deck(who, facts)]
    else:
        decks = [
            PathfinderDeck(character=each, stage="rebuilt", adventure="B", cards=facts.suggested_for(each))
            for each in facts.called(who)
        ]
    if not decks:
        return None
    adventure = terms.get("adventure", decks[0].adventure if isinstance(who, DeckFile) else "B").upper()
    if adventure not in ADVENTURES:
        raise AccessError(f"adventure:{terms['adventure']} is not an adventure. Write B or a number from 1 to 6.")
    seats = tuple(seat_of(replace(deck, stage="rebuilt", adventure=adventure), facts) for deck in decks)
    return FromTheBox(seats, notes(seats[0], "adventure" in terms or isinstance(who, DeckFile)))


def notes(seat: Seat, adventure_given: bool) -> tuple[str, ...]:
    """Return sentences that say which cards the character may take from the box now, and by which rule."""
    rule = f"pathfinder/{seat.deck.set}/cards-from-the-box"
    when = f"adventure {seat.deck.adventure}" + ("" if adventure_given else " (set another one with adventure:N)")
    who = seat.name
    if seat.deck.number < OPEN_BOX_FROM:
        box = f"In {when}, {who} may take cards from the box that are Basic or have {who} as their Owner"
    else:
        box = (
            f"In {when}, {who} may take cards from the box that are Basic, have {who} as their Owner, or have number "
            f"{seat.highest_from_box} or lower"
        )
    feats = [PLURALS[kind] for kind in by_feat(seat)]
    more = f" Only with card feats: {', '.join(feats)}." if feats else ""
    return (f"{box} ({rule}). Cards acquired in play may be kept regardless of their number.{more}",)
