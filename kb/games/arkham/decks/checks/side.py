"""Checks on what lies beside the deck: a deck of its own, cards set beside it, the side deck of candidates."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.entries import Kind
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, OPTIONS, PURCHASING, SIGNATURES
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import labels, with_copies
from kb.games.arkham.schema.special import Attach
from kb.plural import counted


@ARKHAM.check(DECKBUILDING, family="count", when=lambda tally: tally.side)
def extra_deck_size(tally: Tally) -> Iterator[Problem]:
    """An extra deck (spirit deck) has exactly the cards that the investigator's back names."""
    side = tally.side
    if side is None:
        return
    wanted = side.profile.size
    if side.size != wanted:
        yield Problem(
            f"The extra deck has {counted(side.size, 'card')} that count; its size is {wanted}.",
            f"Add {counted(wanted - side.size, 'card')}."
            if side.size < wanted
            else f"Take out {counted(side.size - wanted, 'card')}.",
            count=side.size,
            limit=wanted,
        )


@ARKHAM.check(DECKBUILDING, OPTIONS, family="access", when=lambda tally: tally.side)
def extra_deck_cards(tally: Tally) -> Iterator[Problem]:
    """An extra deck holds only cards from its own options, each of them different."""
    side = tally.side
    if side is None:
        return
    facts = tally.profile.facts
    rows = [row for found in side.denied.values() for row in found] + side.unknown
    rows += [row for row in side.unusual if row[0].kind in (Kind.BASIC, Kind.WEAKNESS, Kind.STORY)]
    listed = side.profile.signatures
    rows += [row for row in side.of_kind(Kind.SIGNATURE) if row[0].card and row[0].card.root not in listed]
    if rows:
        yield Problem(
            f"Not for the extra deck: {with_copies(rows, facts)}.", "Take them out of it.", labels(rows, facts)
        )


@ARKHAM.check(DECKBUILDING, family="copies", when=lambda tally: tally.side)
def extra_deck_different(tally: Tally) -> Iterator[Problem]:
    """The cards of an extra deck are all different, by title."""
    side = tally.side
    if side is None:
        return
    for crowd in side.crowds:
        names = tuple(card.label for card, _ in crowd.rows)
        yield Problem(
            f"{counted(crowd.copies, 'copy')} of {names[0]} in the extra deck: each title only once.",
            f"Take out {counted(crowd.copies - crowd.limit, 'copy')}.",
            names,
            count=crowd.copies,
            limit=crowd.limit,
        )


@ARKHAM.check(SIGNATURES, DECKBUILDING, family="required", when=lambda tally: tally.side)
def extra_deck_signature(tally: Tally) -> Iterator[Problem]:
    """An extra deck holds its own required cards, exactly as many as listed."""
    side = tally.side
    if side is None:
        return
    for need in side.profile.needs:
        copies = side.signatures.get(need.root, 0)
        card = tally.profile.facts.card(need.root)
        if copies != need.least and card:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label} in the extra deck, {need.least} required.",
                "Add it." if copies < need.least else "Take the others out.",
                (card.label,),
                count=copies,
                limit=need.least,
            )


@ARKHAM.check(DECKBUILDING, family="required", severity="warning", when=lambda tally: tally.deck.attachments)
def attached_cards(tally: Tally) -> Iterator[Problem]:
    """Cards set beside the deck by a card (market deck, attached events) are of its kind and in the deck."""
    facts = tally.profile.facts
    for card in _with_cards_beside(tally):
        attach = card.special.attach
        chosen = tally.deck.attachments.get(card.code, ()) if attach else ()
        if attach is None or not chosen:
            continue
        counts = {code: chosen.count(code) for code in chosen}
        wrong = [code for code in counts if not ((found := facts.card(code)) and attach.wanted.admits(found))]
        lacking = [code for code, number in counts.items() if tally.deck.slots.get(code, 0) < number]
        if wrong or lacking:
            names = tuple(
                found.label if (found := facts.card(code)) else code for code in dict.fromkeys(wrong + lacking)
            )
            yield Problem(
                f"{', '.join(names)}: cannot be among the {attach.called} of {card.name}.", "Choose other cards.", names
            )
        yield from _number_attached(attach, card, counts)
        included = facts.card(attach.includes) if attach.includes and attach.includes not in counts else None
        if included:
            name = included.label
            yield Problem(f"{name} is not among the {attach.called} of {card.name}.", f"Choose {name}, too.", (name,))


def _with_cards_beside(tally: Tally) -> list[Card]:
    """The cards that may tell to set cards beside the deck: those in it, and the investigator's back."""
    back = tally.profile.back
    return [*(card for card, _ in tally.special_cards()), *([back] if back else [])]


def _number_attached(attach: Attach, card: Card, counts: dict[str, int]) -> Iterator[Problem]:
    total = sum(counts.values())
    most = attach.exactly or attach.at_most
    if total > most or (attach.exactly and total < attach.exactly):
        rule = f"{attach.exactly}" if attach.exactly else f"at most {attach.at_most}"
        yield Problem(
            f"{total} chosen for the {attach.called} of {card.name}; it takes {rule}.",
            f"Choose {rule}.",
            count=total,
            limit=most,
        )
    if attach.different and len(counts) < total:
        yield Problem(f"The cards chosen for {card.name} must all be different.", "Choose different cards.")


@ARKHAM.check(DECKBUILDING, family="copies", when=lambda tally: tally.deck.attachments)
def only_copy(tally: Tally) -> Iterator[Problem]:
    """The card that is recorded for a card with this rule (branded spell) is in the deck only once."""
    for card, _ in tally.special_cards():
        attach = card.special.attach
        if attach is None or not attach.only_copy:
            continue
        for code in tally.deck.attachments.get(card.code, ()):
            named = tally.profile.facts.card(code)
            copies = sum(number for other, number in tally.cards() if named and other.title == named.title)
            if named and copies > 1:
                yield Problem(
                    f"{counted(copies, 'copy')} of {named.name}, the {attach.called} of {card.name}; only 1 may be there.",
                    f"Take out {counted(copies - 1, 'copy')}.",
                    (named.label,),
                    count=copies,
                    limit=1,
                )


@ARKHAM.check(PURCHASING, OPTIONS, family="access", severity="warning", when=lambda tally: tally.deck.side)
def side_deck(tally: Tally) -> Iterator[Problem]:
    """Candidates kept in the side deck could be added to the deck."""
    rows = []
    for code, copies in tally.deck.side.items():
        if copies > 0:
            entry = tally.profile.entry(code)
            if entry.kind in (Kind.DENIED, Kind.UNKNOWN):
                rows.append((entry, copies))
    if rows and tally.profile.build is not None:
        facts = tally.profile.facts
        yield Problem(
            f"In the side deck, but never allowed in the deck: {with_copies(rows, facts)}.",
            "Take these cards out of the side deck.",
            labels(rows, facts),
        )
