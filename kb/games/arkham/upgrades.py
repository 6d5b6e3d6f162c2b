"""The steps and purchases of Arkham Horror decks as `kb.decks.upgrades` asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_FRAME
from kb.decks.upgrades import EXILED, SIDE, Price, Purchase, PurchasePlan, Upgrade
from kb.games.arkham.decks.adapter import read_deck
from kb.games.arkham.decks.editions import judged_by
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.form import value
from kb.games.arkham.decks.json_deck import with_fan_made
from kb.games.arkham.decks.upgrade.campaign import NamedDeck, in_order, judge_campaign
from kb.games.arkham.decks.upgrade.changes import changes_between
from kb.games.arkham.decks.upgrade.lines import lines_of
from kb.games.arkham.decks.upgrade.plan import cheapest
from kb.games.arkham.decks.upgrade.purchases import is_upgrade
from kb.games.arkham.decks.upgrade.soonest import Bought, Soonest
from kb.games.arkham.decks.upgrade.wishes import (
    PlanError,
    Wishes,
    wishes_named,
    wishes_of_side_deck,
    wishes_of_target,
)
from kb.games.arkham.party import named_decks


def upgrade(
    files: Sequence[DeckFile], facts: Facts, earned: Sequence[int], frame: Mapping[str, Any] = NO_FRAME
) -> Upgrade:
    """Judge the steps of a chain of decks. Raises PartyError and ChainError."""
    decks = in_order(named_decks(files, facts, frame))
    facts = with_fan_made(facts, *(each.deck for each in decks))
    return Upgrade(tuple(judge_campaign(decks, facts, earned)))


ACCOUNT = ("experience", "adjustment", "xp_spent", EXILED, "previous", "next_deck")
"""Keys of a deck file that tell of the step which led to the deck."""


def begun(file: DeckFile, facts: Facts) -> dict[str, Any]:
    """The keys of the deck file with which a step begins; it names the deck before when that has an id. Raises DeckFileError."""
    told = {key: each for key, each in value(file, facts).items() if key not in ACCOUNT}
    if before := told.get("id"):
        number = re.search(r"-(\d{1,6})$", str(before))
        base = str(before)[: number.start()] if number else str(before)
        told |= {"id": f"{base}-{int(number[1]) + 1 if number else 2}", "previous": str(before)}
    return told


def prices(
    old: DeckFile, new: DeckFile, facts: Facts, keys: Sequence[str], frame: Mapping[str, Any] = NO_FRAME
) -> dict[str, Price]:
    """What one more copy of each card would cost in the step, in place of a lower version where there is one. Raises DeckFileError."""
    before, now = (named.deck for named in named_decks([old, new], facts, frame))
    facts = with_fan_made(facts, before, now)
    spent = cheapest(changes_between(before, now, facts)).cost
    found = {}
    for key in keys:
        card = facts.card(key)
        if card is None:
            continue
        lower = [
            held
            for code, copies in now.cards.items()
            if copies > 0 and (held := facts.card(code)) is not None and is_upgrade(held, card)
        ]
        source = max(lower, key=lambda held: held.level or 0).code if lower else ""
        cards = {**now.cards, key: now.cards.get(key, 0) + 1}
        if source:
            cards[source] -= 1
        cost = cheapest(changes_between(before, replace(now, cards=cards), facts)).cost
        found[key] = Price(cost - spent, source)
    return found


def may_be_lost(file: DeckFile, facts: Facts) -> list[str]:
    """Codes of the deck's cards that are exiled when they are used. Raises DeckFileError."""
    deck = read_deck(file, facts)
    facts = with_fan_made(facts, deck)
    cards = (facts.card(code) for code, copies in deck.cards.items() if copies > 0)
    return [card.code for card in cards if card is not None and card.exile]


def recorded(
    old: DeckFile, new: DeckFile, facts: Facts, earned: Sequence[int], frame: Mapping[str, Any] = NO_FRAME
) -> dict[str, Any]:
    """The deck after as the keys of a deck file: with the experience that there was and was spent, and the lines of the step.

    They stand under keys that other deck builders have too. Raises DeckFileError.
    """
    (step,) = upgrade([old, new], facts, earned, frame).steps
    told = value(new, facts)
    there = ""
    if step.available is not None:
        told |= {"experience": step.available - told.get("adjustment", 0), "xp_spent": step.cost}
        there = f"{step.available} experience, "
    account = [f"**Upgrade**: {there}{step.cost} spent.", *(f"- {line.text}" for line in step.lines)]
    said = str(told.get("description_md") or "").rstrip()
    return {**told, "description_md": "\n".join([said, "", *account] if said else account)}


def plan(
    file: DeckFile,
    facts: Facts,
    want: Sequence[str | DeckFile],
    now: int,
    each: int,
    out: Sequence[str],
    keep: Sequence[str] = (),
    frame: Mapping[str, Any] = NO_FRAME,
) -> PurchasePlan:
    """Plan purchases that let the wishes come true soonest, exactly. Raises PartyError, PlanError and DeckFileError."""
    (named,) = named_decks([file], facts, frame)
    facts = with_fan_made(facts, named.deck)
    wishes = wishes_for(named, want or [SIDE], out, keep, facts)
    finder = Soonest(wishes, now, each, named.frame)
    bought = finder.find()
    card = facts.card(named.deck.investigator)
    return PurchasePlan(
        file=named.file,
        character=card.name if card else named.deck.investigator,
        purchases=tuple(purchases(wishes, bought)),
        missed=come_true(wishes, bought[-1].had, wishes.everything),
        proposed=wishes.proposed(bought[-1].had),
        exact=finder.exact,
        errors_before=len(finder.errors(wishes.nothing)),
        judged_by=judged_by(named.deck.rules, named.deck.taboo, named.frame.environment, facts),
    )


def wishes_for(
    named: NamedDeck, want: Sequence[str | DeckFile], out: Sequence[str], keep: Sequence[str], facts: Facts
) -> Wishes:
    """The wish list: of a deck to get to, the side deck, or cards. Raises PlanError, and PartyError for a deck that cannot be read."""
    files = [wish for wish in want if isinstance(wish, DeckFile)]
    if (files or SIDE in want) and len(want) > 1:
        raise PlanError("A target deck or the side deck is the whole wish list; name it alone, or name cards.")
    if files:
        if out or keep:
            raise PlanError("A target deck says itself what leaves; --drop and --keep are for cards and the side deck.")
        target = named_decks(files, facts)[0].deck
        return wishes_of_target(named.deck, target, with_fan_made(facts, target))
    if SIDE in want:
        return wishes_of_side_deck(named.deck, facts, out, keep)
    return wishes_named(named.deck, [wish for wish in want if isinstance(wish, str)], facts, out, keep)


def purchases(wishes: Wishes, bought: Sequence[Bought]) -> Iterator[Purchase]:
    """What is bought after each scenario, line by line."""
    had = wishes.nothing
    for one in bought:
        lines = lines_of(one.changes, one.plan) if one.changes and one.plan else ()
        yield Purchase(one.scenario, one.available, one.cost, come_true(wishes, had, one.had), lines)
        had = one.had


def come_true(wishes: Wishes, before: Sequence[int], after: Sequence[int]) -> tuple[str, ...]:
    """The wishes that came true between two states, for people."""
    return tuple(
        replace(wish, copies=new - old).label
        for wish, old, new in zip(wishes.wanted, before, after, strict=True)
        if new > old
    )
