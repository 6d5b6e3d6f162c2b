"""The cards of Arkham Horror as catalog and search see them: the game's part `cards`."""

from __future__ import annotations

from pathlib import Path

from kb.games.arkham import own_cards as own
from kb.games.arkham.load import load_arkham
from kb.games.arkham.schema.cards import CardRecord, EncounterRecord
from kb.load.cards import CardFacts, Record
from kb.load.problems import Problems
from kb.own_records import CARD
from kb.records import read

__all__ = ["facts", "load", "own"]
_CARDS = ("card", "encounter")


def load(root: Path, problems: Problems, imported: Path | None) -> dict[str, list[Record]]:
    """Validated records by kind (see kb.games.arkham.load); what is wrong goes to `problems`."""
    records = load_arkham(root, problems, imported)
    return {kind: records[kind] for kind in (*_CARDS, *(kind for kind in records if kind not in _CARDS))}


def facts(kind: str, record: Record) -> CardFacts | None:
    """A player or encounter card; an investigator is a character too."""
    if kind not in (*_CARDS, CARD):
        return None
    if kind == "encounter":
        card = read(EncounterRecord, record)
        return CardFacts(
            id=f"arkham/cards/{card.code}", game="arkham", set=card.pack, code=card.code, name=card.name, subtitle=None,
            type=card.type, number=None, traits=(), character=card.type == "investigator",
        )  # fmt: skip
    player = read(CardRecord, {key: value for key, value in record.items() if key not in own.BESIDE})
    brought = f"arkham/own-cards/{record['list']}/{player.code}" if kind == CARD else ""
    return CardFacts(
        id=brought or f"arkham/cards/{player.code}", game="arkham", set=player.pack, code=player.code, name=player.name,
        subtitle=player.subtitle or None, type=player.type, number=None if player.level is None else str(player.level),
        traits=player.printed_traits, character=player.type == "investigator",
        own=record.get("own", ""),
    )  # fmt: skip
