"""Checks of cards beside the deck: those that a card sets beside it, and the side deck."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, OPTIONS, PURCHASING
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import labels, with_copies
from kb.games.arkham.schema.special import Attach
from kb.plural import counted


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
        lacking = [code for code, number in counts.items() if tally.deck.cards.get(code, 0) < number]
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


@ARKHAM.check(PURCHASING, OPTIONS, family="access", severity="warning", when=lambda tally: tally.deck.side_deck)
def side_deck(tally: Tally) -> Iterator[Problem]:
    """Candidates kept in the side deck could be added to the deck."""
    rows = []
    for code, copies in tally.deck.side_deck.items():
        if copies > 0:
            status = tally.profile.status(code)
            if status.kind in (Kind.DENIED, Kind.UNKNOWN):
                rows.append((status, copies))
    if rows and tally.profile.build is not None:
        facts = tally.profile.facts
        yield Problem(
            f"In the side deck, but never allowed in the deck: {with_copies(rows, facts)}.",
            "Take these cards out of the side deck.",
            labels(rows, facts),
        )
