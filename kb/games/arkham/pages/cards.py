"""Pages of the single cards of Arkham Horror: The Card Game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from kb.decks.names import either
from kb.games.arkham.pages.access import Takers, takers
from kb.games.arkham.pages.known import GAME, NAV, Known, card_id, is_player_card, known
from kb.games.arkham.pages.tables import Tables, crumbs
from kb.games.arkham.schema.cards import CardRecord, EncounterRecord, TabooRow
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import CLASSES, Choice, Option, Wanted
from kb.records import read
from kb.site.cards import write_card
from kb.site.library import Library
from kb.site.pages import Writer
from kb.sources.cards import slug

CHANGED = {
    "forbidden": "forbidden",
    "campaign_only": "for campaigns only",
    "text_changed": "text changed",
    "build": "deckbuilding changed",
}


def latest_taboos(rows: Iterable[TabooRow], newest: int) -> dict[str, list[str]]:
    """What a taboo list does to cards, in words, by their codes."""
    return {row.code: list(change_words(row)) or ["changed"] for row in rows if row.list == newest}


def change_words(row: TabooRow) -> Iterator[str]:
    """What a row of a taboo list changes."""
    if row.experience:
        yield f"{abs(row.experience)} experience {'more' if row.experience > 0 else 'less'}"
    if row.exceptional is not None:
        yield "exceptional" if row.exceptional else "no longer exceptional"
    yield from (words for name, words in CHANGED.items() if getattr(row, name))
    if row.limit is not None:
        yield f"deck limit {row.limit}"


def requirements(card: CardRecord, known: Known) -> dict[str, Any] | None:
    """An investigator's deckbuilding in readable form; None for a card that builds no deck."""
    if card.build is None:
        return None
    return {
        "size": card.build.size,
        "weaknesses": card.build.random_weaknesses,
        "cards": [standing_in(codes, known) for codes in card.build.required],
        "options": [option_words(option) for option in card.build.options],
    }


def standing_in(codes: Iterable[str], known: Known) -> list[tuple[str, str]]:
    """Ids of the cards that fill one place; of several with one name the product tells which is meant."""
    found = [(card_id(code), known.cards[card_id(code)]) for code in codes if card_id(code) in known.cards]
    names = [card.name for _, card in found]
    return [(at, f" ({known.pack_name(card.pack)})" if names.count(card.name) > 1 else "") for at, card in found]


def option_words(option: Option) -> str:
    """One deckbuilding option as a sentence fragment: `guardian, neutral · level 0–5`."""
    said = ["not:"] if option.forbids else []
    said += wanted_words(option.wanted)
    if option.limit:
        said += [f"up to {option.limit} cards", *(["other"] if option.other else [])]
    if option.demand:
        said.append(
            f"at least {option.demand.number} cards"
            + (f" of each of {n} classes" if (n := option.demand.classes) else "")
        )
    if option.only_counts:
        said.append("only counts")
    if option.choice:
        said.append(choice_words(option.choice))
    return " · ".join(said)


def choice_words(choice: Choice) -> str:
    """What a player settles at deck creation."""
    if choice.options:
        return "one of: " + "; ".join(" · ".join(wanted_words(option.wanted)) for option in choice.options)
    return f"choose {'a class' if choice.classes else 'a deck size'}: {either(choice.values)}"


def wanted_words(wanted: Wanted) -> Iterator[str]:
    """What an option asks of a card, a fragment each."""
    if wanted.classes:
        yield ", ".join(name for name in (*CLASSES, "neutral", "mythos") if name in wanted.classes)
    for label, names in (
        ("trait", wanted.traits),
        ("type", wanted.types),
        ("uses", wanted.uses),
        ("cards that", wanted.tags),
        ("slot", wanted.slots),
    ):
        if names:
            words = ", ".join(sorted(names))
            yield words if label == "type" else f"{label}: {words}"
    if wanted.permanent is not None:
        yield "permanent" if wanted.permanent else "not permanent"
    if wanted.level:
        least, most = wanted.level
        yield f"level {least}" if least == most else f"level {least}–{most}"


SIDE_BY_SIDE = ("Type", "Class", "Level", "Cost", "Slot", "Traits", "Health", "Sanity", "Product")
TOLD = [word.name for word in KEYWORDS if word.told]
CARDS, INVESTIGATORS = ("arkham/cards/index.html", "Cards"), ("arkham/investigators/index.html", "Investigators")


def write_arkham(writer: Writer) -> None:
    """Write the pages of all player cards, and of every encounter card that an entry names."""
    library = writer.library
    if not library.of_kind(GAME, "card"):
        return
    here = known(library)
    players = here.players()
    taboos = taboos_of(library)
    traits = {trait for card in players for trait in card.printed_traits}
    asking = Takers(library, takers(players))
    asked = {card.code for card in asking.investigators}
    for at, card in here.cards.items():
        if card.duplicate_of:
            writer.redirect(at, f"{writer.addresses.original(at)}.html")
        elif writer.addresses.has_page(library.cards[at]):
            write_card(
                writer,
                library.cards[at],
                facts(card, here),
                NAV,
                crumbs(writer, INVESTIGATORS if card.type == "investigator" else CARDS),
                skills=card.skills,
                deck=requirements(card, here),
                taboo=taboos.get(card.code),
                bonded=card.bonded,
                kin=kin(card, here, traits),
                investigators=len(asked),
                takes=f"arkham/cards/index.html#?investigator={card.code}" if card.code in asked else None,
                elsewhere=[("Its text on ArkhamDB", f"https://arkhamdb.com/card/{card.code}")],
                later=partial(taking_time, card, asking, here, writer),
            )
    for at in here.encounters:
        if writer.addresses.has_page(library.cards[at]):
            told = encounter_facts(here.encounters[at], here)
            write_card(writer, library.cards[at], told, NAV, crumbs(writer, CARDS))
    Tables(writer, here, asking).write()


def taking_time(card: CardRecord, asking: Takers, known: Known, writer: Writer) -> dict[str, Any]:
    """What of a card's page takes time: who may take it, and the cards of its name."""
    return {"access": asking.may_take(card), "versions": versions(card, known, writer)}


def taboos_of(library: Library) -> dict[str, list[str]]:
    """What the newest taboo list does to cards, in words, by their codes."""
    newest = max((int(item["list"]) for item in library.of_kind(GAME, "taboo_list")), default=0)
    return latest_taboos((read(TabooRow, row) for row in library.of_kind(GAME, "taboo")), newest)


def kin(card: CardRecord, known: Known, traits: set[str]) -> list[tuple[str, str]]:
    """Pages with cards like this one: its traits and its product."""
    if not is_player_card(card):
        return []
    found = [(f"arkham/traits/{slug(trait)}.html", trait) for trait in card.printed_traits if trait in traits]
    return [*found, (f"arkham/packs/{slug(card.pack)}.html", known.pack_name(card.pack))]


def facts(card: CardRecord, known: Known) -> list[tuple[str, str]]:
    """A card's facts as label and value."""
    return shown(
        ("Type", " · ".join(filter(None, (card.type, card.subtype)))),
        ("Class", ", ".join(card.classes)),
        ("Level", card.level),
        ("Cost", "–" if card.cost is None else card.cost),
        ("Slot", ", ".join(card.printed_slots)),
        ("Traits", ", ".join(card.printed_traits)),
        ("Health", card.health),
        ("Sanity", card.sanity),
        ("Deck limit", card.limit),
        ("Also", ", ".join(flag.replace("_", " ") for flag in TOLD if getattr(card, flag))),
        ("Only for", ", ".join((*card.restrictions.traits, *card.restrictions.classes))),
        ("Product", ", ".join(products(card, known))),
        ("Number", card.code),
    )


def versions(card: CardRecord, known: Known, writer: Writer) -> dict[str, Any] | None:
    """The cards of a card's name side by side: other levels, and other cards that are called the same."""
    ids = [str(other["id"]) for other in writer.library.of_name(writer.library.cards[card_id(card.code)])]
    others = [
        known.cards[at] for at in ids if at in known.cards and writer.addresses.has_page(writer.library.cards[at])
    ]
    if len(others) < 2:
        return None
    told = {other.code: dict(facts(other, known)) for other in others}
    labels = [label for label in SIDE_BY_SIDE if any(label in found for found in told.values())]
    rows = [
        (
            "" if other.code == card.code else f"{card_id(other.code)}.html",
            [
                other.subtitle or writer.card_name(card_id(other.code)),
                *(told[other.code].get(label, "") for label in labels),
            ],
        )
        for other in sorted(others, key=lambda other: (other.level or 0, other.code))
    ]
    return {"labels": ["Card", *labels], "rows": rows}


def products(card: CardRecord, known: Known) -> list[str]:
    """Names of the products that hold a printing of the card."""
    return sorted(
        {known.pack_name(known.cards[card_id(code)].pack) for code in known.printed.get(card.code, [card.code])}
    )


def encounter_facts(card: EncounterRecord, known: Known) -> list[tuple[str, str]]:
    """A scenario card's facts as label and value."""
    return shown(
        ("Type", card.type), ("Encounter set", card.set), ("Product", known.pack_name(card.pack)), ("Number", card.code)
    )


def shown(*listed: tuple[str, Any]) -> list[tuple[str, str]]:
    """The facts that there are, as texts."""
    return [(label, str(value)) for label, value in listed if value not in (None, "")]
