"""The cards and products of Arkham Horror: The Card Game as the site's pages use them: typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar, overload

from kb.games.arkham.schema.cards import CardRecord, Cycle, EncounterRecord, Pack
from kb.records import read
from kb.site.library import Library, Record

GAME = "arkham"
NAV = "arkham--cards"


IDS = f"{GAME}/cards/"
KEPT = 3_000
"""How many cards are kept as they were read: more than there are, though not of many times as many."""
T = TypeVar("T")


def card_id(code: str) -> str:
    """Id of the card with a code."""
    return f"{IDS}{code}"


def code_of(at: str) -> str:
    """The code of the card with an id."""
    return at.removeprefix(IDS)


def is_player_card(card: CardRecord) -> bool:
    """Whether a card belongs to players: not to a scenario's encounter sets."""
    return not card.story


class Typed(Mapping[str, T]):
    """Cards of one type by id, each read when it is asked for."""

    def __init__(self, shape: type[T], records: Iterable[Record]) -> None:
        self._records = {str(record["code"]): record for record in records}
        self._kept = lru_cache(KEPT)(partial(typed, shape, self._records))

    def __getitem__(self, at: str) -> T:
        return self._kept(code_of(at))

    def __contains__(self, at: object) -> bool:
        return isinstance(at, str) and at.startswith(IDS) and code_of(at) in self._records

    def __iter__(self) -> Iterator[str]:
        return map(card_id, self._records)

    def __len__(self) -> int:
        return len(self._records)


def typed(shape: type[T], records: Mapping[str, Record], code: str) -> T:
    """A card by its code."""
    return read(shape, records[code])


class Listed(Sequence[CardRecord]):
    """Some of the cards in an order, each read when it is asked for."""

    def __init__(self, cards: Mapping[str, CardRecord], ids: Sequence[str]) -> None:
        self._cards, self.ids = cards, ids

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, number: int) -> CardRecord: ...
    @overload
    def __getitem__(self, number: slice) -> Listed: ...
    def __getitem__(self, number: int | slice) -> CardRecord | Listed:
        found = self.ids[number]
        return self._cards[found] if isinstance(found, str) else Listed(self._cards, found)

    def only(self, wanted: Callable[[CardRecord], bool]) -> Listed:
        """Those that are wanted."""
        return Listed(self._cards, [at for at, card in zip(self.ids, self, strict=True) if wanted(card)])


@dataclass(frozen=True, slots=True)
class Known:
    """Cards, scenario cards by id; products and their groups by code. `printed`: codes of all printings by that of the first, where
    there are several."""

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

    def players(self) -> Listed:
        """The player cards, first printings only, by name and level."""
        found = [
            (card.name.casefold().lstrip('"'), card.level or 0, card.code)
            for card in self.cards.values()
            if is_player_card(card) and not card.duplicate_of
        ]
        return self.listed(code for _name, _level, code in sorted(found))

    def listed(self, codes: Iterable[str]) -> Listed:
        """Cards by their codes."""
        return Listed(self.cards, [card_id(code) for code in codes])


def known(library: Library) -> Known:
    """What the catalog has of the game."""
    cards = library.of_kind(GAME, "card")
    packs = [read(Pack, record) for record in library.of_kind(GAME, "pack")]
    cycles = [read(Cycle, record) for record in library.of_kind(GAME, "cycle")]
    reprinted = {original for record in cards if (original := record.get("duplicate_of"))}
    printed: dict[str, list[str]] = defaultdict(list)
    for record in cards:
        if (first := record.get("duplicate_of") or record["code"]) in reprinted:
            printed[first].append(record["code"])
    return Known(
        Typed(CardRecord, cards),
        Typed(EncounterRecord, library.of_kind(GAME, "encounter")),
        {pack.code: pack for pack in packs},
        {cycle.code: cycle for cycle in cycles},
        printed,
    )
