"""Checks of the extra deck (spirit deck) of an investigator who has one."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, OPTIONS, SIGNATURES
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import labels, with_copies
from kb.plural import counted


@ARKHAM.check(DECKBUILDING, family="count", when=lambda tally: tally.extra)
def extra_deck_size(tally: Tally) -> Iterator[Problem]:
    """An extra deck (spirit deck) has exactly the cards that the investigator's back names."""
    extra = tally.extra
    if extra is None:
        return
    wanted = extra.profile.size
    if extra.size != wanted:
        yield Problem(
            f"The extra deck has {counted(extra.size, 'card')} that count; its size is {wanted}.",
            f"Add {counted(wanted - extra.size, 'card')} to it."
            if extra.size < wanted
            else f"Take {counted(extra.size - wanted, 'card')} out of it.",
            count=extra.size,
            limit=wanted,
        )


@ARKHAM.check(DECKBUILDING, OPTIONS, family="access", when=lambda tally: tally.extra)
def extra_deck_cards(tally: Tally) -> Iterator[Problem]:
    """An extra deck holds only cards from its own options, each of them different."""
    extra = tally.extra
    if extra is None:
        return
    facts = tally.profile.facts
    rows = [*(row for found in extra.denied.values() for row in found), *extra.unknown]
    rows += [row for row in extra.unusual if row[0].kind in (Kind.BASIC, Kind.WEAKNESS, Kind.STORY)]
    listed = extra.profile.signatures
    rows += [row for row in extra.of_kind(Kind.SIGNATURE) if row[0].card and row[0].card.root not in listed]
    if rows:
        yield Problem(
            f"Not for the extra deck: {with_copies(rows, facts)}.", "Take them out of it.", labels(rows, facts)
        )


@ARKHAM.check(DECKBUILDING, family="copies", when=lambda tally: tally.extra)
def extra_deck_different(tally: Tally) -> Iterator[Problem]:
    """The cards of an extra deck are all different, by title."""
    extra = tally.extra
    if extra is None:
        return
    for crowd in extra.crowds:
        names = tuple(card.label for card, _ in crowd.rows)
        yield Problem(
            f"{counted(crowd.copies, 'copy')} of {names[0]} in the extra deck: each title only once.",
            f"{'Exchange' if extra.size <= extra.profile.size else 'Take out'} {counted(crowd.copies - crowd.limit, 'copy')}.",
            names,
            count=crowd.copies,
            limit=crowd.limit,
        )


@ARKHAM.check(SIGNATURES, DECKBUILDING, family="required", when=lambda tally: tally.extra)
def extra_deck_signature(tally: Tally) -> Iterator[Problem]:
    """An extra deck holds its own required cards, exactly as many as listed."""
    extra = tally.extra
    if extra is None:
        return
    for need in extra.profile.needs:
        copies = extra.signatures.get(need.root, 0)
        card = tally.profile.facts.card(need.root)
        if copies != need.least and card:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label} in the extra deck, {need.least} required.",
                "Add it." if copies < need.least else "Take the others out.",
                (card.label,),
                count=copies,
                limit=need.least,
            )
