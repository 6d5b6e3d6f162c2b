"""The facts that decks are checked against: cards, taboo lists and products, built from records when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from kb.decks.names import name_key
from kb.games.arkham.decks.model import Card, printed_levels
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, CardRecord, Cycle, Pack, TabooList, TabooRow
from kb.own_records import CARD, COPIES
from kb.records import NOTHING, read

Record = Mapping[str, Any]
Records = Mapping[str, Sequence[Record]]
_OWN, _BESIDE = "own", ("list", "own", "owned")


class Facts:
    """Looks cards up by code or name. Built once, then shared by all checks; it only remembers what it worked out.

    `records` maps a kind (`card`, `encounter`, `taboo`, `taboo_list`, `pack`, `cycle`) to its records; kinds are only
    asked for when they are needed.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._cards = by_code(records["card"])
        self._known: dict[str, Card] = {}
        self._encounters: dict[str, str] | None = None
        self._taboo_rows: dict[int, dict[str, TabooRow]] = {}
        self._names: dict[str, list[str]] | None = None
        self._printings: dict[str, list[str]] | None = None
        self.profiles: dict[Any, Any] = {}
        """What `profile_of` worked out from these facts: it goes with them."""
        self.deck_changing = frozenset(
            code for code, record in self._cards.items() if _changes_decks(self._cards[self.root(code)], record)
        )

    def card(self, code: str) -> Card | None:
        """The card with this code, None when no player card has it."""
        known = self._known.get(code)
        if known is None and code in self._cards:
            record, root = self._record(code), self.root(code)
            known = self._known[code] = Card.of(record, record if root == code else self._record(root))
        return known

    def _record(self, code: str) -> CardRecord:
        """The record of a card, read when it is asked for: most decks need a hundredth of them."""
        record = self._cards[code]
        if "own" in record:
            record = {name: value for name, value in record.items() if name not in _BESIDE}
        return read(CardRecord, record)

    def in_order(self, pile: Mapping[str, int]) -> list[tuple[Card | None, str, int]]:
        """The cards of a pile by level and name, each with its code in the pile and the copies; unknown ones last."""
        rows = [(self.card(code), code, copies) for code, copies in pile.items()]
        return sorted(rows, key=lambda row: ((row[0].level or 0, row[0].name) if row[0] else (9, ""), row[1]))

    def label(self, code: str) -> str:
        """A card for people; the code where nothing is known of it."""
        card = self.card(code)
        return card.label if card else code

    def codes(self) -> list[str]:
        """The codes of all cards."""
        return list(self._cards)

    def root(self, code: str) -> str:
        """Code of the first printing of a card (the code itself when nothing is known of it)."""
        original: str = self._cards.get(code, NOTHING).get("duplicate_of", code)
        return original if original in self._cards else code

    def family(self, code: str) -> str:
        """Code that all versions of an investigator share: the first printing of the original one."""
        record = self._cards.get(self.root(code), NOTHING)
        return self.root(record["alternate_of"]) if "alternate_of" in record else self.root(code)

    @cached_property
    def owned(self) -> dict[str, int]:
        """Copies by code, of cards whose number the user has told."""
        return copies_by_code(self._records)

    @cached_property
    def own_cards(self) -> frozenset[str]:
        """Codes of the cards that are the user's own."""
        return frozenset(code for code in self._cards if self.own(code))

    def own(self, code: str) -> str:
        """The title of the user's list that a card is from; empty when it is none of the user's own."""
        return str(self._cards.get(code, NOTHING).get("own", ""))

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

    @cached_property
    def scenarios(self) -> dict[str, tuple[str, str]]:
        """Every scenario by its name as names are compared: the name, and the cycle of its product, in the order of the codes."""
        found: dict[str, tuple[str, str]] = {}
        for record in self._records.get("encounter", ()):
            pack = self.packs.get(record.get("pack", ""))
            if record.get("type") == "scenario":
                found.setdefault(name_key(record["name"]), (record["name"], pack.cycle if pack else ""))
        return found

    def stamina(self, code: str) -> tuple[int | None, int | None]:
        """Printed health and sanity of an investigator; None where the facts have none."""
        record = self._cards.get(code, NOTHING)
        return record.get("health"), record.get("sanity")

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

    @cached_property
    def names_by_key(self) -> dict[str, list[str]]:
        """Names of cards, in small letters, by the form in which names are compared."""
        found: dict[str, list[str]] = {}
        for name in self.names:
            found.setdefault(name_key(name), []).append(name)
        return found

    def printings(self, root: str) -> list[Card]:
        """Every printing of a card, the first one first."""
        if self._printings is None:
            self._printings = {}
            for code in self._cards:
                self._printings.setdefault(self.root(code), []).append(code)
        return [card for code in self._printings.get(root, ()) if (card := self.card(code))]

    @cached_property
    def taboos(self) -> dict[int, TabooList]:
        """All taboo lists by number, in the order of their days."""
        lists = [read(TabooList, record) for record in self._records.get("taboo_list", ())]
        return {taboo.list: taboo for taboo in sorted(lists, key=lambda taboo: taboo.start)}

    def taboo_rows(self, number: int) -> Mapping[str, TabooRow]:
        """The rows of a taboo list by first printing; none for a list that is not known."""
        rows = self._taboo_rows.get(number)
        if rows is None:
            rows = self._taboo_rows[number] = {}
            for record in self._records.get("taboo", ()):
                card = self.card(record["code"]) if record["list"] == number else None
                if card is not None:
                    row = read(TabooRow, record)
                    rows[card.root] = replace(row, sheet=printed_levels(row.sheet, card.sheet))
        return rows

    @cached_property
    def packs(self) -> dict[str, Pack]:
        """All products by code."""
        return {made.code: made for made in (read(Pack, record) for record in self._records.get("pack", ()))}

    @cached_property
    def cycles(self) -> dict[str, Cycle]:
        """All groups of products by code."""
        return {made.code: made for made in (read(Cycle, record) for record in self._records.get("cycle", ()))}

    def placeholder(self) -> str:
        """Code of the card that stands for a random basic weakness still to be drawn; empty when there is none."""
        hidden = (code for code, record in self._cards.items() if record.get("hidden"))
        return next((code for code in hidden if self._cards[code].get("subtype") == BASIC_WEAKNESS), "")

    @cached_property
    def basic_weaknesses(self) -> tuple[Card, ...]:
        """Every printing of every basic weakness that can be drawn (not the placeholder for one)."""
        return tuple(
            card
            for code, record in self._cards.items()
            if record.get("subtype") == BASIC_WEAKNESS and not record.get("hidden") and (card := self.card(code))
        )


def by_code(records: Sequence[Record]) -> Mapping[str, Record]:
    """Records by their codes."""
    return {record["code"]: record for record in records}


def joined(records: Callable[[str], Sequence[Record]], kind: str) -> Sequence[Record]:
    """The records of a kind with those of the user's own cards: kb's own facts count where both have a code."""
    found = records(kind)
    own = records(CARD) if kind in ("card", "pack", "cycle") else ()
    if not own:
        return found
    if kind == "pack":
        return [*found, {"code": _OWN, "name": "Your own cards", "cycle": _OWN, "position": 0}]
    if kind == "cycle":
        return [*found, {"code": _OWN, "name": "Your own cards", "position": 0}]
    known = {record["code"] for record in found}
    return [*found, *(record for record in own if record["code"] not in known)]


def copies_by_code(records: Records) -> dict[str, int]:
    """Copies that are owned by code: of cards that lists of the user's count, and of their own cards."""
    found: dict[str, int] = {}
    for record in records.get(COPIES, ()):
        found[record["code"]] = found.get(record["code"], 0) + record["copies"]
    return found | {record["code"]: record["quantity"] for record in records.get(CARD, ())}


def _changes_decks(root: Record, record: Record) -> bool:
    """Whether a card changes the deck size or the options of the deck that holds it."""
    special = record.get("special") or root.get("special") or NOTHING
    return any(key in special for key in ("deck_size", "gains", "forbids", "single_copies"))
