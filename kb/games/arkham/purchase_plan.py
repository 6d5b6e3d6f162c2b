"""Plans the purchases of an Arkham Horror deck after each scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_OPTIONS
from kb.decks.upgrades import UpgradeLine
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import NamedDeck
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.edition import judged_by
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.upgrade.changes import DeckChanges
from kb.games.arkham.decks.upgrade.plan import UPGRADE, UpgradePlan, UpgradeStep
from kb.games.arkham.decks.upgrade.purchases import How
from kb.games.arkham.decks.upgrade.wishes import (
    SIDE,
    PlanError,
    PlanSearch,
    State,
    Wishes,
    wishes_named,
    wishes_of_target,
)
from kb.games.arkham.party import named_decks
from kb.games.arkham.upgrades import lines_of
from kb.plural import counted
from kb.shapes import Jsonable, computed, key


@frozen
class Purchase(Jsonable):
    """The purchases after one scenario."""

    scenario: int
    """The number of the scenario; 0: now."""
    available: int
    """Experience available."""
    cost: int = key(name="spent")
    """Experience spent."""
    wishes: tuple[str, ...]
    """The wishes that are fulfilled."""
    lines: tuple[UpgradeLine, ...]
    """The purchases, line by line."""
    notes: tuple[str, ...] = ()
    """Notes: cards to add for free, prices that no source states, and trauma."""

    @computed
    def left(self) -> int:
        """Experience left."""
        return self.available - self.cost


@frozen
class PurchasePlan(Jsonable):
    """A plan of purchases after each scenario that fulfils wishes as early as possible."""

    file: str = key(name="deck")
    """The deck's file."""
    character: str
    """The deck's owner."""
    purchases: tuple[Purchase, ...] = key(name="scenarios")
    """The purchases now and after each scenario."""
    missed: tuple[str, ...]
    """The wishes that are not fulfilled."""
    errors_before: int
    """The number of errors in the current deck."""
    judged_by: Mapping[str, str]
    """The rules used, in words."""
    proposed: tuple[str, ...] = ()
    """Cards that kb proposes to remove although the user did not list them."""
    exact: bool = True
    """True if the plan is the best one; false if the list of wishes is too long to try all orders."""

    @computed
    def cost(self) -> int:
        """The experience that all purchases cost together."""
        return sum(one.cost for one in self.purchases)


def plan(
    file: DeckFile,
    facts: ArkhamFacts,
    want: Sequence[str | DeckFile] = (),
    *,
    now: int = 0,
    each: int = 0,
    out: Sequence[str] = (),
    keep: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> PurchasePlan:
    """Return the purchases that fulfil wishes with the shortest wait.

    `want` contains cards, deck files to reach, or `side` for the side deck, which is also the default. `now` is the
    experience available, and `each` the experience gained from each scenario. `out` lists cards that may be removed
    first, and `keep` lists cards that stay. `options` are check options. Raises DeckFileError, PartyError, or PlanError
    if the wishes cannot be planned.
    """
    (named,) = named_decks([file], facts, options)
    facts = facts.with_cards_of(named.deck)
    wishes = wishes_for(named, want or [SIDE], out, keep, facts)
    search = PlanSearch(wishes, now, each, named.agreement)
    states = search.find()
    return PurchasePlan(
        file=named.file,
        character=facts.name(named.deck.investigator),
        purchases=tuple(purchases(search, states)),
        missed=come_true(wishes, states[-1], wishes.everything),
        proposed=wishes.proposed(states[-1]),
        exact=search.exact,
        errors_before=len(search.errors(wishes.nothing)),
        judged_by=judged_by(named.deck.rules, named.deck.taboo, named.agreement.environment, facts),
    )


def wishes_for(
    named: NamedDeck, want: Sequence[str | DeckFile], out: Sequence[str], keep: Sequence[str], facts: ArkhamFacts
) -> Wishes:
    """Return the cards to plan for: the cards of a target deck or of the side deck, or the cards that `want` names.

    Raises PlanError, or PartyError for a target deck that cannot be read.
    """
    files = [wish for wish in want if isinstance(wish, DeckFile)]
    names = [wish for wish in want if isinstance(wish, str)]
    if (files or SIDE in names) and len(want) > 1:
        raise PlanError("A target deck or the side deck must be the only --want. Otherwise name cards.")
    if not files:
        return wishes_named(named.deck, names, facts, out, keep)
    if out or keep:
        raise PlanError("--drop and --keep cannot be used with a target deck, which already says which cards leave.")
    target = named_decks(files, facts)[0].deck
    return wishes_of_target(named.deck, target, facts.with_cards_of(target))


def purchases(search: PlanSearch, states: Sequence[State]) -> Iterator[Purchase]:
    """Yield the purchases now and after each scenario. `states` lists the wishes that are fulfilled at each of these points."""
    spent = 0
    for scenario, (had, has) in enumerate(pairwise([search.wishes.nothing, *states])):
        changes, plan = search.step(had, has)
        available = search.now + search.each * scenario - spent
        spent += plan.cost
        lines, notes = (
            (lines_of(changes, plan), notes_on(changes, plan, available, search.wishes.deck_at(has)))
            if had != has
            else ((), ())
        )
        yield Purchase(scenario, available, plan.cost, come_true(search.wishes, had, has), lines, tuple(notes))


def notes_on(changes: DeckChanges, plan: UpgradePlan, available: int, after: ArkhamDeck) -> Iterator[str]:
    """Yield notes on one planned step, which ends with the deck `after`.

    They are the notes of the step's checks, and the number of level 0 cards that the player still has to choose.
    """
    step = UpgradeStep(changes, plan, available, undecided=after)
    yield from (each.message for each in UPGRADE.run(step) if each.severity == "note")
    for pile, places in changes.holes.items():
        if left := places - sum(each.how is How.REFILL and each.pile == pile for each in plan.bills):
            yield f"{counted(left, 'level 0 card')} of your choice must be added to the {pile} for free, up to its size."


def come_true(wishes: Wishes, before: Sequence[int], after: Sequence[int]) -> tuple[str, ...]:
    """Return the wishes fulfilled in the state `after` but not in `before`, in words."""
    return tuple(
        replace(wish, copies=new - old).label
        for wish, old, new in zip(wishes.wanted, before, after, strict=True)
        if new > old
    )
