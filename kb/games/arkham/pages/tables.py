"""Tables of Arkham Horror: The Card Game: all player cards, investigators, cards by product and by trait."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kb.games.arkham.pages.access import Takers
from kb.games.arkham.pages.known import GAME, NAV, Known, card_id, is_player_card
from kb.games.arkham.schema.cards import SKILLS, CardRecord
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import CLASSES
from kb.site.pages import Page, Writer
from kb.site.tables import Column, Filter, Table, marked, values
from kb.sources.cards import slug

PACKS, TRAITS = ("arkham/packs/index.html", "Packs"), ("arkham/traits/index.html", "Traits")
FLAGS = [word.name for word in KEYWORDS if word.filtered]
FEW = 12
"""Up to so many rows need no filters."""
MANY = 100
"""A table of more cards than this can be filtered by who may take them."""

Groups = dict[str, list[tuple[str, str, int]]]


def crumbs(writer: Writer, *above: tuple[str, str]) -> list[tuple[str, str]]:
    """The pages above one: the game's own, then `above`."""
    return [(f"{GAME}/index.html", writer.library.games[GAME]), *above]


@dataclass(frozen=True, slots=True)
class Tables:
    """Writes the tables of what is known. `takers` tells who may include a card."""

    writer: Writer
    known: Known
    takers: Takers

    def write(self) -> None:
        """All tables and the two lists of them."""
        players = self.known.players()
        others = players.only(lambda card: card.type != "investigator")
        self.cards(
            "arkham/cards/index", "Player cards", f"All {len(others)} player cards with filters.", others,
            "Choose an investigator to see the cards that may go into the deck.",
        )  # fmt: skip
        investigators = [card for card in players if card.type == "investigator"]
        self.page(
            "arkham/investigators/index",
            "Investigators",
            f"{len(investigators)} investigators with skills, health and sanity.",
            lambda: self.investigators(investigators),
        )
        self.by_pack()
        self.by_trait(players)

    def cards(self, path: str, title: str, description: str, listed: Sequence[CardRecord], intro: str = "") -> None:
        """The page with the table of some cards."""
        self.page(path, title, description, lambda: self.card_table(listed), intro)

    def page(self, path: str, title: str, description: str, table: Callable[[], Table], intro: str = "") -> None:
        """The page around a table."""
        above = [place for place in (PACKS, TRAITS) if path.startswith(place[0].removesuffix("index.html"))]
        around = {"title": title, "intro": intro, "crumbs": crumbs(self.writer, *above)}
        self.writer.write(
            Page(
                path, title, "table.md.j2", description, GAME, NAV, layout="wide", table=True,
                context=lambda: {**around, "table": table()},
            )
        )  # fmt: skip

    def card_table(self, cards: Sequence[CardRecord]) -> Table:
        """Player cards with filters, a large table also by the investigator who may take a card."""
        columns = [
            Column("Name", "link"),
            Column("Class", "words"),
            Column("Type"),
            Column("Lvl", "number"),
            Column("Cost", "number"),
            Column("Icons", "icons"),
            Column("Traits", sorts=False),
            Column("Slot"),
        ]
        many = len(cards) > MANY
        rows = [[*self.row(card), *([self.who(card)] if many else [])] for card in cards]
        if len(cards) <= FEW:
            return Table("cards", columns, rows=rows, icons=SKILLS)
        products = [
            (code, self.known.pack_name(code)) for code in sorted({card.pack for card in cards}, key=self.known.order)
        ]
        costs = sorted(
            {str(cost) for card in cards if (cost := printed_cost(card)) is not None},
            key=lambda one: (not one.isdigit(), one.zfill(3)),
        )
        filters = [
            *([Filter("investigator", "Investigator may take", 12, named(self.takers.investigators), "bit")] if many else []),
            Filter("class", "Class", 11, [*((name, name.capitalize()) for name in (*CLASSES, "neutral")), ("multi", "More than one")]),
            Filter("type", "Type", 2, values(sorted({card.type for card in cards}))),
            Filter("level", "Level", 3, values(sorted({card.level for card in cards if card.level is not None}))),
            Filter("cost", "Cost", 4, values(costs)),
            Filter("slot", "Slot", 7, values(sorted({slot for card in cards for slot in card.printed_slots}))),
            Filter("trait", "Trait", 6, values(sorted({trait for card in cards for trait in card.printed_traits}))),
            Filter("icon", "Skill icon", 8, [(name, name.capitalize()) for name in SKILLS]),
            Filter("pack", "Product", 9, products),
            *(Filter(flag, flag.capitalize(), 10, kind="flag") for flag in FLAGS),
            Filter("ruled", "Has rulings", 10, kind="flag"),
        ]  # fmt: skip
        note = "Cards for an investigator: by the deckbuilding options, limited slots included, without taboos and cards that change them."
        useful = [choice for choice in filters if choice.kind == "flag" or len(choice.values) > 1]
        return Table("cards", columns, useful, rows, note=note if many else "", icons=SKILLS)

    def row(self, card: CardRecord) -> list[Any]:
        """A card as a row: the columns, then what the filters read."""
        ruled = self.writer.library.card_entries.get(card_id(card.code))
        return [
            link(self.writer, card),
            list(card.classes),
            card.type,
            card.level,
            printed_cost(card),
            [[name, card.skills[name]] for name in SKILLS if card.skills.get(name)] if card.type != "investigator" else [],
            list(card.printed_traits),
            list(card.printed_slots),
            [name for name in SKILLS if card.skills.get(name)],
            card.pack,
            [*(flag for flag in FLAGS if getattr(card, flag)), *(["ruled"] if ruled else [])],
            [*card.classes, *(["multi"] if len(card.classes) > 1 else [])],
        ]  # fmt: skip

    def who(self, card: CardRecord) -> str:
        """The investigators who may take a card, as the filter reads them."""
        return marked(self.takers.marks(card))

    def investigators(self, listed: list[CardRecord]) -> Table:
        """The investigators with their numbers."""
        traits = sorted({trait for card in listed for trait in card.printed_traits})
        rows = [
            [
                link(self.writer, card),
                list(card.classes),
                *(card.skills.get(name) for name in SKILLS[:4]),
                card.health,
                card.sanity,
                list(card.printed_traits),
                self.known.pack_name(card.pack),
            ]
            for card in listed
        ]
        columns = [
            Column("Name", "link"),
            Column("Class", "words"),
            *(Column(name.capitalize(), "number", icon=name) for name in SKILLS[:4]),
            Column("Health", "number"),
            Column("Sanity", "number"),
            Column("Traits", sorts=False),
            Column("Product"),
        ]
        classes = [(name, name.capitalize()) for name in (*CLASSES, "neutral")]
        filters = [Filter("class", "Class", 1, classes), Filter("trait", "Trait", 8, values(traits))]
        return Table("investigators", columns, filters, rows)

    def by_pack(self) -> None:
        """A table for each product, and the list of products."""
        held: dict[str, list[str]] = defaultdict(list)
        for card in self.known.cards.values():
            if is_player_card(card):
                held[card.pack].append(card.code)
        groups: Groups = defaultdict(list)
        for code in sorted(held, key=self.known.order):
            name, listed = self.known.pack_name(code), self.known.listed(sorted(held[code]))
            path, description = f"arkham/packs/{slug(code)}", f"The {len(listed)} player cards of {name}."
            self.cards(path, name, description, listed)
            pack = self.known.packs.get(code)
            cycle = self.known.cycles.get(pack.cycle) if pack else None
            groups[cycle.name if cycle else "Other"].append((f"{path}.html", name, len(listed)))
        self.groups(
            "arkham/packs/index",
            "Packs",
            "Player cards by product.",
            "Player cards by the product they came in.",
            groups,
        )

    def by_trait(self, players: Sequence[CardRecord]) -> None:
        """A table for each trait, and the list of traits by letter."""
        held: dict[str, list[str]] = defaultdict(list)
        for card in players:
            for trait in card.printed_traits:
                held[trait].append(card.code)
        for trait, codes in held.items():
            listed = self.known.listed(codes)
            description = f"{len(listed)} cards with the trait {trait}."
            path = f"arkham/traits/{slug(trait)}"
            self.cards(path, f"Trait: {trait}", description, listed)
        letters: Groups = defaultdict(list)
        for trait in sorted(held):
            letters[trait[0].upper()].append((f"arkham/traits/{slug(trait)}.html", trait, len(held[trait])))
        self.groups("arkham/traits/index", "Traits", "Player cards by trait.", "Player cards by trait.", letters)

    def groups(self, path: str, title: str, description: str, intro: str, groups: Groups) -> None:
        """A list of tables, in groups."""
        context = {"title": title, "intro": intro, "groups": groups, "crumbs": crumbs(self.writer)}
        self.writer.write(Page(path, title, "groups.md.j2", description, GAME, NAV, context=context))


def printed_cost(card: CardRecord) -> int | str | None:
    """What a card costs as its table says it; None for a card that has no cost."""
    return "–" if card.cost is None else None if card.cost == "" else card.cost


def link(writer: Writer, card: CardRecord) -> list[str]:
    """A card's name as a cell: with its address, and its subtitle where it has one."""
    address = writer.addresses.card(card_id(card.code)) or ""
    return [card.name, address, *([card.subtitle] if card.subtitle else [])]


def named(investigators: Sequence[CardRecord]) -> list[tuple[str, str]]:
    """Investigators to choose from: code and name, with the subtitle of those who share a name."""
    names = [card.name for card in investigators]
    return [
        (card.code, f"{card.name} ({card.subtitle})" if names.count(card.name) > 1 and card.subtitle else card.name)
        for card in investigators
    ]
