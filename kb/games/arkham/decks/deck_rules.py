"""Reads and checks Arkham Horror decks: the game's `decks` part (see kb.decks.games)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_OPTIONS, DeckView, Records
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import ARKHAM, with_copies
from kb.games.arkham.decks.deck_reading import read_deck, read_with_options
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.starting_deck import new_deck

SECTIONS = ("asset", "event", "skill", "weakness")
SET_ASIDE = "bonded, set aside"
OUTSIDE = ("spirit deck", "side deck", SET_ASIDE)
"""Rows of a deck's table that are not part of the deck itself."""


def load_facts(records: Records) -> ArkhamFacts:
    """Return the facts of all cards. Taboo lists, products and scenario cards are read from `records` when a deck needs
    them.
    """
    return ArkhamFacts(records)


def check(file: DeckFile, facts: ArkhamFacts, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
    """Check the deck in `file` under `options` (see `read_with_options`). Raises DeckFileError."""
    deck, agreed = read_with_options(file, facts, options)
    return check_deck(deck, facts.with_cards_of(deck), file.name, agreed)


def show(file: DeckFile, facts: ArkhamFacts) -> DeckView:
    """Return the deck's cards in a table, by type and level. Raises DeckFileError."""
    return view(read_deck(file, facts), facts)


def view(deck: ArkhamDeck, facts: ArkhamFacts) -> DeckView:
    """Return the cards of `deck` in a table, by type and level."""
    facts = facts.with_cards_of(deck)
    profile = profile_of(facts, deck)
    cards = [(card, copies) for card, _, copies in facts.in_order(deck.cards) if card and copies > 0]
    rows = []
    for section in SECTIONS:
        of_section = [row for row in cards if row[0].section == section]
        names = ", ".join(f"{copies}x {card.label}" if copies > 1 else card.label for card, copies in of_section)
        rows.append((section, str(sum(copies for _, copies in of_section)), names))
    rows.append(("all", str(sum(copies for copies in deck.cards.values() if copies > 0)), ""))
    for named, pile in zip(OUTSIDE, (deck.extra, deck.side_deck), strict=False):
        if held := [(card, copies) for card, copies in facts.held(pile)]:
            rows.append((named, str(sum(copies for _, copies in held)), with_copies(held)))
    if bonded := facts.bonded_with(deck):
        rows.append((SET_ASIDE, str(sum(copies for _, copies in bonded)), with_copies(bonded)))
    return DeckView(
        f"{facts.name(deck.investigator)}: {deck.name or 'deck'}, deck size {profile.size}",
        ("type", "cards", ""),
        tuple(rows),
    )


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """Return the rulesets by name: for one deck, for the upgrade between two scenarios, and for the decks of one group."""
    import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
    from kb.games.arkham.decks.party import PARTY
    from kb.games.arkham.decks.upgrade.plan import UPGRADE

    return {"arkham": ARKHAM, "upgrade": UPGRADE, "party": PARTY}


__all__ = ["check", "load_facts", "new_deck", "rulesets", "show"]
