"""The steps and purchases of Arkham Horror decks as `kb.decks.upgrades` asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_FRAME
from kb.decks.upgrades import SIDE, Purchase, PurchasePlan, Upgrade
from kb.games.arkham.decks.editions import judged_by
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.upgrade.campaign import NamedDeck, in_order, judge_campaign
from kb.games.arkham.decks.upgrade.lines import lines_of
from kb.games.arkham.decks.upgrade.soonest import Bought, Soonest
from kb.games.arkham.decks.upgrade.wishes import (
    PlanError,
    Wishes,
    wishes_named,
    wishes_of_side_deck,
    wishes_of_target,
)
from kb.games.arkham.named import named_decks


def upgrade(
    files: Sequence[DeckFile], facts: Facts, earned: Sequence[int], frame: Mapping[str, Any] = NO_FRAME
) -> Upgrade:
    """Judge the steps of a chain of decks. Raises PartyError and ChainError."""
    return Upgrade(tuple(judge_campaign(in_order(named_decks(files, facts, frame)), facts, earned)))


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
        return wishes_of_target(named.deck, named_decks(files, facts)[0].deck, facts)
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
