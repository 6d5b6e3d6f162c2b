"""Card facts of every game: which loader reads them, and how a name or code in a text finds its card."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kb.load.problems import Problems

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One card in the catalog's terms. `set` is a set (`rotr`) or pack code, `number` the deck number or level, `kind` and
    `position` its place among the game's records."""

    id: str
    game: str
    set: str
    code: str | None
    name: str
    subtitle: str | None
    type: str | None
    number: str | None
    traits: tuple[str, ...]
    kind: str = "card"
    position: int = 0


@dataclass(slots=True)
class Facts:
    """All records under `cards/`: by game and kind, and the cards among them."""

    records: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    cards: list[CardFacts] = field(default_factory=list)


def load_facts(root: Path, problems: Problems, own: Path | None = None) -> Facts:
    """Read `cards/` and the user's own imports below `own`; everything wrong goes to `problems`."""
    facts = Facts()
    if (root / "pathfinder").is_dir():
        from kb.games.pathfinder.load import load_pathfinder

        loaded = load_pathfinder(root, problems)
        facts.records["pathfinder"] = {
            "card": loaded.cards, "character": loaded.characters, "deck": loaded.decks, "adventure": loaded.adventures,
        }  # fmt: skip
    if (root / "arkham").is_dir():
        from kb.games.arkham.load import load_arkham

        facts.records["arkham"] = load_arkham(root, problems, own)
    for game, kinds in facts.records.items():
        for kind in ("card", "encounter"):
            for position, record in enumerate(kinds.get(kind, [])):
                facts.cards.append(replace(CARD_FACTS[game](record), kind=kind, position=position))
    return facts


def slug(name: str) -> str:
    """A name as part of an id: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold().replace("'", "").replace("’", "")).strip("-")


def pathfinder_card(record: Record) -> CardFacts:
    """A boon of the Pathfinder Adventure Card Game."""
    return CardFacts(
        id=f"pathfinder/{record['set']}/cards/{slug(record['name'])}", game="pathfinder", set=record["set"], code=None,
        name=record["name"], subtitle=None, type=record["type"], number=record["deck"], traits=tuple(record["traits"] or ()),
    )  # fmt: skip


def arkham_card(record: Record) -> CardFacts:
    """A card of Arkham Horror: The Card Game."""
    level = record.get("level")
    return CardFacts(
        id=f"arkham/cards/{record['code']}", game="arkham", set=record["pack"], code=record["code"], name=record["name"],
        subtitle=record.get("subtitle"), type=record["type"], number=None if level is None else str(level),
        traits=tuple(record.get("traits") or ()),
    )  # fmt: skip


CARD_FACTS = {"pathfinder": pathfinder_card, "arkham": arkham_card}


class CardNames:
    """Finds the card that a name or code in an entry means."""

    def __init__(self, cards: Iterable[CardFacts]) -> None:
        self.by_key: dict[tuple[str, str], list[CardFacts]] = {}
        for card in cards:
            for key in {slug(card.name), (card.code or "").casefold()} - {""}:
                self.by_key.setdefault((card.game, key), []).append(card)

    def find_all(self, name: str, from_id: str) -> list[str]:
        """Ids of the cards called `name` (or with that code) in the game of the entry `from_id`: those of the entry's own set
        when there are any, else of every set."""
        parts = from_id.split("/")
        found = self.by_key.get((parts[0], name.casefold())) or self.by_key.get((parts[0], slug(name))) or []
        own = [card for card in found if card.set in parts[1:]]
        return [card.id for card in own or found]

    def find(self, name: str, from_id: str) -> str | None:
        """Id of the card called `name` (or with that code) that an entry most likely means, or None."""
        return next(iter(self.find_all(name, from_id)), None)

    def hint(self, name: str, from_id: str) -> str:
        """`; did you mean …?` when a card's name is close, else nothing."""
        game = from_id.split("/")[0]
        close = difflib.get_close_matches(slug(name), [key for owner, key in self.by_key if owner == game], 1, 0.75)
        return f"; did you mean {self.by_key[game, close[0]][0].name!r}?" if close else ""
