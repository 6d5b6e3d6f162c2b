"""Tables of Arkham Horror: The Card Game: all player cards, investigators, cards by product and by trait."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from kb.games.arkham.pages.known import GAME, NAV, Known, card_id, is_player_card
from kb.games.arkham.schema.cards import SKILLS, CardRecord
from kb.games.arkham.schema.options import CLASSES
from kb.load.cards import slug
from kb.site.pages import Page, Writer

PACKS, TRAITS = ("arkham/packs/index.html", "Packs"), ("arkham/traits/index.html", "Traits")
FILTERED = 20
"""A table of more cards than this has filters."""

Groups = dict[str, list[tuple[str, str, int]]]


def crumbs(writer: Writer, *above: tuple[str, str]) -> list[tuple[str, str]]:
    """The pages above one: the game's own, then `above`."""
    return [(f"{GAME}/index.html", writer.library.games[GAME]), *above]


@dataclass(frozen=True, slots=True)
class Tables:
    """Writes the tables of what is known."""

    writer: Writer
    known: Known

    def write(self) -> None:
        """All tables and the two lists of them."""
        players = self.known.players()
        others = [card for card in players if card.type != "investigator"]
        self.cards("arkham/cards/index", "Player cards", f"All {len(others)} player cards with filters.", others)
        self.investigators([card for card in players if card.type == "investigator"])
        self.by_pack()
        self.by_trait(players)

    def cards(self, path: str, title: str, description: str, listed: list[CardRecord], filters: bool = True) -> None:
        """The table of some cards."""
        part = f"parts/{path.replace('/', '--')}.html"
        packs = sorted({card.pack for card in listed}, key=self.known.order)
        self.writer.write_part(
            part,
            "arkham-table.html.j2",
            cards=listed,
            classes=(*CLASSES, "neutral"),
            skills=SKILLS,
            card_id=card_id,
            filters=filters,
            product_pairs=[(code, self.known.pack_name(code)) for code in packs],
        )
        above = [place for place in (PACKS, TRAITS) if path.startswith(place[0].removesuffix("index.html"))]
        self.table(path, title, description, part, len(listed), *above)

    def investigators(self, listed: list[CardRecord]) -> None:
        """The table of the investigators."""
        part = "parts/arkham--investigators.html"
        self.writer.write_part(
            part, "investigators-table.html.j2", cards=listed, card_id=card_id, pack_name=self.known.pack_name
        )
        description = f"{len(listed)} investigators with skills, health and sanity."
        self.table("arkham/investigators/index", "Investigators", description, part, len(listed))

    def table(self, path: str, title: str, description: str, part: str, number: int, *above: tuple[str, str]) -> None:
        """The page around a table."""
        context = {"title": title, "intro": "", "number": number, "crumbs": crumbs(self.writer, *above)}
        self.writer.write(
            Page(
                path, title, "table.md.j2", description, GAME, NAV, include=part, layout="wide", table=True, context=context,
            )
        )  # fmt: skip

    def by_pack(self) -> None:
        """A table for each product, and the list of products."""
        held: dict[str, list[CardRecord]] = defaultdict(list)
        for card in self.known.cards.values():
            if is_player_card(card):
                held[card.pack].append(card)
        groups: Groups = defaultdict(list)
        for code in sorted(held, key=self.known.order):
            name, listed = self.known.pack_name(code), sorted(held[code], key=lambda card: card.code)
            path, description = f"arkham/packs/{slug(code)}", f"The {len(listed)} player cards of {name}."
            self.cards(path, name, description, listed, filters=len(listed) > FILTERED)
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

    def by_trait(self, players: list[CardRecord]) -> None:
        """A table for each trait, and the list of traits by letter."""
        held: dict[str, list[CardRecord]] = defaultdict(list)
        for card in players:
            for trait in card.printed_traits:
                held[trait].append(card)
        for trait, listed in held.items():
            description = f"{len(listed)} cards with the trait {trait}."
            path = f"arkham/traits/{slug(trait)}"
            self.cards(path, f"Trait: {trait}", description, listed, filters=len(listed) > FILTERED)
        letters: Groups = defaultdict(list)
        for trait in sorted(held):
            letters[trait[0].upper()].append((f"arkham/traits/{slug(trait)}.html", trait, len(held[trait])))
        self.groups("arkham/traits/index", "Traits", "Player cards by trait.", "Player cards by trait.", letters)

    def groups(self, path: str, title: str, description: str, intro: str, groups: Groups) -> None:
        """A list of tables, in groups."""
        context = {"title": title, "intro": intro, "groups": groups, "crumbs": crumbs(self.writer)}
        self.writer.write(Page(path, title, "groups.md.j2", description, GAME, NAV, context=context))
