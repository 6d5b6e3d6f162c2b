"""The facts against which decks are checked, and the lookup of cards by name or code.

Cards are built from their records only when they are needed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from kb.decks.names import MOST_SUGGESTIONS, as_suggestion, either, name_key, split_quantity, suggest
from kb.errors import KbError
from kb.games.arkham.decks.card import ArkhamCard, completed_sheet, with_taboo
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, CardRecord, Cycle, Pack, TabooList, TabooRow
from kb.own_records import CARD, COPIES
from kb.records import NOTHING, build
from kb.registry import games

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
        """Return the bonded cards that are set aside with `deck`, with their copies."""
        names = [
            card.name
            for card, _ in (*self.held({deck.investigator: 1}), *self.held(deck.cards), *self.held(deck.extra))
        ]
        codes = dict.fromkeys(code for name in names for code in self._bonded.get(name_key(name), ()))
        return [(card, card.bonded.count) for code in codes if (card := self.card(code)) and card.bonded]

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


_CODE = re.compile(r"#?(\d{5}[a-z]?)")
_GROUP = re.compile(r"^(.*\S)\s*[(\[]((?:[^()\[\]]|\([^()]*\))*)[)\]]$")  # brackets may contain one more pair
_BULLETS = re.compile(r"^(.*[^\s•●★*])\s*([•●★*]+)$")
_LEVEL = re.compile(r"(?:level|lvl|lv|xp)?\s*(\d)\s*(?:xp)?", re.IGNORECASE)


_LEVEL_BEHIND = re.compile(r"^(.*[^\s,]),?\s+(?:level|lvl|lv)\.?\s?(\d)$", re.IGNORECASE)
_PIPS = re.compile(r"[•●★*]+")


class UnknownName(KbError, ValueError):
    """No card has the name that the user `typed`. The message is written for users.

    `meant` lists similar card names.
    """

    def __init__(self, message: str, typed: str = "", meant: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.typed, self.meant = typed, tuple(meant)


@dataclass(slots=True)
class CardFinder:
    """Finds cards by the names that people and other programs write.

    If a name without a product fits several cards, those in the products `prefer` come first.
    """

    facts: ArkhamFacts
    prefer: Collection[str] = ()
    _strangers: int = 0
    _bare: set[str] = field(default_factory=set)

    def find(self, text: str, investigator: bool = False) -> ArkhamCard:
        """Return the card that `text` means.

        `text` is a code or a name. A name may be followed by a subtitle, level, pack or code in brackets, or by the
        level as bullets. Without a level, the lowest one is meant; without a pack, the first printing. With
        `investigator`, only investigators are searched, otherwise only other cards.

        Raises UnknownName if no card fits, or if several cards fit that differ only in their subtitles.
        """
        fitting = self.fitting(text, investigator)
        alike = {card.subtitle: card for card in reversed(fitting) if _alike(card, fitting[0])}
        if len(alike) > 1:
            names = [
                f"{card.name}: {card.subtitle}{f' ({card.level})' if card.level else ''}" for card in alike.values()
            ]
            choices = either(f"`{name}`" for name in names)
            raise UnknownName(
                f"{text.strip()!r} matches {len(alike)} cards. Write {choices}, or a code.", text.strip(), names
            )
        if fitting[0].title == text.strip().casefold():
            self._bare.add(fitting[0].code)
        return fitting[0]

    def fitting(self, text: str, investigator: bool = False) -> list[ArkhamCard]:
        """Return all cards that `text` may mean, the likeliest first (see `find`). Raises UnknownName if there are
        none.
        """
        text = text.strip()
        if self.facts.own(bare := text.strip("#[]()")) and (own := self.facts.card(bare)) is not None:
            return [own]
        if code := _CODE.fullmatch(text.strip("[]()")):
            card = self.facts.card(code[1])
            if card is None:
                newer = games()["arkham"].newer_than_facts(code[1])
                raise UnknownName(f"No card has the code {code[1]}.{f' {newer}' if newer else ''}", text)
            return [card]
        found, name = self._described(text, investigator)
        if found:
            return found
        if self.facts.named(name):
            raise UnknownName(f"No {'investigator' if investigator else 'card'} {name!r} matches {text!r}.")
        meant = self.investigators(name) if investigator else self.meant(name)
        raise UnknownName(
            f"There is no {'investigator' if investigator else 'card'} {text!r}.{as_suggestion(meant)}", text, meant
        )

    def _described(self, text: str, investigator: bool = False) -> tuple[list[ArkhamCard], str]:
        """Return all cards that `text` may mean, the likeliest first, and the name that it contains.

        `text` is a name, which may be followed by a level, a product or a subtitle.
        """
        name = text.strip()
        hints: list[str] = []
        while True:
            if bullets := _BULLETS.match(name):
                name, hints = bullets[1], [str(len(bullets[2])), *hints]
            if (signs := _GROUP.match(name)) and not name_key(signs[2]):
                name, hints = signs[1], [signs[2], *hints]
                continue
            signs_behind = not name_key(name.split()[-1]) if name else False  # `○○`: no level that kb can read
            called = () if signs_behind else self.facts.named(name)
            namesakes = [card for card in called if (card.type == "investigator") == investigator]
            narrowed = self._narrow(namesakes, hints)
            if narrowed:
                return narrowed, name
            cut = _GROUP.match(name)
            if cut:
                name, hints = cut[1], [cut[2], *hints]
            elif level := _LEVEL_BEHIND.match(name):
                name, hints = level[1], [level[2], *hints]
            elif ":" in name:
                name, _, subtitle = name.rpartition(":")
                hints = [subtitle.strip(), *hints]
            else:
                return [], name

    def parted(self, line: str) -> list[str]:
        """Split a line such as `Machete, 2x Guts` into one text for each card.

        A name may itself contain commas, so the longest known name is taken. A line without a known card is not split.
        """
        parts = [part.strip() for part in line.split(",")]
        lines, known = list[str](), False
        while parts:
            whole = (size for size in (3, 2, 1) if self._described(self.counted(", ".join(parts[:size]))[1])[0])
            size = next(whole, 0)
            known = known or size > 0
            lines.append(", ".join(parts[: size or 1]))
            parts = parts[size or 1 :]
        return lines if known else [line]

    def investigators(self, name: str) -> list[str]:
        """Return the names of investigators that are similar to the misspelt `name`."""
        return suggest(name, [each for each in self.facts.names if any(card.build for card in self.facts.named(each))])

    def meant(self, name: str) -> list[str]:
        """Return the card names that are similar to the misspelt `name`; none after many requests, because each request
        takes time.
        """
        self._strangers += 1
        return suggest(name, self.facts.names) if self._strangers <= MOST_SUGGESTIONS else []

    def settled(self, cards: Sequence[ArkhamCard], codes: Iterable[str], packs: str = "") -> ArkhamCard:
        """Return the investigator that a deck means, from `cards`: investigators who share a name.

        The choice depends on the deck's cards (`codes`), or on products that the deck names (`packs`). If all of
        `cards` are versions of one investigator and no product is named, the original is meant. Raises UnknownName if
        nothing decides the choice.
        """
        facts = self.facts
        namesakes = list({self._told_apart(card): card for card in reversed(cards)}.values())[::-1]
        roots, named = {facts.root(code) for code in codes}, name_key(packs)
        titles = {card.title for root in roots if (card := facts.card(root))}
        signed = {card.code: self._signed(card, roots, titles) for card in namesakes}
        narrowings = [
            [card for card in namesakes if any(signed[card.code]) and signed[card.code] == max(signed.values())],
            [card for card in namesakes if card.pack in self.prefer],
            [card for card in namesakes if card.pack in facts.packs and name_key(facts.packs[card.pack].name) in named],
            [card for card in namesakes if self._may_hold(card, roots)],
        ]
        for fitting in narrowings if len(namesakes) > 1 else ():
            namesakes = fitting if len(fitting) == 1 else namesakes
        if len(namesakes) == 1:
            return namesakes[0]
        choices = either(
            f"{card.code} ({facts.packs[card.pack].name}, {', '.join(card.classes)})" for card in namesakes
        )
        raise UnknownName(
            f"{len(namesakes)} investigators are called {namesakes[0].name}, and nothing in the deck shows which one it is. "
            f"Write {choices}."
        )

    def _told_apart(self, card: ArkhamCard) -> str:
        """Return a key that versions of an investigator share if a deck does not need to distinguish them.

        Two versions in the same product with different classes have different keys. A parallel version is chosen by its
        product.
        """
        original = self.facts.card(self.facts.family(card.code))
        alone = original is not None and original.pack == card.pack and original.classes != card.classes
        return card.code if alone else self.facts.family(card.code)

    def _may_hold(self, investigator: ArkhamCard, roots: Collection[str]) -> bool:
        """Return True if the options of `investigator` allow all cards in `roots`, apart from weaknesses and signature
        cards.
        """
        options = [each for each in investigator.build.options if not each.forbids] if investigator.build else []
        cards = [
            card for root in roots if (card := self.facts.card(root)) and not (card.only_investigators or card.subtype)
        ]
        return all(any(wanted.admits(card) for wanted in options) for card in cards)

    def _signed(self, card: ArkhamCard, roots: Collection[str], titles: Collection[str]) -> tuple[int, int]:
        """Return how many signature cards of the investigator `card` are in the deck: counted by code, and counted by
        title.

        `roots` and `titles` are the codes and titles of the deck's cards. From the number counted by title, 1 is
        subtracted for each missing card.
        """
        required = card.build.required if card.build else ()
        by_code = sum(any(self.facts.root(code) in roots for code in one_of) for one_of in required)
        names = [{each.title for code in one_of if (each := self.facts.card(code))} for one_of in required]
        by_name = sum(1 if not name.isdisjoint(titles) else -1 for name in names)
        return (by_code, by_name) if by_code or by_name > -len(names) else (0, 0)

    def own(self, cards: Pile, investigator: ArkhamCard) -> dict[str, int]:
        """Return a deck's cards, with the signature cards of other investigators replaced.

        A card found by its name alone may be another investigator's signature card. If `investigator` has a signature
        card with the same name, that card is used instead.
        """
        required = [one_of[0] for one_of in investigator.build.required] if investigator.build else []
        signed = {self.facts.root(code): card for code in required if (card := self.facts.card(code))}
        named = {card.title: card.code for card in signed.values()}
        counts: Counter[str] = Counter()
        for code, copies in cards.items():
            if code in self._bare and self.facts.root(code) not in signed:
                code = named.get(card.title, code) if (card := self.facts.card(code)) else code
            counts[code] += copies
        return dict(counts)

    def counted(self, text: str) -> tuple[int, str]:
        """Return the copies and the name in a line such as `2x Machete` or `Machete, 2`.

        If the name of a card begins with a number, the line is one copy of that card.
        """
        copies, name = split_quantity(text, levels=True)
        return (1, text.strip()) if self.begins(text) and not self.begins(name) else (copies, name)

    def begins(self, text: str) -> bool:
        """Return True if `text`, up to a bracket or colon, is the name of a card other than an investigator."""
        named = self.facts.named(re.split(r"[(\[]|: ", text)[0].rstrip("•●★* "))
        return any(card.type != "investigator" for card in named)

    def _narrow(self, cards: list[ArkhamCard], hints: list[str]) -> list[ArkhamCard]:
        """Return the cards that match all hints, such as a level or a product. The lowest level and the first printing
        come first.
        """
        for hint in hints:
            cards = self._fitting(cards, hint)
        differ = len({(card.root, card.modified) for card in cards}) > 1
        return sorted(
            cards,
            key=lambda card: (
                card.hidden,
                card.level or 0,
                differ and bool(self.prefer) and card.pack not in self.prefer,
                card.root != card.code,
                card.code,
            ),
        )

    def _fitting(self, cards: list[ArkhamCard], hint: str) -> list[ArkhamCard]:
        if self.facts.own(hint):
            return [card for card in cards if card.code == hint]
        if code := _CODE.fullmatch(hint):
            return [card for card in cards if card.code == code[1]]
        if level := _LEVEL.fullmatch(hint.strip()):
            return [card for card in cards if (card.level or 0) == int(level[1])]
        if _PIPS.fullmatch(hint.strip()):
            return [card for card in cards if (card.level or 0) == len(hint.strip())]
        key = name_key(hint)
        if not key:
            return []
        called = self.facts.pack_names.get(key, "")
        packs = (called, *self.facts.packs[called].reprints) if called else ()
        return [card for card in cards if name_key(card.subtitle) == key or card.pack in packs]


def _alike(card: ArkhamCard, first: ArkhamCard) -> bool:
    """Return True if `card` and `first` differ only in their subtitles, and both may be in any investigator's deck."""
    return (
        card.subtitle != "" != first.subtitle
        and (card.type, card.level, card.classes, card.hidden) == (first.type, first.level, first.classes, first.hidden)
        and not (card.subtype or card.story or card.only_investigators or card.type == "investigator")
    )
