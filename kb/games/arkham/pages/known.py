"""The cards and products of Arkham Horror: The Card Game as the site's pages use them: typed, read once for all pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from kb.games.arkham.schema.cards import CardRecord, Cycle, EncounterRecord, Pack
from kb.records import read
from kb.site.library import Library

GAME = "arkham"
NAV = "arkham--cards"


def card_id(code: str) -> str:
    """Id of the card with a code."""
    return f"{GAME}/cards/{code}"


def is_player_card(card: CardRecord) -> bool:
    """Whether a card belongs to players: not to a scenario's encounter sets."""
    return not card.story


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
        found = [card for card in self.cards.values() if is_player_card(card) and not card.duplicate_of]
        return sorted(found, key=lambda card: (card.name.casefold().lstrip('"'), card.level or 0, card.code))


def known(library: Library) -> Known:
    """What the catalog has of the game."""
    cards = [read(CardRecord, record) for record in library.records.get((GAME, "card"), ())]
    encounters = [read(EncounterRecord, record) for record in library.records.get((GAME, "encounter"), ())]
    packs = [read(Pack, record) for record in library.records.get((GAME, "pack"), ())]
    cycles = [read(Cycle, record) for record in library.records.get((GAME, "cycle"), ())]
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
