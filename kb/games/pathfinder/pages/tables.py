"""The table of a set's boons: by adventure, by the character who may take them, by trait."""

from __future__ import annotations

from typing import Any

from kb.load.cards import slug
from kb.plural import counted
from kb.site.library import Record
from kb.site.pages import Writer
from kb.site.tables import Column, Filter, Table, mask, values

TYPES = ("weapon", "spell", "armor", "item", "ally", "blessing")
PRODUCTS = {
    "B": "Base set",
    "C": "Character Add-On Deck",
    "P": "Promo",
    **{str(number): f"Deck {number}" for number in range(1, 7)},
}


def card_table(writer: Writer, cards: list[Record], kind: str, characters: list[Record]) -> Table:
    """Boons with filters: by adventure and by the character whose Cards List has room for their type, among others."""
    library, every = writer.library, kind == "all"
    copied = any(number for card in cards for number in (card["copies"] or {}).values())
    ruled = {str(card["id"]): len(library.card_entries.get(str(card["id"]), ())) for card in cards}
    rows = []
    for card in cards:
        found = ruled[str(card["id"])]
        notes = [
            "Basic" if card["basic"] and "Basic" not in (card["traits"] or ()) else "",
            "loot" if card["loot"] else "",
            f"owner: {card['owner']}" if card["owner"] else "",
            counted(found, "entry") if found else "",
        ]
        rows.append([
            [card["name"], writer.addresses.card(str(card["id"])) or "" if found else ""],
            *([card["type"] or "?"] if every else []),
            card["deck"] or "?",
            card["traits"] if card["traits"] is not None else "unknown",
            [note for note in notes if note],
            *([total(card)] if copied else []),
            int(card["deck"]) if str(card["deck"]).isdigit() else 0 if card["deck"] else None,
            [*(flag for flag in ("basic", "loot", "owner") if card[flag]), *(["ruled"] if found else [])],
            mask(at for at, character in enumerate(characters) if may_take(character, card)),
        ])  # fmt: skip
    at = 4 + every + copied
    traits = sorted({trait for card in cards for trait in card["traits"] or ()})
    decks = [(key, words) for key, words in PRODUCTS.items() if any(card["deck"] == key for card in cards)]
    adventures = [(key, words) for key, words in decks if key.isdigit()]
    names = [str(character["name"]) for character in characters]
    filters = [
        Filter("character", "Character may take", at + 2, [(slug(name), name) for name in names], "bit"),
        Filter("adventure", "Up to adventure", at, [("0", "Base set"), *adventures], "most"),
        *([Filter("type", "Type", 1, [(key, key) for key in TYPES])] if every else []),
        Filter("deck", "Adventure deck", 1 + every, decks),
        Filter("trait", "Trait", 2 + every, values(traits)),
        *(Filter(flag, flag.capitalize(), at + 1, kind="flag") for flag in ("basic", "loot", "owner")),
        Filter("ruled", "Has rulings", at + 1, kind="flag"),
    ]
    columns = [
        Column("Name", "link"),
        *([Column("Type")] if every else []),
        Column("Deck"),
        Column("Traits", sorts=False),
        Column("Notes"),
        *([Column("Copies", "number")] if copied else []),
    ]
    note = "Cards for a character: those of a type that the Cards List has, and no card that another character owns."
    anchors = () if every else tuple(slug(str(card["name"])) for card in cards)
    return Table("cards", columns, filters, rows, anchors, note)


def may_take(character: Record, card: Record) -> bool:
    """Whether a character's Cards List has room for a card's type, with every feat, and the card is nobody else's."""
    line = character["cards_list"].get(card["type"]) or {}
    return bool(line.get("base") or line.get("max")) and card["owner"] in (None, character["name"])


def total(card: Record) -> Any:
    """How many copies of a card there are, `+` where some product's number is not known."""
    numbers = [number for number in (card["copies"] or {}).values() if number]
    known = None not in (card["copies"] or {}).values()
    return sum(numbers) if numbers and known else f"{sum(numbers)}+" if numbers else "?"
