"""Rules on where cards come from and go to: the box, trades between players, and cards that the party leaves over."""

from __future__ import annotations

from collections import Counter

from kb.decks.names import counted_names
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Add, Advice, Clear, Exchange, ListUnder, Remedy, Remove, Set, Unlist
from kb.games.pathfinder.decks.facts import PathfinderCard, names
from kb.games.pathfinder.decks.rulesets import deck_rule, table_rule
from kb.games.pathfinder.decks.table import GameTable, Seat
from kb.games.pathfinder.records import CARD_TYPES


@deck_rule("trading-cards", "building-your-deck", "cards-list")
def trades_of_a_new_deck(seat: Seat) -> Problems:
    """A new deck fits its Cards List before and after trades, so a character gives and receives equal numbers of each
    type.
    """
    deck = seat.deck
    if deck.stage != "new" or not (deck.received or deck.gave):
        return
    missing = Counter(deck.received) - Counter(deck.cards) - Counter(deck.gave)
    for card, number in missing.items():
        yield Problem(
            f"{counted_names([card.name] * number)} was received, but is not in the deck. Cards are not returned to the box before a scenario.",
            cards=(card.name,),
            severity="warning",
            at=At("received"),
            remedies=(Unlist("received", (card.name,) * number), Exchange(number, (), (card.name,))),
        )
    received, given = (Counter(card.type for card in pile) for pile in (deck.received, deck.gave))
    uneven = [kind for kind in dict.fromkeys([*received, *given]) if kind and received[kind] != given[kind]]
    if uneven and not missing:
        differ = ", ".join(f"{kind}: {received[kind]} received, {given[kind]} given" for kind in uneven)
        yield Problem(
            f"The cards received and given differ by type ({differ}), so the deck did not fit its Cards List before the trade.",
            severity=None if deck.gave and deck.received else "warning",
            at=(At("received"), At("gave")),
            remedies=(Clear(("received", "gave"), why="if nothing was traded"), Set("received"), Set("gave")),
        )


@table_rule("cards-from-the-box", "rebuilding-your-deck")
def box_fills_holes_only(table: GameTable) -> Problems:
    """A card comes from the box only if the party has no card left that could be in the deck instead. Only another copy
    can replace a card that the character card requires.
    """
    spare = tuple(table.spare.elements())
    for kind in CARD_TYPES:
        taken = [
            (seat, card)
            for seat in table.seats
            if seat.deck.stage == "rebuilt"
            for card in seat.deck.from_box or ()
            if card.type == kind and any(seat.serves(other, card) for other in spare)
        ]
        left = [card for card in spare if any(seat.serves(card, instead) for seat, instead in taken)]
        if not left:
            continue
        by_seat: dict[str, list[PathfinderCard]] = {}
        for seat, card in taken:
            by_seat.setdefault(seat.name, []).append(card)
        took = "; ".join(f"{name} took {counted_names(names(cards))}" for name, cards in by_seat.items())
        boxed = [card.name for _, card in taken]
        number = min(len(boxed), len(left))
        yield Problem(
            f"{took} from the box, while the party still has {counted_names(names(left))}.",
            cards=tuple(dict.fromkeys([*boxed, *names(left)])),
            remedies=(Exchange(number, tuple(boxed), tuple(names(left)), what="cards that the party still has"),),
        )


@deck_rule("rebuilding-your-deck", "cards-from-the-box")
def from_box_is_in_the_deck(seat: Seat) -> Problems:
    """The deck contains all copies of the cards that are listed as taken from the box."""
    missing = Counter(seat.deck.from_box or ()) - Counter(seat.deck.cards)
    for card, number in missing.items():
        listed = (card.name,) * number
        yield Problem(
            f"{counted_names(listed)} came from the box, but is not in the deck. Cards taken from the box go into a deck.",
            cards=(card.name,),
            at=At("from_box"),
            remedies=(Unlist("from_box", listed), Add(listed)),
        )


@deck_rule("rebuilding-your-deck", "trading-cards", "cards-from-the-box")
def cards_are_accounted_for(seat: Seat) -> Problems:
    """The character had or received each card of a rebuilt deck, or took it from the box. This is checked only if the
    deck file says what the character had.
    """
    deck = seat.deck
    if deck.stage != "rebuilt" or deck.had is None:
        return
    known = Counter(deck.had) + Counter(deck.received) - Counter(deck.gave) + Counter(deck.from_box or ())
    for card, number in (Counter(deck.cards) - known).items():
        listed = (card.name,) * number
        yield Problem(
            f"{counted_names(listed)} is neither among the cards that {seat.name} had or received nor from the box.",
            cards=(card.name,),
            remedies=(
                ListUnder("received", listed, why="if another player gave it"),
                ListUnder("from_box", listed, why="if it filled a gap"),
                Remove(number, listed),
            ),
        )
    for card, number in (Counter(deck.gave) - (Counter(deck.had) + Counter(deck.received))).items():
        yield Problem(
            f"{seat.name} gave {card.name} away without having had it.",
            cards=(card.name,),
            at=At("gave"),
            remedies=(Unlist("gave", (card.name,) * number), ListUnder("had", (card.name,) * number)),
            names_owner=True,
        )


@deck_rule("cards-list", "building-your-deck", "rebuilding-your-deck", "cards-from-the-box", family="required")
def cards_that_must_be_held(seat: Seat) -> Problems:
    """A deck contains each card that the character card requires, such as Honaire for Estra.

    If the party has lost such a card, it comes from the box, because the deck is not valid without it. If the box cannot
    give it either, the finding is a warning.
    """
    deck = seat.deck
    for name in deck.character.must_hold:
        known = seat.facts.card(deck.set, name)
        if known is None or any(card.name == name for card in deck.cards):
            continue
        of_type = deck.of_type(known.type)
        remedy: Remedy = Exchange(1, tuple(names(of_type)), (name,), what=name)
        if not seat.in_reach(known):
            remedy = Advice(
                f"agree with your group on another {known.type or 'card'}, because the box cannot give {name}"
            )
        elif len(of_type) < seat.wanted(known.type or ""):
            remedy = Add((name,))
        yield Problem(
            f"{seat.name} must have {name}, but it is not in the deck.",
            cards=(name,),
            severity=None if seat.in_reach(known) else "warning",
            remedies=(remedy,),
            names_owner=True,
        )


@table_rule("trading-cards", "rebuilding-your-deck", severity="warning")
def what_is_given_is_received(table: GameTable) -> Problems:
    """A card that a player gave away was received by another player, or is left over."""
    taken = Counter(card for deck in table.decks for card in deck.received) + table.spare
    for seat in () if table.alone else table.seats:
        lost = Counter(seat.deck.gave) - taken
        taken -= Counter(seat.deck.gave)
        if lost:
            cards = tuple(names(lost.elements()))
            yield Problem(
                f"{seat.name} gave {counted_names(cards)} away, but no one in the party received "
                f"{'it' if len(cards) == 1 else 'them'}.",
                cards=tuple(dict.fromkeys(cards)),
                at=At("gave", seat.name),
                remedies=(
                    ListUnder("received", cards, why="in the deck of the player who has it"),
                    ListUnder("left_over", cards, why="if no one kept it"),
                ),
                names_owner=True,
            )
