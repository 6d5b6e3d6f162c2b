"""Checks on the card pool: environments, owned products, a pool named by the deck, sealed pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from kb.decks.report import Problem
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.products import (
    DISCRETION,
    EXPANSIONS_AT_ONCE,
    copies_owned,
    expanded,
    expansions,
    fitting_expansions,
    groups,
    latest_expansions,
    outside,
)
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, ENVIRONMENTS
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.tally import Tally
from kb.plural import counted

_FROM_COLLECTION = (Kind.PLAYER, Kind.BASIC, Kind.DENIED)


def _pooled(tally: Tally) -> list[tuple[Card, int]]:
    """The cards that come out of a collection: no signatures, no cards that scenarios gave, no placeholders."""
    return [
        (status.card, copies)
        for status, copies in tally.rows
        if status.card is not None
        and status.kind in _FROM_COLLECTION
        and not status.card.story
        and not status.card.hidden
    ]


def _report(found: list[Card], where: str) -> Problem:
    names = tuple(dict.fromkeys(card.label for card in found))
    return Problem(f"Not in {where}: {', '.join(names)}.", "Replace these cards.", names)


@ARKHAM.check(f"{ENVIRONMENTS}/current", f"{ENVIRONMENTS}/limited", family="pool", when=lambda tally: tally.framed)
def environment(tally: Tally) -> Iterator[Problem]:
    """Cards and investigator come from the products of the environment that was chosen."""
    frame, facts = tally.frame, tally.profile.facts
    if frame.environment == "legacy":
        return
    held = [card for card, _ in _pooled(tally)]
    free = [card for card in held if groups(card, facts) <= DISCRETION]
    held = [card for card in held if card not in free]
    chosen: tuple[str, ...]
    if frame.environment == "current":
        chosen = latest_expansions(facts)
        left = outside(held, chosen, facts)
    elif frame.expansions:
        chosen = frame.expansions
        unknown = [code for code in chosen if code not in expansions(facts)]
        if unknown:
            known = ", ".join(expansions(facts))
            yield Problem(f"No investigator expansion is called {', '.join(unknown)}.", f"Choose among {known}.")
        if len(chosen) > EXPANSIONS_AT_ONCE:
            yield Problem(
                f"{len(chosen)} expansions are chosen, the limit is {EXPANSIONS_AT_ONCE}.",
                "Choose three.",
                count=len(chosen),
                limit=EXPANSIONS_AT_ONCE,
            )
        left = outside(held, chosen, facts)
    else:
        chosen, left = fitting_expansions(held, facts)
    names = (
        ", ".join(facts.cycles[code].name for code in chosen if code in facts.cycles) or "core sets and starter decks"
    )
    if left:
        where = f"the {frame.environment} environment (core sets, starter decks, {names})"
        yield replace(_report(left, where), cites=(f"{ENVIRONMENTS}/{frame.environment}",))
    yield from _investigator(tally, chosen)
    if free:
        labels = tuple(dict.fromkeys(card.label for card in free))
        yield Problem(
            f"At the group's discretion: {', '.join(labels)}.",
            cards=labels,
            severity="note",
            cites=(f"{ENVIRONMENTS}/parallels-promos-story-assets",),
        )


def _investigator(tally: Tally, chosen: tuple[str, ...]) -> Iterator[Problem]:
    card, facts = tally.profile.back, tally.profile.facts
    if card is None or not outside([card], chosen, facts):
        return
    if groups(card, facts) <= DISCRETION or tally.frame.environment == "limited":
        yield Problem(
            f"{card.label} is outside the environment: at the group's discretion.",
            cards=(card.label,),
            severity="note",
            cites=(f"{ENVIRONMENTS}/parallels-promos-story-assets",),
        )
    else:
        yield Problem(f"{card.label} is outside the {tally.frame.environment} environment.", cards=(card.label,))


@ARKHAM.check(DECKBUILDING, family="pool", when=lambda tally: tally.frame.products)
def owned_products(tally: Tally) -> Iterator[Problem]:
    """No more copies of a card than the owned products hold."""
    facts = tally.profile.facts
    owned = Counter(tally.frame.products)
    copies: dict[str, int] = {}
    for card, number in _pooled(tally):
        if not card.subtype:
            copies[card.root] = copies.get(card.root, 0) + number
    for root, number in copies.items():
        there = copies_owned(owned, root, facts)
        first = facts.card(root)
        if number > there and first is not None:
            yield Problem(
                f"{counted(number, 'copy')} of {first.label}; the products owned hold {there}.",
                "Take copies out, or add the product.",
                (first.label,),
                count=number,
                limit=there,
            )


@ARKHAM.check(DECKBUILDING, family="pool", when=lambda tally: tally.deck.pool)
def named_pool(tally: Tally) -> Iterator[Problem]:
    """Cards come from the packs to which the deck confines itself."""
    facts = tally.profile.facts
    packs = expanded(tally.deck.pool, facts)
    left = [
        card
        for card, _ in _pooled(tally)
        if not any(printing.pack in packs for printing in facts.printings(card.root))
        and f"card:{card.root}" not in packs
    ]
    if left:
        yield _report(left, "the packs that the deck is confined to")


@ARKHAM.check(DECKBUILDING, family="pool", when=lambda tally: tally.deck.sealed)
def sealed_pool(tally: Tally) -> Iterator[Problem]:
    """Cards come from the sealed pool, no more copies than it holds."""
    facts = tally.profile.facts
    pool: dict[str, int] = {}
    for code, number in tally.deck.sealed.items():
        pool[facts.root(code)] = pool.get(facts.root(code), 0) + number
    for card, number in _pooled(tally):
        if number > pool.get(card.root, 0) and not card.subtype:
            yield Problem(
                f"{counted(number, 'copy')} of {card.label}; the sealed pool holds {pool.get(card.root, 0)}.",
                "Take copies out.",
                (card.label,),
                count=number,
                limit=pool.get(card.root, 0),
            )
