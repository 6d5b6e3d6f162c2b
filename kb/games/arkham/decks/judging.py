"""Checks a deck, and reports its size, its experience, its limited slots and the rules used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kb.games.arkham.decks.checks  # noqa: F401  (registers the checks)
from kb.decks.report import Report
from kb.games.arkham.decks.agreement import CAMPAIGN, UNCHECKED, Agreement
from kb.games.arkham.decks.card_pool import not_known
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import ARKHAM, DeckCounts, count_deck, seat_in_limited_slots, with_copies
from kb.games.arkham.decks.edition import GRIMOIRE, edition, judged_by, sentence
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import profile_of


def check_deck(deck: ArkhamDeck, facts: ArkhamFacts, file: str = "", agreement: Agreement = CAMPAIGN) -> Report:
    """Check a deck under the group's agreement, and return a report. Problems of the deck never raise an exception.

    The `details` of the report are:

    - `name`: the deck's name.
    - `size`, `size_required`: the number of cards that count, and the deck size. `extra_size`: the size of an extra
      deck.
    - `copies`: the number of all cards.
    - `experience`, `experience_by_card`: the experience in the deck.
    - `slots`: the cards in limited slots.
    - `bonded`: the bonded cards that are set aside.
    - `taboo`: the number of the taboo list.
    - `judged_by`: the document, taboo list and environment used. `once`: the same in sentences.
    - `not_checked`: sentences about cards and agreements that kb cannot check.
    - `lines`: sentences about size, experience and slots.
    """
    deck_counts = count_deck(deck, profile_of(facts, deck), agreement)
    by = edition(deck.rules)
    return Report(
        file=file,
        game=ARKHAM.game,
        character=facts.name(deck.investigator),
        findings=tuple(by.restated(ARKHAM.run(deck_counts))),
        details=_details(deck_counts),
    )


def _details(deck_counts: DeckCounts) -> dict[str, Any]:
    deck, profile = deck_counts.deck, deck_counts.profile
    details: dict[str, Any] = {
        "name": deck.name,
        "size": deck_counts.size,
        "size_required": profile.size,
        "copies": deck_counts.total,
        "experience": deck_counts.spent,
        "experience_by_card": deck_counts.experience,
    }
    if deck_counts.extra is not None:
        details["extra_size"] = deck_counts.extra.size
    if deck.taboo:
        details["taboo"] = deck.taboo
    details["judged_by"] = judged_by(deck.rules, deck.taboo, deck_counts.agreement.environment, profile.facts)
    if profile.limited and deck_counts.demand:
        details["slots"], _ = seat_in_limited_slots(deck_counts)
    if unsure := list(_not_checked(deck_counts)):
        details["not_checked"] = unsure
    details["once"] = [sentence(details["judged_by"])]
    bonded = profile.facts.bonded_with(deck)
    if bonded:
        details["bonded"] = {card.label: copies for card, copies in bonded}
    untold = profile.build is None and profile.back is not None and profile.facts.own(profile.back.code)
    details["lines"] = [
        *([] if untold else [f"Deck size {deck_counts.size} of {profile.size}, {deck_counts.spent} experience."]),
        *(slots["text"] for slots in details.get("slots", ())),
        *([f"Set aside with the deck (bonded): {with_copies(bonded)}."] if bonded else ()),
    ]
    return details


def _not_checked(deck_counts: DeckCounts) -> Iterator[str]:
    """Yield sentences about cards and agreements that kb does not check.

    These are ultimatums and boons that do not concern decks, the user's own cards, and cards newer than the rules.
    """
    facts, by = deck_counts.facts, edition(deck_counts.deck.rules)
    for name in sorted({*deck_counts.agreement.ultimatums, *deck_counts.agreement.boons} & UNCHECKED.keys()):
        yield f"{UNCHECKED[name]}: it affects play or the campaign, not the deck."
    cards = [
        each for each in (deck_counts.profile.investigator, *(card for card, _copies in deck_counts.cards())) if each
    ]
    own = dict.fromkeys(card.label for card in cards if facts.own(card.code))
    if own:
        yield f"{', '.join(own)}: taken from your own card data. No rule in kb covers fan-made cards."
    back = deck_counts.profile.back
    if back is not None and back.build is None and facts.own(back.code):
        yield f"{back.label}: kb does not know its deckbuilding rules, so the deck is not checked against them."
    elif back is not None and back.build is not None and back.build.unread:
        yield (
            f"{back.label}: its deckbuilding options ask for {', '.join(back.build.unread)}, which kb cannot read. "
            "kb allows the cards that meet the rest of those options."
        )
    newer = [card for card in cards if not facts.own(card.code) and not_known(card, facts, by)]
    if newer and (by.id == GRIMOIRE or deck_counts.agreement.environment != "legacy"):
        products = dict.fromkeys(facts.packs[card.pack].name for card in newer)
        yield (
            f"{', '.join(dict.fromkeys(card.label for card in newer))}: from {', '.join(products)}, newer than {by.rules}. "
            "kb does not know the environments and rules published since then."
        )
