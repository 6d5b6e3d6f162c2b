"""Checks on the card pool: environments, owned products, a pool named by the deck, sealed pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from kb.decks.report import Problem
from kb.games.arkham.decks.editions import GRIMOIRE, edition
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.products import (
    DISCRETION,
    copies_owned,
    expanded,
    expansions,
    fitting_expansions,
    groups,
    latest_expansions,
    not_known,
    outside,
)
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, ENVIRONMENTS, REPRINTS, REWARDS
from kb.games.arkham.decks.tally import Tally, excess
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


def _report(found: list[Card], where: str, fix: str = "Replace these cards.") -> Problem:
    names = tuple(dict.fromkeys(card.label for card in found))
    return Problem(f"Not in {where}: {', '.join(names)}.", fix, names)


@ARKHAM.check(f"{ENVIRONMENTS}/current", f"{ENVIRONMENTS}/limited", family="pool", when=lambda tally: tally.framed)
def environment(tally: Tally) -> Iterator[Problem]:
    """Cards and investigator come from the products of the environment that was chosen."""
    frame, facts, by = tally.frame, tally.profile.facts, edition(tally.deck.rules)
    called = frame.environment
    if called == "legacy":
        return
    known = [card for card, _ in _pooled(tally) if not not_known(card, facts, by)]
    free = [card for card in known if groups(card, facts) <= DISCRETION]
    held = [card for card in known if card not in free]
    if called == "current":
        chosen = latest_expansions(facts, by)
    elif frame.expansions:
        chosen = frame.expansions
        there = expansions(facts, by)
        if unknown := [code for code in chosen if code not in there]:
            yield Problem(
                f"No investigator expansion is called {', '.join(unknown)}.", f"Choose among {', '.join(there)}."
            )
        if len(chosen) > by.at_once:
            said = f"{len(chosen)} expansions are chosen, the limit is {by.at_once}."
            yield Problem(said, "Choose three.", count=len(chosen), limit=by.at_once)
    else:
        chosen = fitting_expansions(held, facts, by)
    products = ", ".join(facts.cycles[code].name for code in (*by.base, *chosen) if code in facts.cycles)
    cites, discretion = (f"{ENVIRONMENTS}/{called}",), f"{ENVIRONMENTS}/parallels-promos-story-assets"
    if left := outside(held, chosen, facts, by):
        others = [
            each.label
            for card in left
            for each in facts.printings(card.root)
            if each.modified != card.modified and not outside([each], chosen, facts, by)
        ]
        fix = f"Replace these cards; {', '.join(others)} would be in it." if others else "Replace these cards."
        yield replace(_report(left, f"the {called} environment of {by.short} ({products})", fix), cites=cites)
    who = tally.profile.back
    if who and outside([who], chosen, facts, by) and not not_known(who, facts, by):
        if groups(who, facts) <= DISCRETION or called == "limited":
            said = f"{who.label} is outside the environment: at the group's discretion."
            yield Problem(said, "", (who.label,), "note", (discretion, *cites))
        else:
            said = f"{who.label} is outside the {called} environment of {by.short}."
            fix = f"Choose an investigator of its products ({products}), or play in Legacy."
            yield Problem(said, fix, (who.label,), cites=cites)
    if labels := tuple(dict.fromkeys(card.label for card in free)):
        yield Problem(f"At the group's discretion: {', '.join(labels)}.", "", labels, "note", (discretion,))


@ARKHAM.check(REPRINTS, family="copies", when=lambda tally: tally.deck.rules == GRIMOIRE)
def one_version_of_a_reprint(tally: Tally) -> Iterator[Problem]:
    """Of a card with a modified reprint the deck holds the original or the reprint, not both."""
    by_root: dict[str, dict[bool, str]] = {}
    for card, _ in tally.cards():
        by_root.setdefault(card.root, {}).setdefault(card.modified, card.label)
    for found in by_root.values():
        if len(found) > 1:
            yield Problem(
                f"{found[False]} and {found[True]} are two versions of one card, which play differently; "
                "a deck may hold copies of only one of them.",
                "Take all of the same version.",
                tuple(found.values()),
            )


@ARKHAM.check(REWARDS, family="access", severity="note")
def reward_cards_unlocked(tally: Tally) -> Iterator[Problem]:
    """Reward cards are for decks once a campaign has unlocked them, and no more than one permanent one is in a deck."""
    rewards = [(card, copies) for card, copies in tally.cards() if card.reward]
    if not rewards:
        return
    labels = tuple(dict.fromkeys(card.label for card, _ in rewards))
    yield Problem(
        f"Reward cards, allowed once the outcome of a campaign has unlocked them: {', '.join(labels)}.",
        "Compare with what your collection has unlocked.",
        labels,
    )
    lasting = sum(copies for card, copies in rewards if card.permanent)
    if lasting > 1:
        yield Problem(
            f"{lasting} permanent reward cards; a deck may have 1.",
            f"Take out {counted(lasting - 1, 'card')}.",
            labels,
            "error",
            count=lasting,
            limit=1,
        )


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
            yield excess(first, number, there, "the products owned hold", "Take copies out, or add the product.")


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
            yield excess(card, number, pool.get(card.root, 0), "the sealed pool holds", "Take copies out.")
