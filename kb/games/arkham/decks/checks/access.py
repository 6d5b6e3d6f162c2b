"""Checks on which cards an investigator may have."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import (
    ARKHAM,
    CUSTOMIZABLE,
    DECKBUILDING,
    MULTI_CLASS,
    OPTIONS,
    QUILL,
    RESEARCHED,
    SCENARIO_RULING,
    SIGNATURES,
    STORY_ASSETS,
    TABOO,
)
from kb.games.arkham.decks.status import Denial
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import labels, out, with_copies


@ARKHAM.check(OPTIONS, MULTI_CLASS, DECKBUILDING, family="access", when=lambda tally: tally.denied)
def within_options(tally: Tally) -> Iterator[Problem]:
    """Each standard card falls into one of the investigator's deckbuilding options."""
    rows = tally.denied.get(Denial.OPTIONS, [])
    plain = [row for row in rows if not (row[0].card and row[0].card.spent)]
    if plain:
        back = tally.profile.back
        whose = f"of {back.label}" if back else ""
        yield Problem(
            f"Not covered by any of the deckbuilding options {whose}: {with_copies(plain, tally.profile.facts)}.",
            "Replace these cards with cards from the options.",
            labels(plain, tally.profile.facts),
        )
    for status, _ in rows:
        if status.card and status.card.spent:
            yield Problem(
                f"{status.card.name} [{status.code}] is a level {status.card.level} card by its marked boxes, "
                "which none of the deckbuilding options allows.",
                "Mark fewer boxes, or take the card out.",
                (status.card.label,),
                cites=(CUSTOMIZABLE, QUILL, OPTIONS),
            )


@ARKHAM.check(OPTIONS, DECKBUILDING, family="access", when=lambda tally: tally.denied)
def restrictions_kept(tally: Tally) -> Iterator[Problem]:
    """No card that a deckbuilding restriction excludes, unless an earlier option lets it in."""
    if rows := tally.denied.get(Denial.FORBIDDEN):
        yield Problem(
            f"Excluded by a deckbuilding restriction: {with_copies(rows, tally.profile.facts)}.",
            out(tally, "Take these cards out.", rows),
            labels(rows, tally.profile.facts),
        )


@ARKHAM.check(DECKBUILDING, family="access", when=lambda tally: tally.denied)
def traits_of_the_investigator(tally: Tally) -> Iterator[Problem]:
    """A card for decks of certain traits needs an investigator (front) with one of them."""
    for status, copies in tally.denied.get(Denial.TRAIT, []):
        if status.card:
            traits = either(trait.title() for trait in sorted(status.card.only_traits))
            yield Problem(
                f"{status.card.label} is only for investigators with the trait {traits}.",
                out(tally, "Take it out of the deck.", [(status, copies)]),
                (status.card.label,),
            )


@ARKHAM.check(SIGNATURES, family="access", when=lambda tally: tally.denied)
def signatures_of_others(tally: Tally) -> Iterator[Problem]:
    """No signature card or signature weakness of another investigator."""
    for status, _ in tally.denied.get(Denial.SIGNATURE, []):
        if status.card:
            owners = sorted(
                {card.name for code in status.card.only_investigators if (card := tally.profile.facts.card(code))}
            )
            yield Problem(
                f"{status.card.label} is a signature card of {either(owners or ['another investigator'])}.",
                "Take it out of the deck.",
                (status.card.label,),
            )


@ARKHAM.check(TABOO, family="access", when=lambda tally: tally.denied)
def taboo_forbidden(tally: Tally) -> Iterator[Problem]:
    """No card that the taboo list in force forbids."""
    if rows := tally.denied.get(Denial.TABOO):
        yield Problem(
            f"Forbidden by taboo list {tally.deck.taboo}: {with_copies(rows, tally.profile.facts)}.",
            f"{out(tally, 'Take these cards out.', rows)} Or play without the taboo list.",
            labels(rows, tally.profile.facts),
        )


@ARKHAM.check(STORY_ASSETS, SCENARIO_RULING, family="access", severity="note", when=lambda tally: tally.granted)
def story_cards_granted(tally: Tally) -> Iterator[Problem]:
    """Story cards belong in the deck only when a scenario granted them, which the campaign log tells."""
    yield Problem(
        f"Allowed only when the campaign granted them: {with_copies(tally.granted, tally.profile.facts)}.",
        "Compare with the campaign log.",
        labels(tally.granted, tally.profile.facts),
    )


@ARKHAM.check(RESEARCHED, family="access", severity="note", when=lambda tally: tally.researched)
def researched_cards_earned(tally: Tally) -> Iterator[Problem]:
    """Researched cards come in only as upgrades, once the campaign log records their task: none is in the first deck."""
    if tally.frame.start:
        yield Problem(
            f"Only upgrades bring researched cards into a deck, none is there when it is built: "
            f"{with_copies(tally.researched, tally.profile.facts)}.",
            "Take the version without that keyword.",
            labels(tally.researched, tally.profile.facts),
            "error",
        )
        return
    yield Problem(
        f"Allowed only as upgrades after their task is recorded: {with_copies(tally.researched, tally.profile.facts)}.",
        "Compare with the campaign log.",
        labels(tally.researched, tally.profile.facts),
    )
