"""Checks one deck of Arkham Horror: The Card Game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kb.games.arkham.decks.checks  # noqa: F401  (registers the checks)
from kb.decks.report import Report
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN, GRIMOIRE, Frame, edition, judged_by, not_known, sentence
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.tally import ARKHAM, Tally, assign, tally


def check_deck(deck: Deck, facts: Facts, file: str = "", frame: Frame = CAMPAIGN) -> Report:
    """Judge a deck in a frame. Never raises: what is wrong with the deck is in the report.

    Details of the report: `lines` for people, `size` and `size_required`, `copies` (all cards), `experience` (in all) and
    `experience_by_card`, `slots` (the assignment of limited slots), `taboo`, `judged_by` (documents, taboo list, environment), which `once`
    says in words.
    """
    found = tally(deck, profile_of(facts, deck), frame)
    card = found.profile.investigator
    by = edition(deck.rules)
    return Report(
        file=file,
        game=ARKHAM.game,
        character=card.name if card else deck.investigator,
        findings=tuple(by.restated(ARKHAM.run(found))),
        details=_details(found),
    )


def _details(found: Tally) -> dict[str, Any]:
    deck, profile = found.deck, found.profile
    details: dict[str, Any] = {
        "name": deck.name,
        "size": found.size,
        "size_required": profile.size,
        "copies": found.total,
        "experience": found.spent,
        "experience_by_card": found.experience,
    }
    if found.extra is not None:
        details["extra_size"] = found.extra.size
    if deck.taboo:
        details["taboo"] = deck.taboo
    details["judged_by"] = judged_by(deck.rules, deck.taboo, found.frame.environment, profile.facts)
    if profile.limited and found.demand:
        details["slots"], _ = assign(found)
    if unsure := list(_not_checked(found)):
        details["not_checked"] = unsure
    details["once"] = [sentence(details["judged_by"])]
    untold = profile.build is None and profile.back is not None and profile.facts.own(profile.back.code)
    details["lines"] = [
        *([] if untold else [f"Deck size {found.size} of {profile.size}, {found.spent} experience."]),
        *(slots["text"] for slots in details.get("slots", ())),
    ]
    return details


def _not_checked(found: Tally) -> Iterator[str]:
    """Sentences about cards of which the rules at hand do not speak: the user's own ones, and those newer than the rules."""
    facts, by = found.profile.facts, edition(found.deck.rules)
    cards = [each for each in (found.profile.investigator, *(card for card, _copies in found.cards())) if each]
    own = dict.fromkeys(card.label for card in cards if card.code in facts.own_cards)
    if own:
        yield f"{', '.join(own)}: taken as your own cards describe them; no rule here speaks of fan-made cards."
    back = found.profile.back
    if back is not None and back.build is None and facts.own(back.code):
        yield f"{back.label}: its facts do not say what its deck must be; the deck is not judged by it."
    elif back is not None and back.build is not None and back.build.unread:
        yield (
            f"{back.label}: its deckbuilding options ask for {', '.join(back.build.unread)}, which kb does not read; "
            "where they do, cards are let in by the rest of the option."
        )
    newer = [card for card in cards if card.code not in facts.own_cards and not_known(card, facts, by)]
    if newer and (by.id == GRIMOIRE or found.frame.environment != "legacy"):
        products = dict.fromkeys(facts.packs[card.pack].name for card in newer)
        yield (
            f"{', '.join(dict.fromkeys(card.label for card in newer))}: from {', '.join(products)}, newer than {by.rules}; "
            "what environments and rules made since say of these cards is not known here."
        )
