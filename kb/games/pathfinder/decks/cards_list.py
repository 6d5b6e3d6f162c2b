"""Rules on the Cards List: the number of cards of each type in a deck, and the number of copies of a card."""

from __future__ import annotations

from kb.decks.names import both
from kb.decks.problems import At, Problem, Problems, Severity
from kb.decks.remedies import Act, Advice, Exchange, Fill, Remedy, Remove
from kb.games.pathfinder.decks.facts import names
from kb.games.pathfinder.decks.rulesets import amount, deck_rule, exchange, table_rule
from kb.games.pathfinder.decks.table import GameTable, Seat
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted


@deck_rule("cards-list", "building-your-deck", "rebuilding-your-deck", "card-feats", "loot", family="count")
def cards_list(seat: Seat) -> Problems:
    """A deck contains exactly the number of cards of each type that the Cards List requires, including card feats.

    Loot counts as its type; cohorts do not count. A card whose type is unknown may count as any missing type. If the
    character card lets cards of one type count as another, they may count as either type.
    """
    unknown = seat.deck.of_type(None)
    gaps = sum(max(0, seat.wanted(kind) - len(seat.lines[kind])) for kind in CARD_TYPES)
    for kind, (want, how) in seat.places.items():
        cards = seat.lines[kind]
        if len(cards) == want:
            continue
        others = [str(each) for each in seat.deck.character.counts_as if kind in (each.type, each.counts_as)]
        message = (
            f"The deck contains {amount(len(cards), kind)}; the Cards List of {seat.name} requires "
            f"{amount(want, kind)}{how}." + (f" For {seat.name}, {', '.join(others)}." if others else "")
        )
        severity: Severity | None = None
        if len(cards) > want:
            remedy: Remedy = Remove(len(cards) - want, tuple(names(cards)))
        else:
            remedy = fill(seat, kind, want - len(cards))
            severity = "note" if gaps <= len(unknown) else None
        yield Problem(
            message,
            cards=tuple(dict.fromkeys(names(cards))),
            severity=severity,
            count=len(cards),
            limit=want,
            remedies=(remedy,),
        )
    if len(unknown) > gaps:
        yield Problem(
            f"The deck contains {counted(len(unknown), 'card')} of unknown type; the Cards List of "
            f"{seat.name} has {counted(gaps, 'place') if gaps else 'no place'} for them.",
            cards=tuple(dict.fromkeys(names(unknown))),
            count=len(unknown),
            limit=gaps,
            remedies=(Remove(len(unknown) - gaps, tuple(names(unknown))),),
        )


def fill(seat: Seat, kind: str, missing: int) -> Fill:
    """Return the remedy that adds `missing` cards of the type `kind`.

    The remedy suggests the cards that the party still has before cards from the box.
    """
    left = seat.spare_for(kind)
    if len(left) >= missing:
        return Fill(missing, kind, have=tuple(left))
    options = seat.candidates(kind, missing - len(left))
    source = "" if seat.deck.stage == "new" else "the box"
    return Fill(missing, kind, have=tuple(left), among=options, more=source)


@deck_rule("card-type-label", "cards-list", family="count", severity="note")
def card_of_unknown_type(seat: Seat) -> Problems:
    """The type of every card is known, so that the card can be counted toward the Cards List."""
    for name in dict.fromkeys(names(seat.deck.of_type(None))):
        yield Problem(
            f"The type of {name} is not in the card facts, so it counts toward no type.",
            cards=(name,),
            remedies=(
                Advice(
                    f"read the type on the card {name} and describe it in the file: {{name: {name}, type: weapon, deck: 5}}"
                ),
            ),
        )


@table_rule("card-sets", "set-indicators", "limited-decks-at-once", family="copies")
def copies_in_the_box(table: GameTable) -> Problems:
    """Together, the decks of a party have no more copies of a card than the products in the box contain. A card is
    not checked if its number of copies is unknown.
    """
    for card, number in table.out_of_the_box.items():
        there = table.box.copies(card)
        if there is None or number <= there or there == 0:  # if 0, another check reports the missing product
            continue
        holders = [seat for seat in table.holders if card in seat.deck.cards]
        more = number - there
        if table.alone and len(table.holders) == 1 and not table.removed:
            yield Problem(
                f"The deck contains {number} copies of {card.name}; the box has {there}.",
                cards=(card.name,),
                count=number,
                limit=there,
                remedies=(exchange(table.seats[0], card, more),),
            )
            continue
        removed = table.removed.count(card)
        where = [seat.who for seat in holders] + ([f"{removed} removed from the game"] if removed else [])
        yield Problem(
            f"{number} copies of {card.name} are out of the box ({both(where)}); in total there "
            f"{'is' if there == 1 else 'are'} {there}.",
            cards=(card.name,),
            who=holders[0].who if len(holders) == 1 and not removed else "",
            count=number,
            limit=there,
            at=tuple(At(seat.table.pile_key, seat.who) for seat in holders),
            remedies=_fewer(table, holders, card.name, more),
        )


def _fewer(table: GameTable, holders: list[Seat], name: str, more: int) -> tuple[Remedy, ...]:
    """Return the remedies for `more` surplus copies of the card `name`: exchange copies in a deck, or correct a list."""
    card = next(card for seat in holders for card in seat.deck.cards if card.name == name) if holders else None
    if card is None:
        return (Advice(f"correct the number of copies of {name} that are removed from the game"),)
    if table.rebuilding:  # the members have lists of cards, not decks in which a card could be exchanged
        copies = ((seat, names(seat.deck.cards).count(name)) for seat in holders)
        return tuple(Remove(min(more, there), (name,) * there, who=seat.who) for seat, there in copies)
    last = next((seat for seat in reversed(holders) if not seat.holder), holders[-1])
    change = exchange(last, card, min(more, last.deck.cards.count(card)), who=last.name)
    into = [each for each in change.into if not _is_short(table, each)] if isinstance(change, Exchange) else []
    if isinstance(change, Exchange):
        change = Exchange(change.copies, change.out, tuple(into), have=change.have, who=change.who)
    return (change, Act(f"correct the lists of {both([seat.who for seat in holders])}"))


def _is_short(table: GameTable, name: str) -> bool:
    """Return True if all copies of the card `name` are out of the box; False if their number is unknown."""
    card = table.facts.card(table.set, name)
    there = table.box.copies(card) if card else None
    return card is not None and there is not None and table.out_of_the_box[card] >= there


@deck_rule("card-type-label", "basic-trait", "set-indicators", "loot", family="count", severity="warning")
def described_as_it_is(seat: Seat) -> Problems:
    """A card's description in the deck file agrees with the card facts.

    A description can add facts that kb lacks. If it contradicts the card facts, kb uses the card facts.
    """
    for name, what, remedy in seat.deck.contradictions:
        yield Problem(f"{name} {what}.", cards=(name,), remedies=(remedy,))
