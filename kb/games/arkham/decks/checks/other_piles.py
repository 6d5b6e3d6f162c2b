"""Checks of the extra deck, of the side deck, and of cards that another card sets aside."""

from __future__ import annotations

from collections.abc import Sequence

from kb.decks.names import either
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Add, Advice, Exchange, Fill, Remove
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import MOST_CARDS
from kb.games.arkham.decks.deck_counts import ARKHAM, DeckCounts, each_label, labels, with_copies
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.undecided import undecided
from kb.games.arkham.schema.options import Attach
from kb.plural import counted

SPIRIT_DECK = "spirit_deck"
"""The key of the extra deck in deck files."""


@ARKHAM.check("arkham/glossary/deckbuilding", family="count")
def extra_deck_size(counts: DeckCounts) -> Problems:
    """An extra deck (spirit deck) has exactly the number of cards that the investigator's back states."""
    if counts.extra is None or not (missing := counts.extra.profile.size - counts.extra.size):
        return
    own = ", ".join(counts.facts.name(need.root) for need in counts.extra.profile.needs) or "its signature card"
    yield Problem(
        f"The extra deck has {counted(counts.extra.size, 'card')} besides {own}, but needs {counts.extra.profile.size}.",
        count=counts.extra.size,
        limit=counts.extra.profile.size,
        remedies=(Fill(missing, "card", pile=SPIRIT_DECK) if missing > 0 else Remove(-missing, (), SPIRIT_DECK),),
    )


@ARKHAM.check("arkham/glossary/deckbuilding", family="access", severity="warning")
def extra_deck_of_none(counts: DeckCounts) -> Problems:
    """The file lists an extra deck (spirit deck) only if the investigator's back requires one."""
    rows = [(counts.profile.status(code), copies) for code, copies in counts.deck.extra.items() if copies > 0]
    if rows and counts.extra is None and counts.profile.back is not None:
        yield Problem(
            f"{counts.profile.back.label} has no extra deck, so kb does not count {with_copies(rows)}.",
            cards=labels(rows),
            remedies=(
                Remove(sum(copies for _, copies in rows), each_label(rows), SPIRIT_DECK),
                Advice("list them in the deck or in the side deck"),
            ),
        )


@ARKHAM.check("arkham/glossary/deckbuilding", "arkham/glossary/deckbuilding-options", family="access")
def extra_deck_cards(counts: DeckCounts) -> Problems:
    """An extra deck contains only cards that its own deckbuilding options allow, all of them different."""
    if (extra := counts.extra) is None:
        return
    listed = extra.profile.signatures
    rows = [
        row for row in extra.rows if row[0].kind is not Kind.PLAYER and not (row[0].card and row[0].card.root in listed)
    ]
    if rows:
        number = sum(copies for _, copies in rows)
        yield Problem(
            f"The extra deck cannot contain {with_copies(rows)}.",
            cards=labels(rows),
            count=number,
            remedies=(Remove(number, each_label(rows), SPIRIT_DECK),),
        )


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def extra_deck_different(counts: DeckCounts) -> Problems:
    """An extra deck contains each title only once."""
    if (extra := counts.extra) is None:
        return
    for crowd in extra.over_limit:
        names, over = tuple(card.label for card, _ in crowd.rows), crowd.copies - crowd.limit
        change = Exchange if extra.size <= extra.profile.size else Remove
        yield Problem(
            f"{counted(crowd.copies, 'copy')} of {names[0]} in the extra deck; it may contain each title only once.",
            cards=names,
            count=crowd.copies,
            limit=crowd.limit,
            remedies=(change(over, each_label(crowd.rows), pile=SPIRIT_DECK),),
        )


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def extra_deck_signature(counts: DeckCounts) -> Problems:
    """An extra deck contains the cards that the investigator's back requires for it, in exactly the listed number."""
    if (extra := counts.extra) is None:
        return
    for need in extra.profile.needs:
        copies, name = extra.signatures[need.root], extra.profile.status(need.root).label
        if copies != need.least:
            yield Problem(
                f"{counted(copies, 'copy')} of {name} in the extra deck; {need.least} required.",
                cards=(name,),
                count=copies,
                limit=need.least,
                remedies=(
                    Add((name,) * min(need.least - copies, MOST_CARDS), SPIRIT_DECK)
                    if copies < need.least
                    else Remove(copies - need.least, (name,) * copies, SPIRIT_DECK),
                ),
            )


@ARKHAM.check("arkham/glossary/deckbuilding", family="required", severity="warning")
def attached_cards(counts: DeckCounts) -> Problems:
    """If a card sets other cards aside (market deck, attached events), these cards are in the deck and of the right
    kind.
    """
    facts, back = counts.facts, counts.profile.back
    for card in (*(card for card, _ in counts.special), *([back] if back else [])):
        attach = card.special.attach
        chosen = counts.deck.attachments.get(card.code, ()) if attach else ()
        if attach is None or not chosen:
            continue
        copies_of = {code: chosen.count(code) for code in chosen}
        wrong = [code for code in copies_of if not ((attached := facts.card(code)) and attach.admits(attached))]
        if names := tuple(map(facts.label, wrong)):
            yield Problem(
                f"The {attach.called} of {card.name} cannot include {', '.join(names)}.",
                cards=names,
                at=At("attached"),
                remedies=(_detach([code for code in chosen if code in wrong], facts),),
            )
        for code, number in copies_of.items():
            copies, name = counts.deck.cards.get(code, 0), facts.label(code)
            if number > copies and code not in wrong:
                yield Problem(
                    f"The {attach.called} of {card.name} lists {counted(number, 'copy')} of {name}; the deck contains "
                    f"{copies}.",
                    cards=(name,),
                    count=number,
                    limit=copies,
                    at=At("attached"),
                    remedies=(_detach([code] * number, facts, number - copies),),
                )
        yield from _number_attached(attach, card, copies_of, facts)
        included = facts.card(attach.includes) if attach.includes and attach.includes not in copies_of else None
        if included:
            yield Problem(
                f"{included.label} is not among the {attach.called} of {card.name}.",
                cards=(included.label,),
                at=At("attached"),
                remedies=(Add((included.label,), "attached"),),
            )


def _detach(codes: Sequence[str], facts: ArkhamFacts, copies: int = 0) -> Remove:
    """Return the remedy that takes cards with the `codes` off the list of cards set aside.

    `copies` is the number of these cards to take off the list; 0 means all of them.
    """
    return Remove(copies or len(codes), tuple(map(facts.label, codes)), "attached")


def _number_attached(attach: Attach, card: ArkhamCard, counts: dict[str, int], facts: ArkhamFacts) -> Problems:
    total = sum(counts.values())
    chosen = [code for code, copies in counts.items() for _ in range(copies)]
    most = attach.exactly or attach.at_most
    if total > most or (attach.exactly and total < attach.exactly):
        rule = f"{attach.exactly}" if attach.exactly else f"at most {attach.at_most}"
        yield Problem(
            f"{total} chosen for the {attach.called} of {card.name}; it needs {rule}.",
            count=total,
            limit=most,
            at=At("attached"),
            remedies=(
                _detach(chosen, facts, total - most)
                if total > most
                else Fill(most - total, "card in the deck", pile="attached"),
            ),
        )
    if attach.different and len(counts) < total:
        again = [code for code, copies in counts.items() for _ in range(copies - 1)]
        yield Problem(
            f"The cards chosen for {card.name} must all be different.",
            at=At("attached"),
            remedies=(Exchange(len(again), tuple(map(facts.label, again)), pile="attached"),),
        )


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def only_copy(counts: DeckCounts) -> Problems:
    """If a card needs the only copy of another card (a branded spell), the deck has one copy of the chosen card."""
    for card, _ in counts.special:
        attach = card.special.attach
        if attach is None or not attach.only_copy:
            continue
        for code in counts.deck.attachments.get(card.code, ()):
            named = counts.facts.card(code)
            copies = sum(number for other, number in counts.cards() if named and other.title == named.title)
            if named and copies > 1:
                yield Problem(
                    f"{counted(copies, 'copy')} of {named.name}, the {attach.called} of {card.name}; only 1 is allowed.",
                    cards=(named.label,),
                    count=copies,
                    limit=1,
                    remedies=(counts.removal([(named, copies - 1)], of=[(named, copies)]),),
                )


@ARKHAM.check("arkham/glossary/deckbuilding", family="choice")
def only_copy_recorded(counts: DeckCounts) -> Problems:
    """If a card needs the only copy of another card (a branded spell), the file records which card that is. If the
    file does not record it, at least one choice must be legal.
    """
    for each in undecided(counts.deck, counts.facts, (card for card, _ in counts.special)):
        named = f"the {each.called} of {each.card.label}"
        if each.legal:
            labels = tuple(card.label for card in each.legal)
            yield Problem(
                f"The file does not record {named}; the deck is legal if it is {either(labels)}.",
                cards=(each.card.label, *labels),
                severity="note",
                at=At("attached"),
                remedies=tuple(Add((label,), f"attached.{each.card.code}") for label in labels),
            )
            continue
        fewer = tuple(counts.removal([(card, copies - 1)], of=[(card, copies)]) for card, copies in each.copies)
        yield Problem(
            f"No card in the deck can be {named}: it must be the only copy of its title."
            if each.copies
            else f"No card in the deck can be {named}.",
            cards=(each.card.label, *(card.label for card, _ in each.copies)),
            at=At("attached"),
            remedies=fewer or (counts.removal([(each.card, 1)]),),
        )


@ARKHAM.check(
    "arkham/glossary/purchasing-cards", "arkham/glossary/deckbuilding-options", family="access", severity="warning"
)
def side_deck(counts: DeckCounts) -> Problems:
    """Each card in the side deck is allowed in the deck."""
    statuses = [(counts.profile.status(code), copies) for code, copies in counts.deck.side_deck.items() if copies > 0]
    rows = [row for row in statuses if row[0].denied or row[0].kind is Kind.UNKNOWN]
    if rows and counts.profile.build is not None:
        yield Problem(
            f"The side deck contains cards that can never join the deck: {with_copies(rows)}.",
            cards=labels(rows),
            at=At("side_deck"),
            remedies=(Remove(sum(copies for _, copies in rows), each_label(rows), "side_deck"),),
        )
