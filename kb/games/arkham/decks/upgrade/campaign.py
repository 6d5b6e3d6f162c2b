"""Judges a step between two decks, and a chain of decks as a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
from kb.decks.report import Finding
from kb.decks.upgrades import StepReport
from kb.errors import KbError
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.checks.frames import starting_experience
from kb.games.arkham.decks.editions import edition
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.ruleset import DECKBUILDING, UPGRADE, Step
from kb.games.arkham.decks.tally import tally
from kb.games.arkham.decks.upgrade.changes import Changes, changes_between
from kb.games.arkham.decks.upgrade.lines import lines_of
from kb.games.arkham.decks.upgrade.plan import Plan, cheapest
from kb.plural import counted


class ChainError(KbError, ValueError):
    """The decks are no chain. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class NamedDeck:
    """A deck with the name of its file, and the frame in which it is judged."""

    file: str
    deck: Deck
    frame: Frame = CAMPAIGN


def judge_step(
    old: NamedDeck, new: NamedDeck, facts: Facts, earned: int | None = None, carried: int | None = None
) -> StepReport:
    """Judge the step from one deck to the next, and the deck that comes out of it.

    earned: experience earned before the step, to which what was left and the adjustment of the deck after are added;
    without it the deck after says how much is available in all (`xp` and `xp_adjustment` of deck files). carried:
    experience left before, None when that is not known.
    """
    changes = changes_between(old.deck, new.deck, facts)
    plan = cheapest(changes)
    left = carried or 0
    available: int | None
    if earned is not None:
        available = earned + left + new.deck.adjustment
    elif new.deck.experience is not None:
        available = new.deck.experience + new.deck.adjustment
    else:
        available = None
    step = Step(changes, plan, available, earned, left)
    after = check_deck(new.deck, facts, new.file, new.frame)
    findings = [*UPGRADE.run(step), *(finding for finding in after.findings if finding.severity == "error")]
    before = check_deck(old.deck, facts, old.file, old.frame)
    if not before.legal:
        errors = sum(finding.severity == "error" for finding in before.findings)
        findings.append(
            Finding(
                check="deck-before-is-legal",
                game="arkham",
                family="campaign",
                severity="warning",
                message=f"The deck before the step is itself not legal ({counted(errors, 'error')}).",
                cards=(),
                cites=(DECKBUILDING,),
                fix="Run `kb deck check` on it.",
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


def check_step(changes: Changes, plan: Plan) -> tuple[Finding, ...]:
    """What the checks of a step say of it, whatever experience there is."""
    return tuple(UPGRADE.run(Step(changes, plan)))


def judge_campaign(decks: Sequence[NamedDeck], facts: Facts, earned: Sequence[int] = ()) -> list[StepReport]:
    """Judge each step of a chain of decks; unspent experience is carried from step to step.

    earned: experience earned before the first steps, one number a step. The errors of a deck that begins a campaign of
    several steps are findings of the first step. Raises ChainError when there are fewer than two decks or more numbers
    than steps.
    """
    if len(decks) < 2:
        raise ChainError("A step needs two decks: the deck before and the deck after.")
    if len(earned) > len(decks) - 1:
        raise ChainError(f"{len(earned)} numbers of experience are given for {len(decks) - 1} steps.")
    steps: list[StepReport] = []
    carried = left_at_the_start(decks[0].deck, facts)
    for number, (old, new) in enumerate(pairwise(decks)):
        step = judge_step(old, new, facts, earned[number] if number < len(earned) else None, carried)
        if number == 0 and len(decks) > 2:
            step = _with_first_deck(step, old, facts)
        steps.append(step)
        carried = step.unspent
    return steps


def left_at_the_start(deck: Deck, facts: Facts) -> int | None:
    """Experience left before the first step; None when nothing tells.

    A deck that begins a campaign has what the investigator begins with, less what the deck took; a deck file may say what
    there was and what was spent (`xp`, `xp_adjustment`, `xp_spent`).
    """
    if deck.experience is not None:
        spent = deck.rest.get("xp_spent")
        return max(0, deck.experience + deck.adjustment - spent) if type(spent) is int else None
    if deck.previous:
        return None
    counted = tally(deck, profile_of(facts, deck), CAMPAIGN)
    return max(0, starting_experience(counted) - counted.spent)


def in_order(decks: Sequence[NamedDeck]) -> list[NamedDeck]:
    """The decks as a chain: by the deck that each names as the one before it, else in the order given.

    Raises ChainError when two decks name the same one before them, or when the decks fall into several chains.
    """
    by_id = {named.deck.id: named for named in decks if named.deck.id}
    after: dict[str, NamedDeck] = {}
    for named in decks:
        previous = named.deck.previous
        if previous and previous in by_id and by_id[previous] is not named:
            if previous in after:
                raise ChainError(f"{after[previous].file} and {named.file} both follow the deck {previous}.")
            after[previous] = named
    if not after:
        return list(decks)
    first = [named for named in decks if named not in after.values()]
    if len(first) != 1:
        names = ", ".join(named.file for named in first) or "none"
        raise ChainError(
            f"The decks do not form a single chain by their `previous_deck`; without a deck before them: {names}."
        )
    chain = first
    while (following := after.get(chain[-1].deck.id)) is not None and len(chain) < len(decks):
        chain.append(following)
    if len(chain) < len(decks):
        raise ChainError("The decks do not form a single chain by their `previous_deck`.")
    return chain


def _with_first_deck(step: StepReport, first: NamedDeck, facts: Facts) -> StepReport:
    """The step with the errors of the deck that begins the campaign."""
    begins = not first.deck.previous and first.deck.experience is None
    report = check_deck(first.deck, facts, first.file, Frame(start=True) if begins else CAMPAIGN)
    errors = tuple(finding for finding in report.findings if finding.severity == "error")
    findings = tuple(finding for finding in step.findings if finding.check != "deck-before-is-legal")
    return replace(step, findings=(*errors, *findings))
