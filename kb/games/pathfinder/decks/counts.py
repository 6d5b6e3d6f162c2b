"""Checks on how many cards of which type a deck holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from kb.decks.names import tally
from kb.decks.report import Problem, Severity
from kb.games.pathfinder.decks.model import CARD_TYPES, PLURALS, SETS, Card
from kb.games.pathfinder.decks.ruleset import Subject, rule
from kb.plural import counted


def amount(number: int, card_type: str) -> str:
    """`1 ally`, `no allies`, `3 allies`."""
    return f"1 {card_type}" if number == 1 else f"{number or 'no'} {PLURALS[card_type]}"


def wanted(subject: Subject, card_type: str) -> tuple[int, str]:
    """How many cards of a type the deck must hold, and how that number comes about; a new deck knows no feats.

    A checked box that the list does not have adds no card: that it is checked is a finding of its own.
    """
    deck = subject.deck
    base = deck.character.base(card_type)
    if deck.stage == "new":
        return base, ""
    feats, most = len(deck.card_feats.get(card_type, ())), deck.character.cards_list[card_type].maximum
    if most is not None:
        feats = min(feats, most - base)
    change = deck.deck_adjustments.get(card_type, 0) if SETS[deck.set].roles_adjust and deck.role else 0
    parts = [str(base)]
    if feats:
        parts.append(counted(feats, "card feat"))
    if change:
        parts.append(f"{change:+} from the role card")
    return max(0, base + feats + change), f" ({' and '.join(parts)})" if len(parts) > 1 else ""


def lines(subject: Subject) -> dict[str, tuple[Card, ...]]:
    """The deck's cards by the line of the Cards List that they fill.

    A card fills the line of its type. What is too much of a type fills the line that it counts as for this character.
    """
    found = {kind: list(subject.deck.of_type(kind)) for kind in CARD_TYPES}
    for rule_of_card in subject.deck.character.counts_as:
        too_many = len(found[rule_of_card.type]) - wanted(subject, rule_of_card.type)[0]
        for card in [card for card in found[rule_of_card.type] if rule_of_card.fits(card)][: max(0, too_many)]:
            found[rule_of_card.type].remove(card)
            found[rule_of_card.counts_as].append(card)
    return {kind: tuple(cards) for kind, cards in found.items()}


def serves(subject: Subject, card: Card, instead: Card) -> bool:
    """Whether a card could stand in the deck in the place of another: it fills the same line of the Cards List.

    That is the line of its type, unless the character card lets one of the two count as another type.
    """
    if not subject.deck.character.counts_as or instead not in subject.deck.cards:
        return card.type == instead.type
    cards = list(subject.deck.cards)
    cards[cards.index(instead)] = card
    swapped = Subject(replace(subject.deck, cards=tuple(cards)), subject.facts)
    return all(len(held) == len(lines(subject)[kind]) for kind, held in lines(swapped).items())


@rule("cards-list", "building-your-deck", "rebuilding-your-deck", "card-feats", "loot", family="count")
def cards_list(subject: Subject) -> Iterator[Problem]:
    """The deck holds exactly the number of each card type that the Cards List with its checked card feats says.

    Loot counts as its type; cohorts do not count. A card whose type is unknown may fill any gap. Where the character
    card lets cards of one type count as another, they may fill the places of both.
    """
    unknown = len(subject.deck.of_type(None))
    by_line = lines(subject)
    gaps = sum(max(0, wanted(subject, kind)[0] - len(by_line[kind])) for kind in CARD_TYPES)
    for card_type in CARD_TYPES:
        held = by_line[card_type]
        want, how = wanted(subject, card_type)
        others = [str(each) for each in subject.deck.character.counts_as if card_type in (each.type, each.counts_as)]
        message = (
            f"The deck holds {amount(len(held), card_type)}; the Cards List of {subject.name} asks for "
            f"{amount(want, card_type)}{how}." + (f" For {subject.name}, {', '.join(others)}." if others else "")
        )
        names = tuple(dict.fromkeys(card.name for card in held))
        if len(held) > want:
            which = "all" if want == 0 else f"{len(held) - want} of the {len(held)}"
            fix = f"Remove {which} {PLURALS[card_type]}: {tally(card.name for card in held)}."
            yield Problem(message, fix, names, count=len(held), limit=want)
        elif len(held) < want:
            filled: Severity | None = "note" if gaps <= unknown else None
            add = fill(subject, card_type, want - len(held))
            yield Problem(message, add, names, filled, count=len(held), limit=want)
    if unknown > gaps:
        names = tuple(dict.fromkeys(card.name for card in subject.deck.of_type(None)))
        yield Problem(
            f"The deck holds {counted(unknown, 'card')} of unknown type; the Cards List of "
            f"{subject.name} has {gaps or 'no'} place{'' if gaps == 1 else 's'} for them.",
            f"Remove {unknown - gaps} of: {tally(card.name for card in subject.deck.of_type(None))}.",
            names,
            count=unknown,
            limit=gaps,
        )


def fill(subject: Subject, card_type: str, missing: int) -> str:
    """What to add where cards of a type are missing."""
    may_fill = subject.deck.character.may_fill
    spare = subject.spare().elements()
    left = [card.name for card in spare if card_type in may_fill(card) and not subject.wrong(card)]
    if len(left) >= missing:
        return f"Add {amount(missing, card_type)}; the party still has {tally(left)}."
    options = subject.alternatives(card_type, missing - len(left))
    example = f", for instance {options}" if options else ""
    if left:
        rest = f"then {missing - len(left)} from the box{example}"
        return f"Add {amount(missing, card_type)}: first {tally(left)}, which the party still has, {rest}."
    first = "" if subject.deck.stage == "new" else " that the party has, or else from the box"
    return f"Add {amount(missing, card_type)}{first}{example}."


@rule("card-type-label", "cards-list", family="count", severity="note")
def card_of_unknown_type(subject: Subject) -> Iterator[Problem]:
    """The type of every card is known, so that it can be counted."""
    for name in dict.fromkeys(card.name for card in subject.deck.of_type(None)):
        yield Problem(
            f"The type of {name} is not in the card facts, so it counts toward no type.",
            f"Read the type on {name} and describe it in the deck file: {{name: {name}, type: weapon, deck: 5}}.",
            (name,),
        )


@rule("card-sets", "set-indicators", family="copies")
def copies_in_the_box(subject: Subject) -> Iterator[Problem]:
    """The deck holds no more copies of a card than the products in the box hold together, where that number is known."""
    counts = Counter(subject.deck.cards)
    for card, number in counts.items():
        there = subject.copies(card)
        if there is None or number <= there or there == 0:  # 0: its product is missing, which another check says
            continue
        options = subject.alternatives(card.type or "", number - there, card)
        swap = f", for instance for {options}" if options else ""
        yield Problem(
            f"The deck holds {number} copies of {card.name}; the box has {there}.",
            f"Exchange {number - there} of them{swap}.",
            (card.name,),
            count=number,
            limit=there,
        )


@rule("card-type-label", "basic-trait", "set-indicators", "loot", family="count", severity="warning")
def described_as_it_is(subject: Subject) -> Iterator[Problem]:
    """What the deck file says of a card fills gaps of the card facts; where it contradicts them, the facts count."""
    for name, what, fix in subject.deck.contradictions:
        yield Problem(f"{name} {what}.", fix, (name,))
