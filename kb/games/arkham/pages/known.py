"""The cards and products of Arkham Horror: The Card Game as the site's pages use them: typed, with who may include a card."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from kb.games.arkham.decks.adapter import load_facts
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import Profile, profile_of
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.schema.cards import CardRecord, Cycle, EncounterRecord, Pack
from kb.records import build
from kb.site.library import Library

GAME = "arkham"
NAV = "arkham--cards"


def card_id(code: str) -> str:
    """Id of the card with a code."""
    return f"{GAME}/cards/{code}"


@dataclass(frozen=True, slots=True)
class Known:
    """Cards, scenario cards by id; products and their groups by code. `printed`: codes of all printings by that of the first."""

    cards: Mapping[str, CardRecord]
    encounters: Mapping[str, EncounterRecord]
    packs: Mapping[str, Pack]
    cycles: Mapping[str, Cycle]
    printed: Mapping[str, list[str]]

    def pack_name(self, code: str) -> str:
        """A product's name, or its code when it is not known."""
        return self.packs[code].name if code in self.packs else code

    def order(self, code: str) -> tuple[int, int, str]:
        """Sorts codes of products as the products appeared."""
        pack = self.packs.get(code)
        cycle = self.cycles.get(pack.cycle) if pack else None
        return (cycle.position if cycle else 0) or 99, (pack.position if pack else 0) or 99, code

    def players(self) -> list[CardRecord]:
        """The player cards, first printings only, by name and level."""
        found = [card for card in self.cards.values() if not card.story and not card.duplicate_of]
        return sorted(found, key=lambda card: (card.name.casefold().lstrip('"'), card.level or 0, card.code))


def known(library: Library) -> Known:
    """What the catalog has of the game."""
    cards = [build(CardRecord, record) for record in library.of_kind(GAME, "card")]
    encounters = [build(EncounterRecord, record) for record in library.of_kind(GAME, "encounter")]
    packs = [build(Pack, record) for record in library.of_kind(GAME, "pack")]
    cycles = [build(Cycle, record) for record in library.of_kind(GAME, "cycle")]
    printed: dict[str, list[str]] = defaultdict(list)
    for card in cards:
        printed[card.duplicate_of or card.code].append(card.code)
    return Known(
        {card_id(card.code): card for card in cards},
        {card_id(card.code): card for card in encounters},
        {pack.code: pack for pack in packs},
        {cycle.code: cycle for cycle in cycles},
        printed,
    )


@dataclass(slots=True)
class Access:
    """Who may include a card: ids of investigators, freely or only in limited slots; `signature`: it belongs to them."""

    free: list[str] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


class Takers:
    """The investigators who are asked what they may include. Parallel ones stand for themselves only on their own pages."""

    def __init__(self, library: Library, cards: Iterable[CardRecord]) -> None:
        self._library = library
        self.investigators: Sequence[CardRecord] = [
            card for card in cards if card.type == "investigator" and card.build and not card.alternate_of
        ]
        self._known: dict[str, Access] = {}

    def may_take(self, card: CardRecord) -> Access | None:
        """Which of the investigators may include a card; None for an investigator.

        Without taboos, with both printed sides; of a choice (a class to pick) every value counts.
        """
        if card.type == "investigator":
            return None
        if card.code not in self._known:
            self._known[card.code] = self._asked(card.code)
        return self._known[card.code]

    def positions(self, card: CardRecord) -> list[int]:
        """The places among the investigators of those who may include the card in one way or another."""
        found = self.may_take(card) or Access()
        ids = {*found.free, *found.limited, *found.signature}
        return [place for place, each in enumerate(self.investigators) if card_id(each.code) in ids]

    def _asked(self, code: str) -> Access:
        found = Access()
        for at, profiles in self._profiles.items():
            status = profiles[0].once(code)
            if status.kind is Kind.SIGNATURE:
                found.signature.append(at)
                continue
            player = [
                each for each in (status, *(profile.once(code) for profile in profiles[1:])) if each.kind is Kind.PLAYER
            ]
            if player:
                (found.limited if all(each.mask for each in player) else found.free).append(at)
        return found

    @cached_property
    def _profiles(self) -> dict[str, list[Profile]]:
        facts = load_facts(partial(self._library.of_kind, GAME))
        return {card_id(card.code): list(profiles_of(facts, card.code)) for card in self.investigators}


def profiles_of(facts: Facts, code: str) -> Iterator[Profile]:
    """The profile of an investigator without any choice made, then one for each value of each choice."""
    bare = profile_of(facts, Deck(code, {}))
    yield bare
    for unsettled in bare.unsettled:
        for value in unsettled.choice.values if not unsettled.choice.sizes else ():
            yield profile_of(facts, Deck(code, {}, choices={unsettled.choice.name: value}))
