"""Checks of what lies beside the deck: upgrade sheets, the extra deck, cards set beside the deck, the side deck."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.model import MOST_BOXES, Card, Customization
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.ruleset import ARKHAM, CUSTOMIZABLE, DECKBUILDING, OPTIONS, PURCHASING, SIGNATURES
from kb.games.arkham.decks.tally import Tally, labels, with_copies
from kb.games.arkham.schema.special import Attach
from kb.plural import counted


def _sheets(tally: Tally) -> Iterator[tuple[Card, Customization]]:
    """The cards of the deck for which the file marks boxes, each once."""
    for code, marks in tally.deck.customizations.items():
        card = tally.profile.card(code)
        if card is not None and (tally.deck.cards.get(code, 0) > 0 or code in tally.deck.extra):
            yield card, marks


@ARKHAM.check(CUSTOMIZABLE, family="access")
def boxes_on_the_sheet(tally: Tally) -> Iterator[Problem]:
    """No more boxes are marked than an upgrade has, and none that the sheet does not have."""
    for card, marks in _sheets(tally):
        if not card.sheet:
            yield Problem(f"{card.label} has no upgrade sheet.", "Take its marks out.", (card.label,))
            continue
        for mark in marks:
            if not 0 <= mark.index < len(card.sheet):
                message = f"The sheet of {card.label} has no upgrade number {mark.index + 1}, only {len(card.sheet)}."
            elif not 0 <= mark.spent <= card.sheet[mark.index].cost:
                boxes = card.sheet[mark.index].cost
                message = f"Upgrade {mark.index + 1} of {card.label} has {boxes} boxes, {mark.spent} are marked."
            else:
                continue
            yield Problem(message, "Mark only boxes that are on the sheet.", (card.label,))
        if len({mark.index for mark in marks}) < len(marks):
            yield Problem(f"An upgrade of {card.label} is marked twice.", "List each upgrade once.", (card.label,))


@ARKHAM.check(CUSTOMIZABLE, family="access")
def ten_boxes(tally: Tally) -> Iterator[Problem]:
    """At most 10 boxes of a sheet are marked."""
    for card, marks in _sheets(tally):
        boxes = sum(
            min(mark.spent, card.sheet[mark.index].level_boxes)
            for mark in marks
            if 0 <= mark.index < len(card.sheet) and mark.spent > 0
        )
        if boxes > MOST_BOXES:
            yield Problem(
                f"{boxes} boxes of {card.label} are marked, at most {MOST_BOXES} may be.",
                f"Take back {boxes - MOST_BOXES}.",
                (card.label,),
                count=boxes,
                limit=MOST_BOXES,
            )


@ARKHAM.check(CUSTOMIZABLE, family="choice", severity="warning")
def choices_on_the_sheet(tally: Tally) -> Iterator[Problem]:
    """What an upgrade lets choose (trait, skill, card, slot) is chosen once its boxes are marked."""
    for card, marks in _sheets(tally):
        for mark in marks:
            box = card.sheet[mark.index] if 0 <= mark.index < len(card.sheet) else None
            if box is not None and box.chooses and box.cost and mark.spent >= box.cost and not mark.chosen:
                yield Problem(
                    f"Upgrade {mark.index + 1} of {card.label} needs a {box.chooses} to be chosen.",
                    f"Choose a {box.chooses}.",
                    (card.label,),
                )


@ARKHAM.check(DECKBUILDING, family="count")
def extra_deck_size(tally: Tally) -> Iterator[Problem]:
    """An extra deck (spirit deck) has exactly the cards that the investigator's back names."""
    if tally.extra is None or not (missing := tally.extra.profile.size - tally.extra.size):
        return
    yield Problem(
        f"The extra deck has {counted(tally.extra.size, 'card')} that count; its size is {tally.extra.profile.size}.",
        f"Add {counted(missing, 'card')} to it." if missing > 0 else f"Take {counted(-missing, 'card')} out of it.",
        count=tally.extra.size,
        limit=tally.extra.profile.size,
    )


@ARKHAM.check(DECKBUILDING, OPTIONS, family="access")
def extra_deck_cards(tally: Tally) -> Iterator[Problem]:
    """An extra deck holds only cards from its own options, each of them different."""
    if (extra := tally.extra) is None:
        return
    listed = extra.profile.signatures
    rows = [
        row for row in extra.rows if row[0].kind is not Kind.PLAYER and not (row[0].card and row[0].card.root in listed)
    ]
    if rows:
        yield Problem(f"Not for the extra deck: {with_copies(rows)}.", "Take them out of it.", labels(rows))


@ARKHAM.check(DECKBUILDING, family="copies")
def extra_deck_different(tally: Tally) -> Iterator[Problem]:
    """The cards of an extra deck are all different, by title."""
    if (extra := tally.extra) is None:
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


@ARKHAM.check(SIGNATURES, DECKBUILDING, family="required")
def extra_deck_signature(tally: Tally) -> Iterator[Problem]:
    """An extra deck holds its own required cards, exactly as many as listed."""
    if (extra := tally.extra) is None:
        return
    for need in extra.profile.needs:
        copies, name = extra.signatures.get(need.root, 0), extra.profile.status(need.root).label
        if copies != need.least:
            yield Problem(
                f"{counted(copies, 'copy')} of {name} in the extra deck, {need.least} required.",
                "Add it." if copies < need.least else "Take the others out.",
                (name,),
                count=copies,
                limit=need.least,
            )


@ARKHAM.check(DECKBUILDING, family="required", severity="warning", when=lambda tally: tally.deck.attachments)
def attached_cards(tally: Tally) -> Iterator[Problem]:
    """Cards set beside the deck by a card (market deck, attached events) are of its kind and in the deck."""
    facts, back = tally.profile.facts, tally.profile.back
    for card in (*(card for card, _ in tally.special), *([back] if back else [])):
        attach = card.special.attach
        chosen = tally.deck.attachments.get(card.code, ()) if attach else ()
        if attach is None or not chosen:
            continue
        counts = {code: chosen.count(code) for code in chosen}
        wrong = [code for code in counts if not ((found := facts.card(code)) and attach.admits(found))]
        if names := tuple(map(facts.label, wrong)):
            said = f"{', '.join(names)}: cannot be among the {attach.called} of {card.name}."
            yield Problem(said, "Choose other cards.", names)
        for code, number in counts.items():
            held, name = tally.deck.cards.get(code, 0), facts.label(code)
            if number > held and code not in wrong:
                said = f"{number} {name} are among the {attach.called} of {card.name}; the deck holds {held}."
                yield Problem(said, "Choose only cards of the deck.", (name,), count=number, limit=held)
        yield from _number_attached(attach, card, counts)
        included = facts.card(attach.includes) if attach.includes and attach.includes not in counts else None
        if included:
            name = included.label
            yield Problem(f"{name} is not among the {attach.called} of {card.name}.", f"Choose {name}, too.", (name,))


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
    for card, _ in tally.special:
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
    statuses = [(tally.profile.status(code), copies) for code, copies in tally.deck.side_deck.items() if copies > 0]
    rows = [row for row in statuses if row[0].kind in (Kind.DENIED, Kind.UNKNOWN)]
    if rows and tally.profile.build is not None:
        yield Problem(
            f"In the side deck, but never allowed in the deck: {with_copies(rows)}.",
            "Take these cards out of the side deck.",
            labels(rows),
        )
