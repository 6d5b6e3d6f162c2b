"""Pages of Arkham Horror: The Card Game: player cards, investigators, packs, traits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from kb.games.arkham.pages.access import access_to
from kb.load.cards import slug
from kb.site.cards import write_card
from kb.site.library import Record
from kb.site.pages import Page, Writer

GAME = "arkham"
NAV = "arkham"
PACKS, TRAITS = ("arkham/packs/index.html", "Packs"), ("arkham/traits/index.html", "Traits")
CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor", "neutral")
SKILLS = ("willpower", "intellect", "combat", "agility", "wild")
OPTION_WORDS = {
    "class": "class",
    "type": "type",
    "trait": "trait",
    "text": "text",
    "slot": "slot",
    "uses": "uses",
    "tag": "cards that",
    "faction": "class",
}


def write_arkham(writer: Writer) -> None:
    """Write the pages of all player cards, and of every encounter card that an entry names."""
    library = writer.library
    if not library.records.get((GAME, "card")):
        return
    packs = {pack["code"]: pack for pack in library.records.get((GAME, "pack"), [])}
    cycles = {cycle["code"]: cycle for cycle in library.records.get((GAME, "cycle"), [])}
    everything = [card for card in library.cards.values() if card["game"] == GAME]
    cards = [card for card in everything if is_player_card(card) and not card.get("duplicate_of")]
    cards.sort(key=lambda card: (str(card["name"]).casefold().lstrip('"'), card.get("level") or 0, card["code"]))
    printed: dict[str, list[Record]] = defaultdict(list)
    for card in everything:
        printed[writer.addresses.original(str(card["id"]))].append(card)
    taboos = latest_taboos(library.records)
    traits = {trait for card in cards for trait in card.get("traits") or ()}
    access, investigators = access_to(library.records, cards)
    for card in everything:
        card_id = str(card["id"])
        if card.get("duplicate_of"):
            writer.redirect(card_id, f"{writer.addresses.original(card_id)}.html")
        elif writer.addresses.has_page(card):
            write_card(
                writer,
                card,
                facts(card, packs, printed[card_id]),
                NAV,
                crumbs(
                    writer,
                    ("arkham/investigators/index.html", "Investigators")
                    if card["type"] == "investigator"
                    else ("arkham/cards/index.html", "Cards"),
                ),
                skills=card.get("skills") or {},
                deck=requirements(card, packs, writer) if card.get("deck") else None,
                taboo=taboos.get(str(card["code"])),
                bonded=card.get("bonded"),
                kin=kin(card, packs, traits),
                access=access.get(str(card["code"])),
                investigators=investigators,
                sheet=card.get("sheet"),
            )
    write_tables(writer, cards, packs, cycles)


def crumbs(writer: Writer, *above: tuple[str, str]) -> list[tuple[str, str]]:
    """The pages above one: the game's own, then `above`."""
    return [(f"{GAME}/index.html", writer.library.games[GAME]), *above]


def is_player_card(card: Record) -> bool:
    """Whether a card belongs to players: not to a scenario's encounter sets."""
    return card["game"] == GAME and "class" in card and not card.get("encounter")


def kin(card: Record, packs: dict[str, Record], traits: set[str]) -> list[tuple[str, str]]:
    """Pages with cards like this one: its traits and its product."""
    if not is_player_card(card):
        return []
    found = [(f"arkham/traits/{slug(trait)}.html", trait) for trait in card.get("traits") or () if trait in traits]
    return [*found, (f"arkham/packs/{slug(card['pack'])}.html", pack_name(packs, card["pack"]))]


def latest_taboos(records: dict[tuple[str, str], list[Record]]) -> dict[str, list[str]]:
    """What the newest taboo list does to a card, in words, by its code."""
    newest = max((int(item["list"]) for item in records.get((GAME, "taboo_list"), [])), default=0)
    said: dict[str, list[str]] = {}
    for item in records.get((GAME, "taboo"), []):
        if item["list"] != newest:
            continue
        words = []
        if change := item.get("experience"):
            words.append(f"{abs(change)} experience {'more' if change > 0 else 'less'}")
        if item.get("exceptional") is not None:
            words.append("exceptional" if item["exceptional"] else "no longer exceptional")
        words += [
            word
            for key, word in (
                ("forbidden", "forbidden"),
                ("text_changed", "text changed"),
                ("deck", "deckbuilding changed"),
            )
            if item.get(key)
        ]
        if item.get("limit") is not None:
            words.append(f"deck limit {item['limit']}")
        said[str(item["code"])] = words or ["changed"]
    return said


def facts(card: Record, packs: dict[str, Record], printed: list[Record]) -> list[tuple[str, str]]:
    """A card's facts as label and value."""
    restrictions = card.get("restrictions") or {}
    flags = [
        key
        for key in ("unique", "permanent", "exceptional", "myriad", "exile", "researched", "campaign_only")
        if card.get(key)
    ]
    products = sorted({pack_name(packs, item["pack"]) for item in printed})
    listed: list[tuple[str, Any]] = [
        ("Type", " · ".join(str(card[key]) for key in ("type", "subtype") if card.get(key))),
        ("Class", ", ".join(card.get("class") or ())),
        ("Level", card.get("level")),
        ("Cost", "–" if "cost" in card and card["cost"] is None else card.get("cost")),
        ("Slot", ", ".join(card.get("slots") or ())),
        ("Traits", ", ".join(card.get("traits") or ())),
        ("Health", card.get("health")),
        ("Sanity", card.get("sanity")),
        ("Deck limit", card.get("limit")),
        ("Also", ", ".join(flag.replace("_", " ") for flag in flags)),
        (
            "Only for",
            ", ".join(
                str(item)
                for key, value in restrictions.items()
                if key != "investigators"
                for item in (value if isinstance(value, list) else [value])
            ),
        ),
        ("Encounter set", card.get("set") if card.get("kind") == "encounter" or "class" not in card else None),
        ("Product", ", ".join(products)),
        ("Number", card["code"]),
    ]
    return [(label, str(value)) for label, value in listed if value not in (None, "")]


def requirements(card: Record, packs: dict[str, Record], writer: Writer) -> dict[str, Any]:
    """An investigator's deckbuilding in readable form. Of cards with one name the product tells which is meant."""
    deck = card["deck"]

    def choices(codes: list[str]) -> list[tuple[str, str]]:
        ids = [f"{GAME}/cards/{code}" for code in codes if f"{GAME}/cards/{code}" in writer.library.cards]
        names = [writer.library.cards[card_id]["name"] for card_id in ids]
        return [
            (card_id, f" ({pack_name(packs, writer.library.cards[card_id]['pack'])})" if names.count(name) > 1 else "")
            for card_id, name in zip(ids, names, strict=True)
        ]

    return {
        "size": deck.get("size"),
        "weaknesses": deck.get("random_weaknesses"),
        "cards": [choices(group) for group in deck.get("cards", [])],
        "options": [option_words(option) for option in deck.get("options", [])],
    }


def option_words(option: Record) -> str:
    """One deckbuilding option as a sentence fragment: `guardian, neutral level 0-5`."""
    if (inner := option.get("any") or option.get("select")) and isinstance(inner, list):
        return "one of: " + "; ".join(option_words(item) for item in inner if isinstance(item, dict))
    said = []
    for key, value in option.items():
        words = ", ".join(str(item) for item in value) if isinstance(value, list) else str(value)
        if key == "level" and isinstance(value, list) and len(value) == 2:
            said.append(f"level {value[0]}" if value[0] == value[1] else f"level {value[0]}–{value[1]}")
        elif key == "not" and value is True:
            said.insert(0, "not:")
        elif key == "limit":
            said.append(f"up to {value} cards")
        elif value is True:
            said.append(key.replace("_", " "))
        elif value is not False and not isinstance(value, dict):
            said.append(
                words if key in ("class", "type") else f"{OPTION_WORDS.get(key, key.replace('_', ' '))}: {words}"
            )
    return " · ".join(said)


def write_tables(writer: Writer, cards: list[Record], packs: dict[str, Record], cycles: dict[str, Record]) -> None:
    """The table of all player cards, investigators, and tables by pack and by trait."""
    investigators = [card for card in cards if card["type"] == "investigator"]

    def table(
        path: str, title: str, description: str, listed: list[Record], filters: bool = True, intro: str = ""
    ) -> None:
        part = f"parts/{path.replace('/', '--')}.html"
        writer.write_part(
            part,
            "arkham-table.html.j2",
            cards=listed,
            packs=packs,
            classes=CLASSES,
            skills=SKILLS,
            filters=filters,
            product_pairs=[
                (code, pack_name(packs, code))
                for code in sorted({card["pack"] for card in listed}, key=order_of(packs, cycles))
            ],
        )
        writer.write(
            Page(
                path,
                title,
                "table.md.j2",
                description,
                GAME,
                NAV,
                include=part,
                layout="wide",
                table=True,
                context={
                    "title": title,
                    "intro": intro,
                    "number": len(listed),
                    "crumbs": crumbs(
                        writer,
                        *(place for place in (PACKS, TRAITS) if path.startswith(place[0].removesuffix("index.html"))),
                    ),
                },
            )
        )

    others = [card for card in cards if card["type"] != "investigator"]
    table("arkham/cards/index", "Player cards", f"All {len(others)} player cards with filters.", others)
    writer.write_part(
        "parts/arkham--investigators.html",
        "investigators-table.html.j2",
        cards=investigators,
        packs=packs,
        classes=CLASSES,
    )
    writer.write(
        Page(
            "arkham/investigators/index",
            "Investigators",
            "table.md.j2",
            f"{len(investigators)} investigators with skills, health and sanity.",
            GAME,
            NAV,
            include="parts/arkham--investigators.html",
            layout="wide",
            table=True,
            context={"title": "Investigators", "intro": "", "number": len(investigators), "crumbs": crumbs(writer)},
        )
    )
    by_pack: dict[str, list[Record]] = defaultdict(list)
    by_trait: dict[str, list[Record]] = defaultdict(list)
    for card in writer.library.cards.values():
        if is_player_card(card):
            by_pack[card["pack"]].append(card)
    for card in cards:
        for trait in card.get("traits") or ():
            by_trait[trait].append(card)
    shown = sorted(by_pack, key=order_of(packs, cycles))
    for code in shown:
        name = pack_name(packs, code)
        listed = sorted(by_pack[code], key=lambda card: card["code"])
        table(
            f"arkham/packs/{slug(code)}",
            str(name),
            f"The {len(listed)} player cards of {name}.",
            listed,
            filters=len(listed) > 20,
        )
    for trait, listed in by_trait.items():
        table(
            f"arkham/traits/{slug(trait)}",
            f"Trait: {trait}",
            f"{len(listed)} cards with the trait {trait}.",
            listed,
            filters=len(listed) > 20,
        )
    groups: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for code in shown:
        pack = packs.get(code, {"name": code, "cycle": ""})
        groups[cycles.get(pack["cycle"], {}).get("name", "Other")].append(
            (f"arkham/packs/{slug(code)}.html", str(pack["name"]), len(by_pack[code]))
        )
    writer.write(
        Page(
            "arkham/packs/index",
            "Packs",
            "groups.md.j2",
            "Player cards by product.",
            GAME,
            NAV,
            context={
                "title": "Packs",
                "intro": "Player cards by the product they came in.",
                "groups": groups,
                "crumbs": crumbs(writer),
            },
        )
    )
    letters: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for trait in sorted(by_trait):
        letters[trait[0].upper()].append((f"arkham/traits/{slug(trait)}.html", trait, len(by_trait[trait])))
    writer.write(
        Page(
            "arkham/traits/index",
            "Traits",
            "groups.md.j2",
            "Player cards by trait.",
            GAME,
            NAV,
            context={"title": "Traits", "intro": "Player cards by trait.", "groups": letters, "crumbs": crumbs(writer)},
        )
    )


def pack_name(packs: dict[str, Record], code: str) -> str:
    """A product's name, or its code when it is not known."""
    return str(packs[code]["name"]) if code in packs else code


def order_of(packs: dict[str, Record], cycles: dict[str, Record]) -> Callable[[str], tuple[int, int, str]]:
    """Sorts pack codes as the packs appeared."""

    def order(code: str) -> tuple[int, int, str]:
        pack = packs.get(code, {})
        return int(cycles.get(pack.get("cycle", ""), {}).get("position") or 99), int(pack.get("position") or 99), code

    return order
