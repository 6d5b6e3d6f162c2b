"""The facts against which decks are checked.

Cards are built from their records only when they are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from kb.decks.names import name_key
from kb.frozen import NOTHING
from kb.games.arkham.decks.card import ArkhamCard, completed_sheet, with_taboo
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, CardRecord, Cycle, Pack, TabooList, TabooRow
from kb.own_records import CARD, COPIES
from kb.shapes import build

Record = Mapping[str, Any]
Records = Callable[[str], Sequence[Record]]
_OWN = "own"


class ArkhamFacts:
    """The facts of all cards, products and taboo lists. The object is built once and shared by all checks; it only
    caches results.

    `records` is a function that returns the records of a kind: `card`, `encounter`, `taboo`, `taboo_list`, `pack`,
    `cycle`, or a kind of the user's own cards. It is called only when records are needed. If the user's own card has a
    code that kb knows, kb's card is used.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._cards = {record["code"]: record for record in records("card")}
        for record in records(CARD):
            self._cards.setdefault(record["code"], record)
        self._taboo_rows: dict[int, dict[str, TabooRow]] = {}
        self._known: dict[str, ArkhamCard] = {}
        self.profiles: dict[Any, Any] = {}
        """Results of `profile_of` with these facts, cached."""
        self.deck_changing = frozenset(
            code for code, record in self._cards.items() if _changes_decks(self._cards[self.root(code)], record)
        )

    @cached_property
    def deck_choosing(self) -> frozenset[str]:
        """Codes, in every printing, of the cards that need the only copy of another card in the deck (branded spell)."""
        specials = (
            (code, self._cards[self.root(code)].get("special") or record.get("special"))
            for code, record in self._cards.items()
        )
        return frozenset(
            code for code, special in specials if special and (special.get("attach") or NOTHING).get("only_copy")
        )

    def with_cards_of(self, *decks: ArkhamDeck) -> ArkhamFacts:
        """Return facts that also include the fan-made cards in the files of `decks`, except cards with invalid facts."""
        cards = [each.record for deck in decks for each in deck.brought if each.record]
        return ArkhamFacts(lambda kind: [*self._records(kind), *(cards if kind == CARD else ())]) if cards else self

    def card(self, code: str) -> ArkhamCard | None:
        """Return the player card with the code; None if there is none."""
        known = self._known.get(code)
        if known is None and code in self._cards:
            record, root = self._record(code), self.root(code)
            known = self._known[code] = ArkhamCard.of(record, record if root == code else self._record(root))
        return known

    def _record(self, code: str) -> CardRecord:
        """Return the record of a card. It is built on demand, because most decks need only a hundredth of the records."""
        return build(CardRecord, self._cards[code])

    def in_order(self, pile: Pile) -> list[tuple[ArkhamCard | None, str, int]]:
        """Return the cards in `pile` by level and name: for each, the card, the code in `pile`, and the copies.

        Unknown cards come last, with None as the card.
        """
        rows = [(self.card(code), code, copies) for code, copies in pile.items()]
        return sorted(rows, key=lambda row: ((row[0].level or 0, row[0].name) if row[0] else (9, ""), row[1]))

    def held(self, pile: Pile) -> Iterator[tuple[ArkhamCard, int]]:
        """Yield the known cards in `pile` that have at least one copy, with their copies."""
        for code, copies in pile.items():
            if copies > 0 and (card := self.card(code)):
                yield card, copies

    def name(self, code: str) -> str:
        """Return the name of the card with the code; the code itself if the card is unknown."""
        card = self.card(code)
        return card.name if card else code

    def pack_name(self, code: str) -> str:
        """Return the name of the product with the code; the code itself if the product is unknown."""
        return self.packs[code].name if code in self.packs else code

    def label(self, code: str) -> str:
        """Return the card's label, such as `Shrivelling (3) [02154]`; the code itself if the card is unknown."""
        card = self.card(code)
        return card.label if card else code

    def codes(self) -> list[str]:
        """Return the codes of all player cards, including the user's own."""
        return list(self._cards)

    def root(self, code: str) -> str:
        """Return the code of the first printing of the card with the code; the code itself if the card is unknown."""
        original: str = self._cards.get(code, NOTHING).get("duplicate_of", code)
        return original if original in self._cards else code

    def family(self, code: str) -> str:
        """Return the code that all versions of an investigator share: the code of the original version in its first
        printing.
        """
        record = self._cards.get(self.root(code), NOTHING)
        return self.root(record["alternate_of"]) if "alternate_of" in record else self.root(code)

    @cached_property
    def _bonded(self) -> dict[str, list[str]]:
        """Codes of bonded cards, by the normalized name of the card that brings them into the game."""
        rows = (
            (name_key(each["bonded"]["to"]), code)
            for code, each in self._cards.items()
            if each.get("bonded") and self.root(code) == code
        )
        return _grouped(rows)

    def bonded_with(self, deck: ArkhamDeck) -> list[tuple[ArkhamCard, int]]:
        """Return the bonded cards that are set aside with `deck`, with their copies: as many as the product contains.

        The two sides of a card have the same number in the product, and count as one card.
        """
        names = [
            card.name
            for card, _ in (*self.held({deck.investigator: 1}), *self.held(deck.cards), *self.held(deck.extra))
        ]
        codes = dict.fromkeys(code for name in names for code in self._bonded.get(name_key(name), ()))
        found: dict[tuple[str, int | str], tuple[ArkhamCard, int]] = {}
        for code in codes:
            if (card := self.card(code)) and card.bonded:
                found.setdefault((card.pack, card.position or code), (card, card.bonded.count))
        return list(found.values())

    @cached_property
    def owned(self) -> dict[str, int]:
        """Copies that the user owns, by code: numbers that the user entered, and copies of the user's own cards."""
        copies: Counter[str] = Counter()
        for record in self._records(COPIES):
            copies[record["code"]] += record["copies"]
        return dict(copies) | {record["code"]: record["quantity"] for record in self._records(CARD)}

    def own(self, code: str) -> str:
        """Return the title of the user's list that contains the card with the code; empty if the card is not the user's
        own.
        """
        return str(self._cards.get(code, NOTHING).get("own", ""))

    @cached_property
    def pack_names(self) -> dict[str, str]:
        """Codes of products, by the normalized code or name."""
        return {name_key(name): pack.code for pack in self.packs.values() for name in (pack.code, pack.name)}

    @cached_property
    def cycle_names(self) -> dict[str, str]:
        """Codes of cycles, by the normalized code or name."""
        return {name_key(name): cycle.code for cycle in self.cycles.values() for name in (cycle.code, cycle.name)}

    @cached_property
    def encounters(self) -> dict[str, str]:
        """Names of scenario cards, by code."""
        return {record["code"]: record["name"] for record in self._records("encounter")}

    @cached_property
    def scenarios(self) -> dict[str, tuple[str, str]]:
        """Scenarios by normalized name, in the order of their codes. Each value is the scenario's name and the code
        of its cycle.
        """
        by_name: dict[str, tuple[str, str]] = {}
        for record in self._records("encounter"):
            pack = self.packs.get(record.get("pack", ""))
            if record.get("type") == "scenario":
                by_name.setdefault(name_key(record["name"]), (record["name"], pack.cycle if pack else ""))
        return by_name

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _grouped((name_key(record["name"]), code) for code, record in self._cards.items())

    def named(self, name: str) -> list[ArkhamCard]:
        """Return all cards with the name, in the order of their codes. Names are compared in normalized form."""
        return [card for code in self._by_name.get(name_key(name), ()) if (card := self.card(code))]

    @cached_property
    def names(self) -> list[str]:
        """Names of all player cards, without repeats."""
        return [self._cards[codes[0]]["name"] for codes in self._by_name.values()]

    @cached_property
    def _printings(self) -> dict[str, list[str]]:
        return _grouped((self.root(code), code) for code in self._cards)

    def printings(self, root: str) -> list[ArkhamCard]:
        """Return every printing of the card whose first printing has the code `root`."""
        return [card for code in self._printings.get(root, ()) if (card := self.card(code))]

    @cached_property
    def taboos(self) -> dict[int, TabooList]:
        """Taboo lists by number, in the order of their dates."""
        lists = [build(TabooList, record) for record in self._records("taboo_list")]
        return {taboo.list: taboo for taboo in sorted(lists, key=lambda taboo: taboo.start)}

    def taboo_rows(self, number: int) -> Mapping[str, TabooRow]:
        """Return the rows of the taboo list with the number, by the first printing of the card; empty for an unknown
        list.
        """
        rows = self._taboo_rows.get(number)
        if rows is None:
            rows = self._taboo_rows[number] = {}
            for record in self._records("taboo"):
                card = self.card(record["code"]) if record["list"] == number else None
                if card is not None:
                    row = build(TabooRow, record)
                    rows[card.root] = replace(row, sheet=completed_sheet(row.sheet, card.sheet))
        return rows

    def by_taboo(self, card: ArkhamCard, number: int) -> ArkhamCard:
        """Return `card` as the taboo list with the number changes it; 0 means no list."""
        return with_taboo(card, self.taboo_rows(number).get(card.root))

    @cached_property
    def packs(self) -> dict[str, Pack]:
        """Products by code, including one for the user's own cards."""
        return {record["code"]: build(Pack, record) for record in (*self._records("pack"), *self._beside(cycle=_OWN))}

    @cached_property
    def cycles(self) -> dict[str, Cycle]:
        """Cycles (groups of products) by code, including one for the user's own cards."""
        return {record["code"]: build(Cycle, record) for record in (*self._records("cycle"), *self._beside())}

    def _beside(self, **more: str) -> list[Record]:
        """Return the record of the product or cycle for the user's own cards, with the keys in `more` added; empty if
        there are no own cards.
        """
        return [{"code": _OWN, "name": "Your own cards", "position": 0, **more}] if self._records(CARD) else []

    @cached_property
    def _basic_weaknesses(self) -> list[ArkhamCard]:
        codes = (code for code, record in self._cards.items() if record.get("subtype") == BASIC_WEAKNESS)
        return [card for code in codes if (card := self.card(code))]

    def placeholder(self) -> str:
        """Return the code of the placeholder for a random basic weakness still to be drawn; empty if the card data has
        none.
        """
        return next((card.code for card in self._basic_weaknesses if card.hidden), "")

    @property
    def basic_weaknesses(self) -> list[ArkhamCard]:
        """Return every printing of every basic weakness, without the placeholder."""
        return [card for card in self._basic_weaknesses if not card.hidden]


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, code in pairs:
        groups.setdefault(key, []).append(code)
    return groups


def _changes_decks(root: Record, record: Record) -> bool:
    """Return True if the card of `record` changes the size or the options of a deck. `root` is the record of its first
    printing.
    """
    special = record.get("special") or root.get("special") or NOTHING
    return any(key in special for key in ("deck_size", "gains", "forbids", "single_copies"))
