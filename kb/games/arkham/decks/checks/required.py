"""Checks on numbers of cards of a kind that a deck must hold."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, HUNCH_DECK, MULTI_CLASS, WEAKNESS_RULING
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.schema.options import CLASSES, AtLeast


@ARKHAM.check(MULTI_CLASS, DECKBUILDING, WEAKNESS_RULING, family="required", when=lambda tally: tally.profile.at_least)
def cards_of_several_classes(tally: Tally) -> Iterator[Problem]:
    """At least so many cards of each of so many classes; a multi-class card counts for each of its classes."""
    for demand in tally.profile.at_least:
        if not demand.classes:
            continue
        count = dict.fromkeys(CLASSES, 0)
        for status, copies in tally.rows:
            card = status.card
            if card is not None and not card.subtype:
                for name in card.classes:
                    if name in count:
                        count[name] += copies
        enough = [name for name, copies in count.items() if copies >= demand.number]
        if len(enough) < demand.classes:
            most = sorted((name for name in count if name not in enough), key=lambda name: -count[name])
            lacking = " and ".join(
                f"{demand.number - count[name]} more {name}" for name in most[: demand.classes - len(enough)]
            )
            listed = ", ".join(f"{name} {copies}" for name, copies in count.items())
            yield Problem(
                f"At least {demand.number} cards of {demand.classes} classes are required; the deck has {listed}.",
                f"Put in {lacking}, in place of cards of other classes.",
                count=len(enough),
                limit=demand.classes,
            )


@ARKHAM.check(DECKBUILDING, HUNCH_DECK, family="required", when=lambda tally: tally.profile.at_least or tally.special)
def cards_of_a_kind(tally: Tally) -> Iterator[Problem]:
    """At least so many cards of a kind where the investigator or a card in the deck says so."""
    demands = [(demand, "the investigator") for demand in tally.profile.at_least if not demand.classes]
    demands += [(demand, card.name) for card, _ in tally.special_cards() for demand in card.special.at_least]
    for demand, source in demands:
        admits = demand.wanted.admits
        there = sum([copies for status, copies in tally.rows if status.card is not None and admits(status.card)])
        if there < demand.number:
            yield Problem(
                f"{there} {_kind(demand)} in the deck; {source} requires at least {demand.number}.",
                f"Put in {demand.number - there} more, in place of other cards.",
                count=there,
                limit=demand.number,
            )


def _kind(demand: AtLeast) -> str:
    """`Insight events`."""
    traits = either(trait.title() for trait in sorted(demand.wanted.traits))
    types = either(f"{kind}s" for kind in sorted(demand.wanted.types)) or "cards"
    return f"{traits} {types}".strip()
