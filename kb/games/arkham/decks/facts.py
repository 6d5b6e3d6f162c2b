"""The facts that decks are checked against: cards, taboo lists and products, built from records when first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from kb.decks.names import name_key
from kb.games.arkham.decks.model import BASIC_WEAKNESS, Card, Cycle, Pack, TabooList, TabooRow
from kb.games.arkham.decks.options import NOTHING
from kb.games.arkham.decks.records import card_of, cycle_of, pack_of, taboo_row_of

Record = Mapping[str, Any]
Records = Mapping[str, Sequence[Record]]


class Facts:
    """Looks cards up by code or name. Built once, then shared by all checks; it only remembers what it worked out.

    `records` maps a kind (`card`, `encounter`, `taboo`, `taboo_list`, `pack`, `cycle`) to its records; kinds are only
    asked for when they are needed.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._cards = {record["code"]: record for record in records["card"]}
        self._known: dict[str, Card] = {}
        self._encounters: dict[str, str] | None = None
        self._taboos: dict[int, TabooList] | None = None
        self._packs: dict[str, Pack] | None = None
        self._cycles: dict[str, Cycle] | None = None
        self._names: dict[str, list[str]] | None = None
        self._printings: dict[str, list[str]] | None = None
        self.deck_changing = frozenset(
            code for code, record in self._cards.items() if _changes_decks(self._cards[self.root(code)], record)
        )

    def card(self, code: str) -> Card | None:
        """The card with this code, None when no player card has it."""
        known = self._known.get(code)
        if known is None and code in self._cards:
            known = self._known[code] = card_of(self._cards[code], self._cards[self.root(code)])
        return known

    def root(self, code: str) -> str:
        """Code of the first printing of a card (the code itself when nothing is known of it)."""
        original: str = self._cards.get(code, NOTHING).get("duplicate_of", code)
        return original if original in self._cards else code

    def family(self, code: str) -> str:
        """Code that all versions of an investigator share: the first printing of the original one."""
        record = self._cards.get(self.root(code), NOTHING)
        return self.root(record["alternate_of"]) if "alternate_of" in record else self.root(code)

    @cached_property
    def pack_names(self) -> dict[str, str]:
        """Codes of packs by what they are called, as names are compared."""
        return {name_key(name): pack.code for pack in self.packs.values() for name in (pack.code, pack.name)}

    @cached_property
    def cycle_names(self) -> dict[str, str]:
        """Codes of cycles by what they are called, as names are compared."""
        return {name_key(name): cycle.code for cycle in self.cycles.values() for name in (cycle.code, cycle.name)}

    def encounter(self, code: str) -> str | None:
        """Name of the scenario card with this code, None when there is none."""
        if self._encounters is None:
            self._encounters = {record["code"]: record["name"] for record in self._records.get("encounter", ())}
        return self._encounters.get(code)

    def named(self, name: str) -> list[Card]:
        """All cards with this name, in the order of their codes; letter case does not matter."""
        if self._names is None:
            self._names = {}
            for code, record in self._cards.items():
                self._names.setdefault(record["name"].casefold(), []).append(code)
        return [card for code in self._names.get(name.casefold(), ()) if (card := self.card(code))]

    @property
    def names(self) -> list[str]:
        """All names of cards, in small letters."""
        self.named("")
        return list(self._names or ())

    def printings(self, root: str) -> list[Card]:
        """Every printing of a card, the first one first."""
        if self._printings is None:
            self._printings = {}
            for code in self._cards:
                self._printings.setdefault(self.root(code), []).append(code)
        return [card for code in self._printings.get(root, ()) if (card := self.card(code))]

    @property
    def taboos(self) -> dict[int, TabooList]:
        """All taboo lists by number, in the order of their days."""
        if self._taboos is None:
            rows: dict[int, dict[str, TabooRow]] = {}
            for record in self._records.get("taboo", ()):
                card = self.card(record["code"])
                if card is not None:
                    rows.setdefault(record["list"], {})[card.root] = taboo_row_of(record, card)
            lists = [
                TabooList(record["list"], record["start"], rows.get(record["list"], {}))
                for record in self._records.get("taboo_list", ())
            ]
            self._taboos = {taboo.number: taboo for taboo in sorted(lists, key=lambda taboo: taboo.start)}
        return self._taboos

    @property
    def packs(self) -> dict[str, Pack]:
        """All products by code."""
        if self._packs is None:
            self._packs = {record["code"]: pack_of(record) for record in self._records.get("pack", ())}
        return self._packs

    @property
    def cycles(self) -> dict[str, Cycle]:
        """All groups of products by code."""
        if self._cycles is None:
            self._cycles = {record["code"]: cycle_of(record) for record in self._records.get("cycle", ())}
        return self._cycles

    def placeholder(self) -> str:
        """Code of the card that stands for a random basic weakness still to be drawn; empty when there is none."""
        hidden = (code for code, record in self._cards.items() if record.get("hidden"))
        return next((code for code in hidden if self._cards[code].get("subtype") == BASIC_WEAKNESS), "")

    def basic_weaknesses(self) -> list[Card]:
        """Every printing of every basic weakness that can be drawn (not the placeholder for one)."""
        return [
            card
            for code, record in self._cards.items()
            if record.get("subtype") == BASIC_WEAKNESS and not record.get("hidden") and (card := self.card(code))
        ]


def with_taboo(card: Card, row: TabooRow | None) -> Card:
    """The card as a taboo list has it."""
    if row is None:
        return card
    return replace(
        card,
        surcharge=row.experience,
        exceptional=card.exceptional if row.exceptional is None else row.exceptional,
        forbidden=row.forbidden,
        limit=1 if row.exceptional else card.limit if row.limit is None else row.limit,
        build=row.build or card.build,
        sheet=row.sheet or card.sheet,
    )


def _changes_decks(root: Record, record: Record) -> bool:
    """Whether a card changes the deck size or the options of the deck that holds it."""
    special = record.get("special") or root.get("special") or NOTHING
    return any(key in special for key in ("deck_size", "gains", "forbids", "single_copies"))
