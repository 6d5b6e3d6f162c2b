"""Pages of the Pathfinder Adventure Card Game: characters, cards by type, adventures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.decks.deckfile import parse_deck
from kb.decks.games import NewDeckError
from kb.decks.report import Report
from kb.games.pathfinder.decks import adapter as desk
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, PLURALS, SKILLS
from kb.plural import counted
from kb.site.cards import write_card
from kb.site.library import Library, Record, Shelf
from kb.site.pages import Page, Writer
from kb.site.tables import Column, Filter, Table, mask, values
from kb.sources.cards import slug

GAME = "pathfinder"
PRODUCTS = {
    "B": "Base set",
    "C": "Character Add-On Deck",
    "P": "Promo",
    **{number: f"Deck {number}" for number in ADVENTURES[1:]},
}
PLURAL = {**{kind: plural.capitalize() for kind, plural in PLURALS.items()}, "other": "Of unknown type"}


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
        *([Filter("type", "Type", 1, [(key, key) for key in CARD_TYPES])] if every else []),
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


def write_pathfinder(writer: Writer) -> None:
    """Write the pages of every set that has card facts."""
    for shelf in writer.library.shelves.values():
        if shelf.game == GAME and shelf.set:
            write_cards(writer, shelf)
            write_characters(writer, shelf)
            write_adventures(writer, shelf)


def of_set(library: Library, kind: str, shelf: Shelf) -> list[Record]:
    """The records of one kind of a set."""
    return [record for record in library.of_kind(GAME, kind) if record.get("set") == shelf.set]


def page(shelf: Shelf, path: str, title: str, template: str, about: str, context: Mapping[str, Any]) -> Page:
    """A page of a set."""
    return Page(
        path, title, template, about, GAME, navigation(shelf), layout="page" if template == "adventures.md.j2" else "wide",
        table=template == "cards.md.j2", context={"shelf": shelf, **context},
    )  # fmt: skip


def navigation(shelf: Shelf) -> str:
    """Name of the set's navigation file."""
    return shelf.id.replace("/", "--")


def write_cards(writer: Writer, shelf: Shelf) -> None:
    """A table for each type, one of all, and a page for each card that an entry names."""
    library = writer.library
    cards = sorted(
        (card for card in library.cards_of(GAME) if card["set"] == shelf.set),
        key=lambda card: str(card["name"]).casefold(),
    )
    by_type = {kind: [card for card in cards if (card["type"] or "other") == kind] for kind in (*CARD_TYPES, "other")}
    by_type = {kind: listed for kind, listed in by_type.items() if listed}
    types = {kind: len(listed) for kind, listed in by_type.items()}
    for kind, listed in [("all", cards), *by_type.items()]:
        write_table(writer, shelf, kind, listed, types)
    above = [(f"{shelf.id}/index.html", shelf.title), (f"{shelf.id}/cards/index.html", "Cards")]
    for card in cards:
        if writer.addresses.has_page(card):
            write_card(writer, card, card_facts(card, shelf), navigation(shelf), above)


def write_table(writer: Writer, shelf: Shelf, kind: str, listed: list[Record], types: Mapping[str, int]) -> None:
    """The table of the cards of one type of a set, or of all; `types` are the numbers of cards of each type."""
    title = f"Cards of {shelf.title}" if kind == "all" else f"{PLURAL[kind]} of {shelf.title}"
    path = f"{shelf.id}/cards/index" if kind == "all" else f"{shelf.id}/cards/types/{kind}"
    table = card_table(writer, listed, kind, of_set(writer.library, "character", shelf))
    about = f"{len(listed)} cards with adventure deck, traits and copies."
    known = {"title": title, "kind": kind, "plural": PLURAL, "types": types, "unknown": gaps(listed), "table": table}
    writer.write(page(shelf, path, title, "cards.md.j2", about, known))


def card_facts(card: Record, shelf: Shelf) -> list[tuple[str, str]]:
    """A card's facts as label and value."""
    facts = [
        ("Type", card["type"]),
        ("Set", shelf.title),
        ("Adventure deck", PRODUCTS.get(str(card["deck"]), card["deck"])),
        ("Other names", ", ".join(card.get("also_called", ()))),
        ("Traits", "unknown" if card["traits"] is None else ", ".join(card["traits"])),
        ("Owner", card["owner"]),
        ("Loot", "yes" if card["loot"] else None),
        ("Copies", copies(card)),
        ("Facts from", card["source"]),
        ("Note", card["note"]),
    ]
    return [(label, str(value)) for label, value in facts if value]


def copies(card: Record) -> str:
    """How many copies are in which product."""
    return ", ".join(
        f"{number or 'an unknown number'} in {PRODUCTS.get(product, product)}"
        for product, number in (card["copies"] or {}).items()
    )


UNKNOWN = {
    "deck": "the adventure deck of {}",
    "type": "the type of {}",
    "traits": "the traits of {}",
    "basic": "whether they are Basic ({})",
}


def gaps(cards: list[Record]) -> list[str]:
    """What is not known of these cards, and of how many, such as `the traits of 13`."""
    found = {words: sum(card[key] is None for card in cards) for key, words in UNKNOWN.items()}
    found["some of the copies of {}"] = sum(None in card["copies"].values() for card in cards)
    return [words.format(number) for words, number in found.items() if number]


def write_characters(writer: Writer, shelf: Shelf) -> None:
    """Overview of a set's characters, and a page for each with Cards List, skills and suggested deck."""
    library = writer.library
    characters = of_set(library, "character", shelf)
    decks = {deck["character"]: deck for deck in of_set(library, "deck", shelf)}
    verdicts = suggested_verdicts(library, shelf)
    about = f"The {len(characters)} characters of {shelf.title} with their Cards Lists."
    path, title = f"{shelf.id}/characters/index", f"Characters of {shelf.title}"
    writer.write(
        page(
            shelf, path, title, "characters.md.j2", about, {"characters": characters, "types": CARD_TYPES, "slug": slug}
        )
    )
    cards = {
        (card["type"], card["name"]): str(card["id"]) for card in library.cards_of(GAME) if card["set"] == shelf.set
    }
    for character in characters:
        name = str(character["name"])
        path = f"{shelf.id}/characters/{slug(name)}"
        entry = library.entries.get(path)
        see = entry.listed("see") if entry else []
        about = f"{name}, {character['class']} of {shelf.title}: Cards List, skills, suggested deck."
        known = {
            "deck": decks.get(name), "cards": cards, "verdict": verdicts.get(name), "character": character, "types": CARD_TYPES,
            "plural": PLURAL, "skills": SKILLS, "entry": entry, "products": PRODUCTS,
            "together": sum(character["cards_list"][kind]["base"] for kind in CARD_TYPES),
            "see": [library.entries[item] for item in see if item in library.entries],
            "mentions": mentions(library, name, shelf),
        }  # fmt: skip
        writer.write(page(shelf, path, name, "character.md.j2", about, known))


def mentions(library: Library, name: str, shelf: Shelf) -> list[Any]:
    """Entries of the set that bear the character's name in their title (descriptions, deck lists, examples, rulings)."""
    return [
        entry
        for entry in library.entries.values()
        if name in entry.title and entry.game == GAME and library.shelf_of(entry.id) in (shelf.id, GAME)
    ]


def suggested_verdicts(library: Library, shelf: Shelf) -> dict[str, Report]:
    """The report on each suggested deck as a new deck, by character."""
    facts = desk.load_facts(lambda kind: library.of_kind(GAME, kind))
    reports = {}
    for character in of_set(library, "character", shelf):
        name = str(character["name"])
        try:
            if text := desk.new_deck(name, shelf.set, facts):
                reports[name] = desk.check(parse_deck(text, name), facts)
        except NewDeckError:
            continue
    return reports


def write_adventures(writer: Writer, shelf: Shelf) -> None:
    """The adventures and scenarios of a set with their rewards."""
    adventures = of_set(writer.library, "adventure", shelf)
    path = next(iter(of_set(writer.library, "path", shelf)), None)
    loot = {str(card["name"]): str(card["id"]) for card in writer.library.cards_of(GAME) if card["set"] == shelf.set}
    about = f"Adventures and scenarios of {shelf.title} with their rewards."
    known = {"path": path, "adventures": adventures, "products": PRODUCTS, "loot": loot}
    writer.write(
        page(shelf, f"{shelf.id}/adventures/index", f"Adventures of {shelf.title}", "adventures.md.j2", about, known)
    )
