"""Writes Pathfinder's site pages: characters, cards and adventures. Builds the page of a user's deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.games import NewDeckError, Records
from kb.decks.report import Report
from kb.games.pathfinder.decks import deck_check
from kb.games.pathfinder.decks.character_sheet import character_sheet
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    FEAT_KINDS,
    PLURALS,
    SET_TITLES,
    SKILLS,
    Cards,
    Facts,
    PathfinderCard,
    product_title,
)
from kb.games.pathfinder.decks.table import seat_of
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted
from kb.site.addresses import SUFFIX
from kb.site.decks.charts import Bar, BarPart, Chart, bar, filled
from kb.site.decks.page import DeckPage
from kb.site.places import Place
from kb.site.tables import Filter, SiteTable, TableColumn, mask, values
from kb.sources.cards import slug

if TYPE_CHECKING:
    from kb.site.library import Library, Record, Volume
    from kb.site.pages import Page, Writer

__all__ = ["deck_page", "has_page", "original", "places", "row", "write"]


def write(writer: Writer) -> None:
    """Write all pages of each set: cards, characters, adventures, scenarios, locations and banes."""
    from kb.games.pathfinder.scenario_pages import write_met  # the page that checks decks has no Markdown

    for volume in writer.library.volumes.values():
        if volume.game == GAME and volume.set:
            write_cards(writer, volume)
            write_characters(writer, volume)
            write_adventures(writer, volume)
            write_met(writer, volume)


def has_page(card: Record) -> bool:
    """Return True if a card always has its own page, as scenarios, locations and banes do.

    A boon has a page only if a rules entry names it. All facts about other boons are in the table of cards.
    """
    return "loot" not in card


def row(card: Record) -> str | None:
    """Return the address of a boon's row in its set's table of cards; None for a card that is not a boon."""
    if "loot" not in card:
        return None
    return f"pathfinder/{card['set']}/cards/index{SUFFIX}#{slug(str(card['name']))}"


def original(card: Record) -> str | None:
    """Return None, because no card in a Pathfinder set is a reprint of another card."""
    return None


def places(library: Library, volume: Volume) -> list[Place]:
    """Return the overview pages of a set for the site's menu, each with path, title and description."""
    from kb.games.pathfinder.scenario_pages import met_places

    if not volume.set:
        return []
    characters, cards = (len(of_set(library, kind, volume)) for kind in ("character", "card"))
    return [
        (f"{volume.id}/characters/index", "Characters", f"{characters} with Cards List and suggested deck"),
        (f"{volume.id}/cards/index", "Cards", f"{cards} boons"),
        (f"{volume.id}/adventures/index", "Adventures", "scenarios and rewards"),
        *met_places(library, volume),
        (f"{volume.game}/topics/index", "What changed", "the sets side by side"),
    ]


TITLE = "Pathfinder Adventure Card Game"
RANKS = ("Basic", "Elite")  # traits that are shown as marks after the card's name, not in the list of traits


def deck_page(file: DeckFile, facts: Facts, report: Report, records: Records) -> DeckPage:
    """Return the page of the deck in `file`: character sheet, charts and cards. Raises DeckFileError.

    `report` contains the findings to show. `records` supplies the character's class and skills.
    """
    deck = read_deck(file, facts)
    named = (each for each in records("character") if (each["set"], each["name"]) == (deck.set, deck.character.name))
    character = next(named, {})
    seat = seat_of(deck, facts)
    piles = seat.filled_lines()
    unknown = deck.of_type(None)
    return DeckPage(
        template="deck/pathfinder.html.j2",
        game=TITLE,
        title=deck.character.name,
        description=f"Deck of {deck.character.name}, {SET_TITLES[deck.set]}, for {TITLE}",
        tone="pathfinder",
        content={
            "character": character,
            "set_title": SET_TITLES[deck.set],
            "facts": list(heading(deck, sum(number for _, _, number in piles))),
            "sheet": character_sheet(deck),
            "charts": (against_the_list(piles, len(unknown)), from_where(deck.cards)),
            "piles": [
                {"title": PLURAL[kind], "number": f"{len(cards)} of {number}", "lines": lines(cards, report)}
                for kind, cards, number in piles
                if cards or number
            ]
            + ([{"title": "Type unknown", "number": len(unknown), "lines": lines(unknown, report)}] if unknown else []),
        },
    )


def heading(deck: PathfinderDeck, listed: int) -> Iterable[tuple[str, str]]:
    """Yield pairs of label and value to show below the character's name.

    `listed` is the number of cards that the Cards List requires.
    """
    yield "Cards", f"{len(deck.cards)} of {listed}"
    played = "base set" if deck.adventure == "B" else f"adventure {deck.adventure}"
    yield "Playing", played + (f", after scenario {deck.after_scenario}" if deck.after_scenario else "")
    yield "Stage", deck.stage
    if feats := [f"{number} {kind}" for kind in FEAT_KINDS if (number := deck.feats(kind))]:
        yield "Feats", ", ".join(feats)
    if deck.role:
        yield "Role", deck.role
    if deck.cohorts:
        yield "Cohorts", ", ".join(deck.cohorts)


def against_the_list(piles: list[tuple[str, Cards, int]], unknown: int) -> Chart:
    """Return the chart that compares the number of cards of each type with the Cards List, including card feats.

    `unknown` is the number of cards whose type is unknown.
    """
    bars = [
        bar(PLURAL[kind], len(cards), "pathfinder" if len(cards) == number else "off", goal=number)
        for kind, cards, number in piles
    ]
    return Chart(
        "Cards compared with the Cards List",
        (*bars, *filled([bar("Unknown", unknown, "neutral")])),
        "The mark shows the number on the Cards List.",
    )


def from_where(cards: Cards) -> Chart:
    """Return the chart that counts the cards by set indicator: the first product that contains the card."""
    number = Counter("Class" if card.class_deck else card.deck or "?" for card in cards)
    spoken = {"Class": "class decks", "?": "unknown", **{each: product_title(each) for each in (*ADVENTURES, "C", "P")}}
    order = [*spoken, *sorted(set(number) - set(spoken))]
    bars = [Bar(each, (BarPart(number[each], "pathfinder"),), spoken=spoken.get(each, each)) for each in order]
    always = [each for each in bars if each.value or each.label in ADVENTURES]
    note = "B: the base set" + ("; C: the Character Add-On Deck" if number["C"] else "")
    return Chart("Set indicator", tuple(always) if cards else (), note)


def lines(cards: Iterable[PathfinderCard], report: Report) -> list[dict[str, Any]]:
    """Return a line for each card of a deck, in alphabetical order, with copies, marks and the severity of findings."""
    number = Counter(card.name for card in cards)
    rows = []
    for name, card in sorted({card.name: card for card in cards}.items(), key=lambda each: each[0].casefold()):
        severities = {each.severity for each in report.findings if name in each.cards}
        marks = {"loot": card.loot, "basic": card.basic, "elite": card.elite}
        mark = next((mark for mark, holds in marks.items() if holds), "")
        rows.append(
            {
                "name": name,
                "copies": number[name],
                "set": card.class_deck or card.deck or "",
                "traits": [trait for trait in card.traits or () if trait not in RANKS],
                "marks": [each for each in (mark, f"of {card.owner}" if card.owner else "") if each],
                "severity": next((level for level in ("error", "warning") if level in severities), ""),
            }
        )
    return rows


GAME = "pathfinder"
PRODUCTS = {
    "B": "Base set",
    "C": "Character Add-On Deck",
    "P": "Promo",
    **{number: f"Deck {number}" for number in ADVENTURES[1:]},
}
PLURAL = {kind: plural.capitalize() for kind, plural in PLURALS.items()}


def card_table(writer: Writer, cards: list[Record], characters: list[Record]) -> SiteTable:
    """Return the table of a set's boons with its filters, such as type, adventure and character."""
    ruled = {str(card["id"]): len(writer.library.card_entries.get(str(card["id"]), ())) for card in cards}
    rows = []
    for card in cards:
        number_of_entries = ruled[str(card["id"])]
        notes = [
            "Basic" if card["basic"] and "Basic" not in (card["traits"] or ()) else "",
            "loot" if card["loot"] else "",
            f"owner: {card['owner']}" if card["owner"] else "",
            counted(number_of_entries, "entry") if number_of_entries else "",
        ]
        rows.append(
            [
                [card["name"], writer.addresses.card(str(card["id"])) or "" if number_of_entries else ""],
                card["type"] or "?",
                card["deck"] or "?",
                card["traits"] if card["traits"] is not None else "unknown",
                [note for note in notes if note],
                total(card),
                int(card["deck"]) if str(card["deck"]).isdigit() else 0 if card["deck"] else None,
                [
                    *(flag for flag in ("basic", "loot", "owner") if card[flag]),
                    *(["ruled"] if number_of_entries else []),
                ],
                mask(at for at, character in enumerate(characters) if may_take(character, card)),
            ]
        )
    traits = sorted({trait for card in cards for trait in card["traits"] or ()})
    decks = [(key, words) for key, words in PRODUCTS.items() if any(card["deck"] == key for card in cards)]
    adventures = [(key, words) for key, words in decks if key.isdigit()]
    names = [str(character["name"]) for character in characters]
    filters = [
        Filter("character", "Character may take", 8, [(slug(name), name) for name in names], "bit"),
        Filter("adventure", "Up to adventure", 6, [("0", "Base set"), *adventures], "most"),
        Filter("type", "Type", 1, [(key, key) for key in CARD_TYPES]),
        Filter("deck", "Adventure deck", 2, decks),
        Filter("trait", "Trait", 3, values(traits)),
        *(Filter(flag, flag.capitalize(), 7, kind="flag") for flag in ("basic", "loot", "owner")),
        Filter("ruled", "Has rulings", 7, kind="flag"),
    ]
    columns = [
        TableColumn("Name", "link"),
        TableColumn("Type"),
        TableColumn("Deck"),
        TableColumn("Traits", sorts=False),
        TableColumn("Notes"),
        TableColumn("Copies", "number"),
    ]
    note = "The filter by character shows cards of the types on the Cards List, without cards that belong to other characters."
    anchors = tuple(slug(str(card["name"])) for card in cards)
    return SiteTable("cards", columns, filters, rows, anchors, note)


def may_take(character: Record, card: Record) -> bool:
    """Return True if a character's deck may contain a card of this type, and no other character owns the card.

    A deck may contain cards of the type if the Cards List has at least one of them, counting all card feats.
    """
    line = character["cards_list"].get(card["type"]) or {}
    return bool(line.get("base") or line.get("max")) and card["owner"] in (None, character["name"])


def total(card: Record) -> Any:
    """Return the number of copies of a card in all products; `5+` if another product has an unknown number of copies.

    The result is `?` if all numbers are unknown.
    """
    numbers = [number for number in (card["copies"] or {}).values() if number]
    known = None not in (card["copies"] or {}).values()
    return sum(numbers) if numbers and known else f"{sum(numbers)}+" if numbers else "?"


def of_set(library: Library, kind: str, volume: Volume) -> list[Record]:
    """Return the records of a kind, such as `character`, that belong to the set of `volume`."""
    return [record for record in library.of_kind(GAME, kind) if record.get("set") == volume.set]


def page(volume: Volume, path: str, title: str, template: str, about: str, context: Mapping[str, Any]) -> Page:
    """Return a page in the set of `volume`. `about` is its description, and `context` are the template's variables."""
    from kb.site.pages import Page  # the page that checks decks has no Markdown

    return Page(
        path,
        title,
        template,
        about,
        volume.id,
        layout="page" if template == "adventures.md.j2" else "wide",
        table=template == "cards.md.j2",
        context={"volume": volume, **context},
    )


def write_cards(writer: Writer, volume: Volume) -> None:
    """Write the table of a set's boons, and a page for each boon that a rules entry names."""
    from kb.site.cards import write_card

    library = writer.library
    cards = sorted(
        (card for card in library.cards_of(GAME) if card["set"] == volume.set and "loot" in card),  # boons only
        key=lambda card: str(card["name"]).casefold(),
    )
    characters = of_set(library, "character", volume)
    about = f"{len(cards)} cards with type, adventure deck, traits and copies."
    known = {"unknown": gaps(cards), "table": card_table(writer, cards, characters)}
    path, title = f"{volume.id}/cards/index", f"Cards of {volume.title}"
    writer.write(page(volume, path, title, "cards.md.j2", about, known))
    for card in cards:
        if writer.addresses.has_page(card):
            write_card(writer, card, card_facts(card, volume), volume.id, volume.title)


def card_facts(card: Record, volume: Volume) -> list[tuple[str, str]]:
    """Return the facts of a boon as pairs of label and value, such as `Type` and `weapon`."""
    facts = [
        ("Type", card["type"]),
        ("Set", volume.title),
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
    """Return the copies of a card in words, such as `2 in Base set, 1 in Deck 3`."""
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
    """Return the kinds of facts that are unknown for some of the cards, such as `the traits of 13`."""
    counts = {words: sum(card[key] is None for card in cards) for key, words in UNKNOWN.items()}
    counts["some of the copies of {}"] = sum(None in card["copies"].values() for card in cards)
    return [words.format(number) for words, number in counts.items() if number]


def write_characters(writer: Writer, volume: Volume) -> None:
    """Write the overview of a set's characters, and a page for each character.

    A character's page has the Cards List, the skills and the suggested deck.
    """
    library = writer.library
    characters = of_set(library, "character", volume)
    verdicts = suggested_verdicts(library, volume)
    about = f"The {len(characters)} characters of {volume.title} with their Cards Lists."
    path, title = f"{volume.id}/characters/index", f"Characters of {volume.title}"
    writer.write(
        page(
            volume,
            path,
            title,
            "characters.md.j2",
            about,
            {"characters": characters, "types": CARD_TYPES, "slug": slug},
        )
    )
    for character in characters:
        name = str(character["name"])
        path = f"{volume.id}/characters/{slug(name)}"
        entry = library.entries.get(path)
        see = entry.listed("see") if entry else []
        about = f"{name}, {character['class']} of {volume.title}: Cards List, skills, suggested deck."
        known = {
            "verdict": verdicts.get(name),
            "character": character,
            "types": CARD_TYPES,
            "plural": PLURAL,
            "skills": SKILLS,
            "entry": entry,
            "together": sum(character["cards_list"][kind]["base"] for kind in CARD_TYPES),
            "see": [library.entries[item] for item in see if item in library.entries],
            "mentions": mentions(library, name, volume),
        }
        writer.write(page(volume, path, name, "character.md.j2", about, known))


def mentions(library: Library, name: str, volume: Volume) -> list[Any]:
    """Return the rules entries, of the set or of the whole game, whose title contains the character's name."""
    return [
        entry
        for entry in library.entries.values()
        if name in entry.title and entry.game == GAME and library.volume_of(entry.id) in (volume.id, GAME)
    ]


def suggested_verdicts(library: Library, volume: Volume) -> dict[str, Report]:
    """Check the suggested decks of a set as new decks, and return their reports by character."""
    facts = deck_check.load_facts(lambda kind: library.of_kind(GAME, kind))
    reports = {}
    for character in of_set(library, "character", volume):
        name = str(character["name"])
        try:
            if text := deck_check.new_deck(name, volume.set, facts):
                reports[name] = deck_check.check(parse_deck(text, name), facts)
        except NewDeckError:
            continue
    return reports


def write_adventures(writer: Writer, volume: Volume) -> None:
    """Write the page that lists a set's adventures and scenarios with their rewards."""
    adventures = of_set(writer.library, "adventure", volume)
    path = next(iter(of_set(writer.library, "path", volume)), None)
    cards = [card for card in writer.library.cards_of(GAME) if card["set"] == volume.set]
    loot = {str(card["name"]): str(card["id"]) for card in cards if "loot" in card}
    scenarios = {str(card["name"]): str(card["id"]) for card in cards if card["type"] == "scenario"}
    about = f"Adventures and scenarios of {volume.title} with their rewards."
    known = {"path": path, "adventures": adventures, "products": PRODUCTS, "loot": loot, "scenarios": scenarios}
    writer.write(
        page(volume, f"{volume.id}/adventures/index", f"Adventures of {volume.title}", "adventures.md.j2", about, known)
    )
