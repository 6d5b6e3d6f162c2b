"""Boons and characters of the Pathfinder Adventure Card Game as catalog and search see them: the game's part `cards`."""

from __future__ import annotations

from pathlib import Path

from kb.games.pathfinder import own_cards as own
from kb.games.pathfinder.load import load_pathfinder
from kb.own_records import CARD, CHARACTER
from kb.sources.cards import CardFacts, Record, slug
from kb.sources.problems import Problems

__all__ = ["facts", "load", "own"]


def load(root: Path, problems: Problems, imported: Path | None) -> dict[str, list[Record]]:
    """Validated records by kind: card, character, deck, adventure, path (Adventure Paths)."""
    loaded = load_pathfinder(root, problems)
    return {
        "card": loaded.cards, "character": loaded.characters, "deck": loaded.decks, "adventure": loaded.adventures,
        "path": loaded.paths,
    }  # fmt: skip


def facts(kind: str, record: Record) -> CardFacts | None:
    """A boon, or a character (which is no card that one looks up)."""
    if kind == "card":
        return CardFacts(
            id=f"pathfinder/{record['set']}/cards/{slug(record['name'])}", game="pathfinder", set=record["set"], code=None,
            name=record["name"], subtitle=", ".join(record.get("also_called", ())) or None, type=record["type"], number=record["deck"],
            traits=tuple(record["traits"] or ()), counts="deck",
        )  # fmt: skip
    if kind in (CARD, CHARACTER):
        at = slug(" ".join(filter(None, (record["name"], record["class_deck"], record["set"]))))
        if kind == CHARACTER:
            return CardFacts(
                id=f"pathfinder/own-cards/{record['list']}/characters/{at}", game="pathfinder", set=record["set"], code=None,
                name=record["name"], subtitle=record["class"], type=record["type"], number=None, traits=(), character=True,
                own=record["own"],
            )  # fmt: skip
        return CardFacts(
            id=f"pathfinder/own-cards/{record['list']}/{at}",
            game="pathfinder", set=record["set"], code=None, name=record["name"], subtitle=", ".join(record["also_called"]) or None,
            type=record["type"], number=record["deck"], traits=tuple(record["traits"] or ()), counts="deck", own=record["own"],
        )  # fmt: skip
    if kind == "character":
        return CardFacts(
            id=f"pathfinder/{record['set']}/characters/{slug(record['name'])}", game="pathfinder", set=record["set"], code=None,
            name=record["name"], subtitle=record["class"], type=None, number=None, traits=(), character=True, is_card=False,
        )  # fmt: skip
    return None
