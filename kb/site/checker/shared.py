"""Write what a page needs to show a shared deck without the checker: the dictionaries of links, and for each game what its cards are.

All of it is JavaScript, which also loads from a folder: `kbShared.words(WAY, TEXT)` and `kbShared.cards(GAME, CARDS)`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kb.decks.share import WAYS, dictionary
from kb.registry import About
from kb.site.addresses import Addresses
from kb.site.library import Library, Record
from kb.site.tables import as_json

FOLDER = "assets/kb/shared"


def write_shared(library: Library, addresses: Addresses, games: list[About], folder: Path) -> None:
    """Write the scripts into a folder: `words-WAY.js` for each way of packing, `GAME.js` for each of the games."""
    folder.mkdir(parents=True)
    for way in WAYS:
        told = as_json(dictionary(way).decode("utf-8"))
        (folder / f"words-{way}.js").write_text(f"kbShared.words({as_json(way)},{told})\n", encoding="utf-8")
    for game in games:
        told = as_json(cards_of(library, addresses, game.id))
        (folder / f"{game.id}.js").write_text(f"kbShared.cards({as_json(game.id)},{told})\n", encoding="utf-8")


def cards_of(library: Library, addresses: Addresses, game: str) -> dict[str, Any]:
    """Return the cards of a game that decks may hold, by code where they have one and else by name.

    Each is [name, type, classes, level, cost, address]: unknown facts are null, classes are joined by a blank, and the cost is
    empty where cards have none.
    """
    cards = list(library.cards_of(game))
    cards = [
        card for card in cards if card.get("class")
    ] or cards  # where cards have classes, decks hold those that have one
    rows = {str(card.get("code") or card["name"]): row(card, addresses) for card in cards}
    people = {
        str(each["name"]): row({"type": "character", **each}, addresses) for each in library.of_kind(game, "character")
    }
    return {"cards": rows, "people": people}


def row(card: Record, addresses: Addresses) -> list[Any]:
    """Return what a page shows of a card."""
    classes = card.get("class")
    return [
        card["name"],
        card.get("type"),
        " ".join(map(str, classes)) if isinstance(classes, list) else classes,
        card.get("level"),
        card.get("cost", ""),
        addresses.card(str(card["id"])) if "id" in card else None,
    ]


def kinds_of_decks(games: list[About]) -> dict[str, dict[str, Any]]:
    """Return for each game how its deck files are told from others: its title, the key that says who plays, and the keys that only it has."""
    return {
        game.id: {"title": game.short, "whose": game.whose, "marks": sorted(game.marks), "lists": game.bare_lists}
        for game in games
    }
