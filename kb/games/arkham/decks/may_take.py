"""Finds the cards that an investigator's deckbuilding options allow: the game's `access` part (see kb.decks.games)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import AccessError
from kb.decks.names import either
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import AgreementError
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_reading import read_deck, taboo_number
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, Profile, profile_of

MOST_CHOICES = 60

TAKEN = (Kind.PLAYER, Kind.SIGNATURE)


@frozen
class ByOptions:
    """The cards that the deckbuilding options allow an investigator.

    - `profile`: the rules for the deck as it is.
    - `others`: the rules for each value of the choices that are still open.
    - `held`: the lowest level of each title in the deck.
    - `notes`: sentences for the user.
    """

    profile: Profile
    others: tuple[Profile, ...]
    held: Mapping[str, int]
    notes: tuple[str, ...]

    def may_have(self, record: Mapping[str, Any]) -> bool | None:
        """Return True if the deckbuilding options allow the card of `record`; None if that depends on an open choice."""
        code = str(record.get("code", ""))
        if record.get("game") != "arkham" or self.profile.facts.card(code) is None:
            return False
        if takes(self.profile, code):
            return True
        return None if any(takes(other, code) for other in self.others) else False

    def better(self, record: Mapping[str, Any]) -> bool:
        """Return True if the card of `record` has a higher level than the lowest version that the deck contains."""
        card = self.profile.facts.card(str(record.get("code", ""))) if record.get("game") == "arkham" else None
        return card is not None and card.level is not None and card.level > self.held.get(card.title, card.level)


def takes(profile: Profile, code: str) -> bool:
    """Return True if the options of `profile` allow the card with the code, or if it is a signature card."""
    return profile.status(code).kind in TAKEN


def access(who: str | DeckFile, terms: Mapping[str, str], facts: ArkhamFacts) -> ByOptions | None:
    """Return the cards that an investigator may have; None if there is no such investigator.

    `who` is a deck file, or the code, the name or the first name of an investigator. `terms` may give a `taboo` list
    and the value of a `choice`. Raises AccessError or DeckFileError.
    """
    deck = read_deck(who, facts) if isinstance(who, DeckFile) else named(who, facts)
    if deck is None:
        return None
    facts = facts.with_cards_of(deck)
    if "taboo" in terms:
        try:
            deck = replace(deck, taboo=taboo_number(terms["taboo"], facts))
        except AgreementError as error:
            raise AccessError(str(error)) from None
    profile = profile_of(facts, deck)
    if profile.build is None:
        raise AccessError(f"{profile.investigator.label if profile.investigator else who} cannot build decks.")
    if (value := terms.get("choice")) is not None:
        offered = sorted({value for choice in profile.build.choices for value in choice.values})
        if value not in offered:
            raise AccessError(f"choice:{value} is not offered." + (f" Choose {either(offered)}." if offered else ""))
        made = {option.chosen_as: value for option, _ in profile.unsettled if value in option.values}
        deck = replace(deck, choices={**deck.choices, **made})
        profile = profile_of(facts, deck)
    others = tuple(
        profile_of(facts, replace(deck, choices={**deck.choices, option.chosen_as: value}))
        for option, _ in profile.unsettled
        for value in option.values[:MOST_CHOICES]
    )
    levels: dict[str, int] = {}
    for card, _, copies in facts.in_order(deck.cards):
        if copies > 0 and card is not None and card.level is not None:
            levels.setdefault(card.title, card.level)
    return ByOptions(profile, others, levels, notes(profile, deck))


def named(who: str, facts: ArkhamFacts) -> ArkhamDeck | None:
    """Return an empty deck of the investigator whose code, name or first name is `who`; None if there is none."""
    try:
        return ArkhamDeck(CardFinder(facts).find(who, investigator=True).code, {})
    except UnknownName:
        first = (name for name in facts.names if name.casefold().split()[0] == who.casefold())
        cards = (card for name in first for card in facts.named(name) if card.build is not None)
        return next((ArkhamDeck(card.code, {}) for card in cards), None)


def notes(profile: Profile, deck: ArkhamDeck) -> tuple[str, ...]:
    """Return sentences that name the investigator and the taboo list, and list the choices that are still open."""
    back = profile.back
    sentences = [
        f"According to the deckbuilding options of {back.label if back else deck.investigator}, "
        f"{f'with taboo list {deck.taboo}' if deck.taboo else 'without a taboo list'} (arkham/glossary/deckbuilding-options). "
        "Use `kb deck check` for the number of copies and for limited options."
    ]
    for option, _ in profile.unsettled:
        if not option.choose_size:
            sentences.append(f"A choice is still open: make it with choice:{' or choice:'.join(option.values)}.")
    return tuple(sentences)
