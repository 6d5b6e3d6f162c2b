"""Prices, checks and plans upgrades of Arkham Horror decks (for `kb.decks.upgrades`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_OPTIONS
from kb.decks.problems import Check, Finding, Problem
from kb.decks.remedies import Act
from kb.decks.upgrades import (
    EXILED,
    SIDE,
    Price,
    Purchase,
    PurchasePlan,
    StepReport,
    Upgrade,
    UpgradeLine,
    WishList,
    step_record,
)
from kb.errors import KbError
from kb.games.arkham.decks.agreement import CAMPAIGN, Agreement, NamedDeck
from kb.games.arkham.decks.checks.agreements import starting_experience
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import count_deck
from kb.games.arkham.decks.deck_form import value
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.edition import edition, judged_by
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.upgrade.changes import DECK, EXTRA, DeckChanges
from kb.games.arkham.decks.upgrade.plan import UPGRADE, UpgradePlan, UpgradeStep, cheapest_step
from kb.games.arkham.decks.upgrade.purchases import Bill, How, Terms, is_upgrade
from kb.games.arkham.decks.upgrade.wishes import PlanError, PlanSearch, State, Wishes, wishes_named, wishes_of_target
from kb.games.arkham.party import named_decks
from kb.plural import counted

DECK_BEFORE_IS_LEGAL: Check[NamedDeck] = Check(
    "deck-before-is-legal",
    "campaign",
    ("arkham/glossary/deckbuilding",),
    "The old deck of a step is legal.",
    "warning",
    lambda _deck: (),
    "arkham",
)


def upgrade(
    files: Sequence[DeckFile], facts: ArkhamFacts, earned: Sequence[int], options: Mapping[str, Any] = NO_OPTIONS
) -> Upgrade:
    """Check each step from a deck to the next, in the order of a campaign (see `in_order`).

    `earned` lists the experience earned before each step. Raises PartyError, or ChainError if the decks do not form a
    single chain.
    """
    decks = in_order(named_decks(files, facts, options))
    facts = facts.with_cards_of(*(each.deck for each in decks))
    return Upgrade(tuple(judge_campaign(decks, facts, earned)))


ACCOUNT = ("experience", "adjustment", "xp_spent", EXILED, "previous", "next_deck")
"""Keys of a deck file that describe the step that led to the deck."""


def begun(file: DeckFile, facts: ArkhamFacts) -> dict[str, Any]:
    """Return the keys of a new deck file that continues the deck in `file`.

    If the old deck has an id, the new file gets the next id and names the old one as `previous`. Raises DeckFileError.
    """
    keys = {key: each for key, each in value(file, facts).items() if key not in ACCOUNT}
    if before := keys.get("id"):
        number = re.search(r"-(\d{1,6})$", str(before))
        base = str(before)[: number.start()] if number else str(before)
        keys |= {"id": f"{base}-{int(number[1]) + 1 if number else 2}", "previous": str(before)}
    return keys


def prices(
    old: DeckFile, new: DeckFile, facts: ArkhamFacts, keys: Sequence[str], options: Mapping[str, Any] = NO_OPTIONS
) -> dict[str, Price]:
    """Return, for each card code in `keys`, the price of adding one more copy in the step from `old` to `new`.

    If the new deck has a lower level version of the card, the copy replaces it as an upgrade. Raises DeckFileError.
    """
    before, now = (named.deck for named in named_decks([old, new], facts, options))
    facts = facts.with_cards_of(before, now)
    spent = cheapest_step(before, now, facts)[1].cost
    by_key = {}
    for key in keys:
        card = facts.card(key)
        if card is None:
            continue
        lower = [version for version, _ in facts.held(now.cards) if is_upgrade(version, card)]
        source = max(lower, key=lambda version: version.level or 0).code if lower else ""
        cards = {**now.cards, key: now.cards.get(key, 0) + 1}
        if source:
            cards[source] -= 1
        cost = cheapest_step(before, replace(now, cards=cards), facts)[1].cost
        by_key[key] = Price(cost - spent, source)
    return by_key


def may_be_lost(file: DeckFile, facts: ArkhamFacts) -> list[str]:
    """Return the codes of the deck's cards that say to exile them when used. Raises DeckFileError."""
    deck = read_deck(file, facts)
    facts = facts.with_cards_of(deck)
    return [card.code for card, _ in facts.held(deck.cards) if "exile" in card.keywords]


def recorded(
    old: DeckFile, new: DeckFile, facts: ArkhamFacts, earned: Sequence[int], options: Mapping[str, Any] = NO_OPTIONS
) -> dict[str, Any]:
    """Return the keys of the new deck's file, with a record of the step: the experience available and spent, and the
    purchases.

    The keys for experience are those that other deck builders use. Raises DeckFileError.
    """
    (step,) = upgrade([old, new], facts, earned, options).steps
    keys = value(new, facts)
    if step.available is not None:
        keys |= {"experience": step.available - keys.get("adjustment", 0), "xp_spent": step.cost}
    description = str(keys.get("description_md") or "").rstrip()
    return {**keys, "description_md": "\n\n".join(filter(None, (description, step_record(step))))}


def plan(
    file: DeckFile, facts: ArkhamFacts, wish_list: WishList, options: Mapping[str, Any] = NO_OPTIONS
) -> PurchasePlan:
    """Return the purchases that fulfil the wishes with the shortest wait.

    Raises DeckFileError, PartyError, or PlanError if the wishes cannot be planned.
    """
    (named,) = named_decks([file], facts, options)
    facts = facts.with_cards_of(named.deck)
    wishes = wishes_for(named, wish_list, facts)
    search = PlanSearch(wishes, wish_list.now, wish_list.each, named.agreement)
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


def wishes_for(named: NamedDeck, wishes: WishList, facts: ArkhamFacts) -> Wishes:
    """Return the cards to plan for: the cards of a target deck or of the side deck, or the cards that the wish list
    names.

    Raises PlanError, or PartyError for a target deck that cannot be read.
    """
    files = [wish for wish in wishes.want if isinstance(wish, DeckFile)]
    names = [wish for wish in wishes.want if isinstance(wish, str)]
    if (files or SIDE in names) and len(wishes.want) > 1:
        raise PlanError("A target deck or the side deck must be the only --want. Otherwise name cards.")
    if not files:
        return wishes_named(named.deck, names, facts, wishes.out, wishes.keep)
    if wishes.out or wishes.keep:
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


class ChainError(KbError, ValueError):
    """The decks do not form a single sequence of upgrades. The message is written for users."""


def judge_step(
    old: NamedDeck, new: NamedDeck, facts: ArkhamFacts, earned: int | None = None, carried: int | None = None
) -> StepReport:
    """Price and check the upgrade from the deck `old` to the deck `new`; also check the new deck.

    `earned` is the experience earned before the step. Unspent experience and the new deck's adjustment are added to
    it. If `earned` is None, the experience available is the amount noted in the new deck (`xp` and `xp_adjustment` of
    deck files). `carried` is the experience left from earlier steps; None if unknown.
    """
    changes, plan = cheapest_step(old.deck, new.deck, facts)
    left = carried or 0
    available: int | None
    if earned is not None:
        available = earned + left + new.deck.adjustment
    elif new.deck.experience is not None:
        available = new.deck.experience + new.deck.adjustment
    else:
        available = None
    step = UpgradeStep(changes, plan, available, earned, left, new.deck)
    after = check_deck(new.deck, facts, new.file, new.agreement)
    findings = [*UPGRADE.run(step), *(finding for finding in after.findings if finding.severity == "error")]
    before = check_deck(old.deck, facts, old.file, old.agreement)
    if not before.legal:
        errors = sum(finding.severity == "error" for finding in before.findings)
        findings.append(
            Finding(
                DECK_BEFORE_IS_LEGAL,
                Problem(
                    f"The old deck is not legal ({counted(errors, 'error')}).",
                    count=errors,
                    limit=0,
                    remedies=(Act("check the old deck", "kb deck check"),),
                ),
            )
        )
    return StepReport(
        old.file,
        new.file,
        after.character,
        plan.cost,
        available,
        lines_of(changes, plan),
        tuple(edition(new.deck.rules).restated(findings)),
        after.details["judged_by"],
    )


def judge_campaign(decks: Sequence[NamedDeck], facts: ArkhamFacts, earned: Sequence[int] = ()) -> list[StepReport]:
    """Check each step of `decks`, a campaign's decks in order. Experience left after a step is available in the next.

    `earned` lists the experience earned before the first, second and further steps. If there are several steps,
    errors of the campaign's first deck are findings of the first step. Raises ChainError if there are fewer than two
    decks, or if `earned` has more numbers than there are steps.
    """
    if len(decks) < 2:
        raise ChainError("An upgrade needs two decks: the old one and the new one.")
    if len(earned) > len(decks) - 1:
        raise ChainError(f"{len(earned)} amounts of experience are given for {counted(len(decks) - 1, 'step')}.")
    steps: list[StepReport] = []
    carried = left_at_the_start(decks[0].deck, facts)
    for number, (old, new) in enumerate(pairwise(decks)):
        step = judge_step(old, new, facts, earned[number] if number < len(earned) else None, carried)
        if number == 0 and len(decks) > 2:
            step = _with_first_deck(step, old, facts)
        steps.append(step)
        carried = step.unspent
    return steps


def left_at_the_start(deck: ArkhamDeck, facts: ArkhamFacts) -> int | None:
    """Return the experience left before the first step; None if unknown.

    If the deck file notes experience (`xp`, `xp_adjustment`) and the amount spent (`xp_spent`), the result is the
    difference. If the deck begins a campaign, the result is the investigator's starting experience minus the cost of
    the deck.
    """
    if deck.experience is not None:
        spent = deck.rest.get("xp_spent")
        return max(0, deck.experience + deck.adjustment - spent) if type(spent) is int else None
    if deck.previous:
        return None
    counted = count_deck(deck, profile_of(facts, deck), CAMPAIGN)
    return max(0, starting_experience(counted) - counted.spent)


def in_order(decks: Sequence[NamedDeck]) -> list[NamedDeck]:
    """Return the decks in the order of a campaign: each deck may name the deck before it. If none does, keep the given
    order.

    Raises ChainError if the decks do not form a single chain.
    """
    ids = {named.deck.id for named in decks if named.deck.id}
    after = {named.deck.previous: named for named in decks if named.deck.previous in ids - {named.deck.id}}
    if not after:
        return list(decks)
    chain = [named for named in decks if named not in after.values()]
    while len(chain) < len(decks) and (following := after.get(chain[-1].deck.id) if chain else None):
        chain.append(following)
    if len(after) != len(decks) - 1 or len(chain) != len(decks):
        raise ChainError("The `previous_deck` values do not link these decks into a single chain.")
    return chain


def _with_first_deck(step: StepReport, first: NamedDeck, facts: ArkhamFacts) -> StepReport:
    """Return the report `step` with the errors of `first`, the deck that begins the campaign, added to its findings."""
    begins = not first.deck.previous and first.deck.experience is None
    report = check_deck(first.deck, facts, first.file, Agreement(start=True) if begins else CAMPAIGN)
    errors = tuple(finding for finding in report.findings if finding.severity == "error")
    findings = tuple(finding for finding in step.findings if not finding.by(DECK_BEFORE_IS_LEGAL))
    return replace(step, findings=(*errors, *findings))


def lines_of(changes: DeckChanges, plan: UpgradePlan) -> tuple[UpgradeLine, ...]:
    """Return the lines of a step: exiled cards, the purchases in the order of the plan, then removed cards.

    Neighbouring lines that differ only in the number of copies are combined.
    """
    by = edition(changes.new.rules)
    lines = (*_exiled(changes), *(_line(each, plan.terms) for each in plan.bills), *_removed(changes, plan))
    together = []
    for (line, cost), same in groupby(lines, lambda line: (replace(line, copies=1, cost=0), line.cost / line.copies)):
        copies = sum(each.copies for each in same)
        together.append(replace(line, copies=copies, cost=round(cost * copies), cites=by.entries(line.cites)))
    return tuple(together)


def _exiled(changes: DeckChanges) -> Iterator[UpgradeLine]:
    for change in changes.cards:
        if change.exiled:
            where = "extra deck" if change.pile == EXTRA else ""
            yield UpgradeLine("exile", change.card.label, change.exiled, 0, where, ("arkham/glossary/exile",))
        if change.forced:
            why = "no longer allowed in the deck"
            yield UpgradeLine(
                "remove",
                change.card.label,
                change.forced,
                0,
                why,
                ("arkham/rulings/1-18", "arkham/glossary/legal-deck-size"),
            )


def _removed(changes: DeckChanges, plan: UpgradePlan) -> Iterator[UpgradeLine]:
    """Yield a line for each purchasable card removed to make room. Upgraded and swapped cards have other lines."""
    swapped = Counter(each.out for each in plan.bills if each.out)
    for change in changes.cards:
        if not change.gone:
            continue
        copies = plan.removed(change) - (swapped[change.before_label] if change.pile == DECK else 0)
        if copies > 0:
            where = "extra deck" if change.pile == EXTRA else ""
            yield UpgradeLine("remove", change.card.label, copies, 0, where, ("arkham/glossary/purchasing-cards",))


def _line(purchase: Bill, terms: Terms) -> UpgradeLine:
    """Return the line that describes one purchase."""
    action, why, cite = purchase.how.value
    card = replace(purchase.card, level=purchase.level) if purchase.card.sheet else purchase.card
    why = why.format(level=purchase.level, price=purchase.price, **{"swaps": "", "second": ""} | terms.by)
    source = purchase.source.label if purchase.source else purchase.out
    why = "; ".join((why, *_more(purchase, terms)))
    return UpgradeLine(action, card.label, purchase.copies or 1, purchase.cost, why, (cite,), source)


def _more(purchase: Bill, terms: Terms) -> Iterator[str]:
    """Yield further reasons for the price of a purchase, each in a few words."""
    card = purchase.card
    new = purchase.how in (How.NEW, How.AGAIN)
    if new and "exceptional" in card.keywords:
        yield "exceptional"
    if card.surcharge and (new or (purchase.how is How.REFILL and purchase.cost)):
        yield f"taboo list {card.surcharge:+d}"
    if purchase.how is How.NEW and terms.dearer and purchase.price > 1:
        yield f"new cards {terms.dearer:+d}"
    if new and not purchase.level and purchase.price == 1:
        yield "at least 1"
    if purchase.off:
        yield f"{purchase.off} less with {purchase.by}"
    if purchase.pile == EXTRA:
        yield "extra deck"
