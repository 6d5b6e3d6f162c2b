"""The cards of Arkham Horror as catalog and search see them: the game's part `cards`."""

from __future__ import annotations

from pathlib import Path

from kb.games.arkham import own_cards as own
from kb.games.arkham.load import load_arkham
from kb.own_records import CARD
from kb.sources.cards import CardFacts, Record
from kb.sources.problems import Problems

__all__ = ["facts", "load", "own"]
_CARDS = ("card", "encounter")


def load(root: Path, problems: Problems, imported: Path | None) -> dict[str, list[Record]]:
    """Validated records by kind (see kb.games.arkham.load); what is wrong goes to `problems`."""
    records = load_arkham(root, problems, imported)
    return {kind: records[kind] for kind in (*_CARDS, *(kind for kind in records if kind not in _CARDS))}


def facts(kind: str, record: Record) -> CardFacts | None:
    """A player or encounter card; an investigator is a character too. Records were read as their types (kb.records) when they were loaded."""
    if kind not in (*_CARDS, CARD):
        return None
    if kind == "encounter":
        return CardFacts(
            id=f"arkham/cards/{record['code']}", game="arkham", set=record["pack"], code=record["code"], name=record["name"],
            subtitle=None, type=record["type"], number=None, traits=(), character=record["type"] == "investigator",
        )  # fmt: skip
    place, level = f"own-cards/{record['list']}" if kind == CARD else "cards", record.get("level")
    return CardFacts(
        id=f"arkham/{place}/{record['code']}", game="arkham", set=record["pack"], code=record["code"], name=record["name"],
        subtitle=record.get("subtitle") or None, type=record["type"], number=None if level is None else str(level),
        traits=tuple(record.get("traits") or ()), character=record["type"] == "investigator",
        own=record.get("own", ""),
    )  # fmt: skip
