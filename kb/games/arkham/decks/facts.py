"""The facts that decks are checked against: cards, taboo lists and products, built from records when first asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from kb.decks.names import name_key
from kb.games.arkham.decks.model import Card, printed_levels
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, CardRecord, Cycle, Pack, TabooList, TabooRow
from kb.own_records import CARD, COPIES
from kb.records import NOTHING, build

Record = Mapping[str, Any]
Records = Callable[[str], Sequence[Record]]
_OWN = "own"


class Facts:
    """Looks cards up by code or name. Built once, then shared by all checks; it only remembers what it worked out.

    `records` gives the records of a kind (`card`, `encounter`, `taboo`, `taboo_list`, `pack`, `cycle`, and those of the user's own
    cards), which are only asked for when they are needed. kb's own facts count where both have a code.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._cards = {record["code"]: record for record in records("card")}
        for record in records(CARD):
            self._cards.setdefault(record["code"], record)
        self._taboo_rows: dict[int, dict[str, TabooRow]] = {}
        self._known: dict[str, Card] = {}
        self.profiles: dict[Any, Any] = {}
        """What `profile_of` worked out from these facts: it goes with them."""
        self.deck_changing = frozenset(
            code for code, record in self._cards.items() if _changes_decks(self._cards[self.root(code)], record)
        )

    def with_own(self, cards: Sequence[Record]) -> Facts:
        """These facts with more cards of the user's own."""
        return Facts(lambda kind: [*self._records(kind), *(cards if kind == CARD else ())])

    def card(self, code: str) -> Card | None:
        """The card with this code, None when no player card has it."""
        known = self._known.get(code)
        if known is None and code in self._cards:
            record, root = self._record(code), self.root(code)
            known = self._known[code] = Card.of(record, record if root == code else self._record(root))
        return known

    def _record(self, code: str) -> CardRecord:
        """The record of a card, read when it is asked for: most decks need a hundredth of them."""
        return build(CardRecord, self._cards[code])

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
        """Copies by code, of cards whose number the user has told, and of their own cards."""
        found: Counter[str] = Counter()
        for record in self._records(COPIES):
            found[record["code"]] += record["copies"]
        return dict(found) | {record["code"]: record["quantity"] for record in self._records(CARD)}

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

    @cached_property
    def _encounters(self) -> dict[str, str]:
        return {record["code"]: record["name"] for record in self._records("encounter")}

    def encounter(self, code: str) -> str | None:
        """Name of the scenario card with this code, None when there is none."""
        return self._encounters.get(code)

    @cached_property
    def scenarios(self) -> dict[str, tuple[str, str]]:
        """Every scenario by its name as names are compared: the name, and the cycle of its product, in the order of the codes."""
        found: dict[str, tuple[str, str]] = {}
        for record in self._records("encounter"):
            pack = self.packs.get(record.get("pack", ""))
            if record.get("type") == "scenario":
                found.setdefault(name_key(record["name"]), (record["name"], pack.cycle if pack else ""))
        return found

    def stamina(self, code: str) -> tuple[int | None, int | None]:
        """Printed health and sanity of an investigator; None where the facts have none."""
        record = self._cards.get(code, NOTHING)
        return record.get("health"), record.get("sanity")

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _grouped((name_key(record["name"]), code) for code, record in self._cards.items())

    def named(self, name: str) -> list[Card]:
        """All cards with this name as names are compared, in the order of their codes."""
        return [card for code in self._by_name.get(name_key(name), ()) if (card := self.card(code))]

    @cached_property
    def names(self) -> list[str]:
        """All names of cards."""
        return [self._cards[codes[0]]["name"] for codes in self._by_name.values()]

    @cached_property
    def _printings(self) -> dict[str, list[str]]:
        return _grouped((self.root(code), code) for code in self._cards)

    def printings(self, root: str) -> list[Card]:
        """Every printing of a card, the first one first."""
        return [card for code in self._printings.get(root, ()) if (card := self.card(code))]

    @cached_property
    def taboos(self) -> dict[int, TabooList]:
        """All taboo lists by number, in the order of their days."""
        lists = [build(TabooList, record) for record in self._records("taboo_list")]
        return {taboo.list: taboo for taboo in sorted(lists, key=lambda taboo: taboo.start)}

    def taboo_rows(self, number: int) -> Mapping[str, TabooRow]:
        """The rows of a taboo list by first printing; none for a list that is not known."""
        rows = self._taboo_rows.get(number)
        if rows is None:
            rows = self._taboo_rows[number] = {}
            for record in self._records("taboo"):
                card = self.card(record["code"]) if record["list"] == number else None
                if card is not None:
                    row = build(TabooRow, record)
                    rows[card.root] = replace(row, sheet=printed_levels(row.sheet, card.sheet))
        return rows

    @cached_property
    def packs(self) -> dict[str, Pack]:
        """All products by code."""
        return {record["code"]: build(Pack, record) for record in (*self._records("pack"), *self._beside(cycle=_OWN))}

    @cached_property
    def cycles(self) -> dict[str, Cycle]:
        """All groups of products by code."""
        return {record["code"]: build(Cycle, record) for record in (*self._records("cycle"), *self._beside())}

    def _beside(self, **more: str) -> list[Record]:
        """The product, or group of products, to which the user's own cards are counted."""
        return [{"code": _OWN, "name": "Your own cards", "position": 0, **more}] if self._records(CARD) else []

    @cached_property
    def _basic_weaknesses(self) -> list[Card]:
        codes = (code for code, record in self._cards.items() if record.get("subtype") == BASIC_WEAKNESS)
        return [card for code in codes if (card := self.card(code))]

    def placeholder(self) -> str:
        """Code of the card that stands for a random basic weakness still to be drawn; empty when there is none."""
        return next((card.code for card in self._basic_weaknesses if card.hidden), "")

    @property
    def basic_weaknesses(self) -> list[Card]:
        """Every printing of every basic weakness that can be drawn (not the placeholder for one)."""
        return [card for card in self._basic_weaknesses if not card.hidden]


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, code in pairs:
        found.setdefault(key, []).append(code)
    return found


def _changes_decks(root: Record, record: Record) -> bool:
    """Whether a card changes the deck size or the options of the deck that holds it."""
    special = record.get("special") or root.get("special") or NOTHING
    return any(key in special for key in ("deck_size", "gains", "forbids", "single_copies"))
