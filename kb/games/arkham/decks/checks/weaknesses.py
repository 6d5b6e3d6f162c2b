"""Checks on weaknesses."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.arkham.decks.checks.signatures import number_of_signatures, signatures_replaced
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.ruleset import (
    ARKHAM,
    BASIC_WEAKNESS,
    DECKBUILDING,
    REPLACED_WEAKNESS,
    ULTIMATUMS,
    WEAKNESS,
    WEAKNESS_POOL,
)
from kb.games.arkham.decks.status import Denial
from kb.games.arkham.decks.tally import Tally
from kb.plural import counted


@ARKHAM.check(DECKBUILDING, BASIC_WEAKNESS, REPLACED_WEAKNESS, family="required")
def random_basic_weaknesses(tally: Tally) -> Iterator[Problem]:
    """Every required random basic weakness is in the deck, or a weakness that took its place in the campaign."""
    build = tally.profile.build
    if build is None:
        return
    wanted = build.random_weaknesses
    cites = None
    if "disaster" in tally.frame.ultimatums:
        wanted += 1
        cites = (DECKBUILDING, f"{ULTIMATUMS}/disaster")
    if signatures_replaced(tally.profile.facts, tally.deck):
        wanted += number_of_signatures(tally)
    there = sum([copies for _, copies in tally.basics])
    if there < wanted and tally.special:
        there += sum(copies for card, copies in tally.special_cards() if card.special.stands_for_basic)
    if there < wanted:
        yield Problem(
            f"{counted(there, 'basic weakness')} in the deck, {wanted} required.",
            f"Draw {wanted - there} at random (`kb deck weakness`).",
            cites=cites,
            count=there,
            limit=wanted,
        )


@ARKHAM.check(BASIC_WEAKNESS, DECKBUILDING, family="required", severity="note", when=lambda tally: tally.basics)
def weakness_still_to_draw(tally: Tally) -> Iterator[Problem]:
    """A placeholder stands for a random basic weakness that is still to be drawn."""
    number = sum(copies for status, copies in tally.basics if status.card is not None and status.card.hidden)
    if number:
        yield Problem(
            f"{counted(number, 'random basic weakness')} still to be drawn.",
            "Draw before the first game.",
        )


@ARKHAM.check(WEAKNESS_POOL, BASIC_WEAKNESS, family="copies", when=lambda tally: tally.basics)
def weaknesses_within_the_pool(tally: Tally) -> Iterator[Problem]:
    """No more copies of a basic weakness than one copy of each product holds."""
    owned = tally.frame.products
    facts = tally.profile.facts
    known = [(status.card, copies) for status, copies in tally.basics if status.card and not status.card.hidden]
    if owned:
        by_root: dict[str, tuple[Card, int]] = {}
        for card, copies in known:
            by_root[card.root] = (card, copies + by_root.get(card.root, (card, 0))[1])
        known = list(by_root.values())
    for card, copies in known:
        most = card.quantity
        if owned:
            most = sum(printing.quantity for printing in facts.printings(card.root) if printing.pack in owned)
        if copies > most:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label}; one copy of each product holds {most}.",
                f"Replace {copies - most} with another random basic weakness.",
                (card.label,),
                count=copies,
                limit=most,
            )


@ARKHAM.check(WEAKNESS, DECKBUILDING, family="copies", when=lambda tally: tally.weaknesses)
def other_weaknesses_exist(tally: Tally) -> Iterator[Problem]:
    """No more copies of a weakness that a campaign gave than its product holds."""
    for status, copies in tally.weaknesses:
        card = status.card
        if card is not None and copies > max(card.quantity, card.limit or 0):
            most = max(card.quantity, card.limit or 0)
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label}; the product holds {most}.",
                f"Take out {counted(copies - most, 'copy')}.",
                (card.label,),
                count=copies,
                limit=most,
            )


@ARKHAM.check(BASIC_WEAKNESS, DECKBUILDING, family="access", when=lambda tally: tally.denied)
def weaknesses_of_the_class(tally: Tally) -> Iterator[Problem]:
    """A basic weakness for investigators of one class is only in decks of that class."""
    for status, _ in tally.denied.get(Denial.CLASS, []):
        if status.card is not None:
            classes = either(sorted(status.card.only_classes))
            yield Problem(
                f"{status.card.label} is only for {classes} investigators.",
                "Draw another random basic weakness.",
                (status.card.label,),
            )
