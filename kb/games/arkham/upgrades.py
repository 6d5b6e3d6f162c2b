"""Prices and checks upgrades of Arkham Horror decks: the game's `upgrades` part (see `kb.decks.upgrades`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_OPTIONS
from kb.decks.problems import Check, Finding, Problem
from kb.decks.remedies import Act
from kb.decks.upgrades import Price, StepReport, Upgrade, UpgradeLine
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import CAMPAIGN, Agreement, NamedDeck
from kb.games.arkham.decks.checks.agreements import starting_experience
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import count_deck
from kb.games.arkham.decks.edition import edition, sentence
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.upgrade.changes import DECK, EXTRA, DeckChanges
from kb.games.arkham.decks.upgrade.plan import UPGRADE, UpgradePlan, UpgradeStep, cheapest_step
from kb.games.arkham.decks.upgrade.purchases import Bill, How, Terms, is_upgrade
from kb.games.arkham.party import named_decks
from kb.games.arkham.upgrade_form import begun, changes, recorded, records
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


@frozen
class PurchaseLine(UpgradeLine):
    """One line of an upgrade step, in the words of this game."""

    def text_with(self, name_of: Callable[[str], str]) -> str:
        """Return the line as a sentence with the names that `name_of` gives to its cards."""
        copies = f"{self.copies}x " if self.copies > 1 else ""
        source = f" {'for' if self.action == 'swap in' else 'from'} {name_of(self.source)}" if self.source else ""
        cost = f": {self.cost} experience" if self.action not in ("exile", "remove") else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.action.capitalize()} {copies}{name_of(self.card)}{source}{cost}{why}."


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
        "experience",
        sentence(after.details["judged_by"]),
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
            yield PurchaseLine("exile", change.card.label, change.exiled, 0, where, ("arkham/glossary/exile",))
        if change.forced:
            why = "no longer allowed in the deck"
            yield PurchaseLine(
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
            yield PurchaseLine("remove", change.card.label, copies, 0, where, ("arkham/glossary/purchasing-cards",))


def _line(purchase: Bill, terms: Terms) -> UpgradeLine:
    """Return the line that describes one purchase."""
    action, why, cite = purchase.how.value
    card = replace(purchase.card, level=purchase.level) if purchase.card.sheet else purchase.card
    why = why.format(level=purchase.level, price=purchase.price, **{"swaps": "", "second": ""} | terms.by)
    source = purchase.source.label if purchase.source else purchase.out
    why = "; ".join((why, *_more(purchase, terms)))
    return PurchaseLine(action, card.label, purchase.copies or 1, purchase.cost, why, (cite,), source)


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


__all__ = ["begun", "changes", "prices", "recorded", "records", "upgrade"]
