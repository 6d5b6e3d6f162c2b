"""Which cards an Arkham Horror investigator may take by the deckbuilding options, and which are upgrades of a deck's cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import AccessError
from kb.decks.names import either
from kb.games.arkham.decks.adapter import read_deck, taboo_number
from kb.games.arkham.decks.facts import CardFinder, Facts, UnknownName
from kb.games.arkham.decks.frame import FrameError
from kb.games.arkham.decks.json_deck import with_fan_made
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import Kind, Profile, profile_of

MOST_CHOICES = 60
TAKEN = (Kind.PLAYER, Kind.SIGNATURE)


@dataclass(frozen=True, slots=True)
class ByOptions:
    """What an investigator may take; `others` are the profiles of choices that are open, `held` levels by title in the deck."""

    profile: Profile
    others: tuple[Profile, ...]
    held: Mapping[str, int]
    notes: tuple[str, ...]

    def may_have(self, record: Mapping[str, Any]) -> bool | None:
        """Whether the deckbuilding options let the card in; None where that hangs on a choice that is not made."""
        code = str(record.get("code", ""))
        if record.get("game") != "arkham" or self.profile.facts.card(code) is None:
            return False
        if takes(self.profile, code):
            return True
        return None if any(takes(other, code) for other in self.others) else False

    def better(self, record: Mapping[str, Any]) -> bool:
        """Whether the deck holds a lower level of the card."""
        card = self.profile.facts.card(str(record.get("code", ""))) if record.get("game") == "arkham" else None
        return card is not None and card.level is not None and card.level > self.held.get(card.title, card.level)


def takes(profile: Profile, code: str) -> bool:
    """Whether decks of a profile may hold a card by its options."""
    return profile.status(code).kind in TAKEN


def access(who: str | DeckFile, said: Mapping[str, str], facts: Facts) -> ByOptions | None:
    """What the investigator of a name (also the first word of it), a code or a deck file may take. Raises AccessError, DeckFileError."""
    deck = read_deck(who, facts) if isinstance(who, DeckFile) else named(who, facts)
    if deck is None:
        return None
    facts = with_fan_made(facts, deck)
    if "taboo" in said:
        try:
            deck = replace(deck, taboo=taboo_number(said["taboo"], facts))
        except FrameError as error:
            raise AccessError(str(error)) from None
    profile = profile_of(facts, deck)
    if profile.build is None:
        raise AccessError(f"{profile.investigator.label if profile.investigator else who} cannot build decks.")
    if (value := said.get("choice")) is not None:
        offered = sorted({each for option in profile.build.options if option.choice for each in option.choice.values})
        if value not in offered:
            raise AccessError(f"choice:{value} is not offered." + (f" There are {either(offered)}." if offered else ""))
        made = {each.choice.name: value for each in profile.unsettled if value in each.choice.values}
        deck = replace(deck, choices={**deck.choices, **made})
        profile = profile_of(facts, deck)
    others = tuple(
        profile_of(facts, replace(deck, choices={**deck.choices, each.choice.name: value}))
        for each in profile.unsettled
        for value in each.choice.values[:MOST_CHOICES]
    )
    held: dict[str, int] = {}
    for card, _, copies in facts.in_order(deck.cards):
        if copies > 0 and card is not None and card.level is not None:
            held.setdefault(card.title, card.level)
    return ByOptions(profile, others, held, notes(profile, deck))


def named(who: str, facts: Facts) -> Deck | None:
    """A deck without cards of the investigator who is meant; of several versions the first printing."""
    try:
        return Deck(CardFinder(facts).find(who, investigator=True).code, {})
    except UnknownName:
        first = (name for name in facts.names if name.casefold().split()[0] == who.casefold())
        cards = (card for name in first for card in facts.named(name) if card.build is not None)
        return next((Deck(card.code, {}) for card in cards), None)


def notes(profile: Profile, deck: Deck) -> tuple[str, ...]:
    """Whose options they are, and which choices are open."""
    back = profile.back
    told = [
        f"By the deckbuilding options of {back.label if back else deck.investigator}, "
        f"{f'with taboo list {deck.taboo}' if deck.taboo else 'without a taboo list'} (arkham/glossary/deckbuilding-options). "
        "How many copies and how many cards of limited options a deck holds is for `kb deck check`."
    ]
    for each in profile.unsettled:
        if not each.choice.sizes:
            told.append(f"The choice is open: choice:{' or choice:'.join(each.choice.values)} makes it.")
    return tuple(told)
