"""Write the data that lets a page show a shared deck without the checker: the dictionaries of links, and the facts of
each game's cards.

The files are JavaScript, so that a page in a folder on disk can load them too: `kbShared.words(WAY, TEXT)` and
`kbShared.cards(GAME, CARDS)`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from kb.decks.share import WAYS, dictionary
from kb.registry import About
from kb.site.addresses import Addresses
from kb.site.library import Library, Record
from kb.site.tables import as_json

FOLDER = "assets/kb/shared"


def write_shared(library: Library, addresses: Addresses, games: list[About], folder: Path) -> None:
    """Write the scripts into `folder`: `words-WAY.js` for each format of links, and `GAME.js` for each of the games."""
    folder.mkdir(parents=True)
    for way in WAYS:
        told = as_json(dictionary(way).decode("utf-8"))
        (folder / f"words-{way}.js").write_text(f"kbShared.words({as_json(way)},{told})\n", encoding="utf-8")
    for game in games:
        told = as_json(cards_of(library, addresses, game.id))
        (folder / f"{game.id}.js").write_text(f"kbShared.cards({as_json(game.id)},{told})\n", encoding="utf-8")


def cards_of(library: Library, addresses: Addresses, game: str) -> dict[str, Any]:
    """Return a game's cards and characters that decks may contain. The key is the code of a card, or its name if it has
    no code.

    Each value is [name, type, classes, level, cost, address]. Unknown facts are null, classes are joined by a space,
    and the cost is empty for cards without one. If several cards have the name and the card has a subtitle, it follows.
    """
    cards = list(library.cards_of(game))
    cards = [
        card for card in cards if card.get("class")
    ] or cards  # if cards have classes, only cards with a class are in decks
    named = Counter(card["name"] for card in cards)
    rows = {
        str(card.get("code") or card["name"]): [
            *row(card, addresses),
            *([card["subtitle"]] if named[card["name"]] > 1 and card.get("subtitle") else []),
        ]
        for card in cards
    }
    people = {
        str(each["name"]): row({"type": "character", **each}, addresses) for each in library.of_kind(game, "character")
    }
    return {"cards": rows, "people": people}


def row(card: Record, addresses: Addresses) -> list[Any]:
    """Return the facts of a card that a page shows: [name, type, classes, level, cost, address]."""
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
    """Return how to recognize the deck files of each game, by the game's id: its title, the key for the character, and
    the keys that only its files have.
    """
    return {
        game.id: {"title": game.short, "whose": game.whose, "marks": sorted(game.marks), "lists": game.bare_lists}
        for game in games
    }
