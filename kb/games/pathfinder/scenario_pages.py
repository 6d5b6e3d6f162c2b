"""Writes the site pages of scenarios, locations and banes: a page for each card, and a table of each kind for a set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kb.games.pathfinder.records import CharacterRecord
from kb.games.pathfinder.scenarios.dice import dice_of
from kb.games.pathfinder.scenarios.odds import DiceRoll, check_odds
from kb.games.pathfinder.scenarios.records import MOST_PLAYERS, PILES
from kb.games.pathfinder.scenarios.setup import SetUpFacts, set_up
from kb.games.pathfinder.scenarios.tables import (
    check_words,
    closing,
    counted_card,
    draw,
    henchmen,
    met_in,
    names_in,
    pile_words,
    villains,
)
from kb.shapes import build
from kb.site.addresses import SUFFIX
from kb.site.cards import named_in
from kb.site.pages import Page
from kb.site.tables import Filter, SiteTable, TableColumn, as_json, values

if TYPE_CHECKING:
    from kb.site.library import Library, Record, Volume
    from kb.site.pages import Writer

GAME = "pathfinder"
ADVENTURE_WORDS = {
    "B": "Base set",
    "C": "Character Add-On Deck",
    **{str(number): f"Deck {number}" for number in range(1, 7)},
    "P": "Promo",
}
PLAYERS = 4
"""The number of players for which a scenario's page initially shows the set-up."""
WORDS = {
    "counted": counted_card,
    "drawn": draw,
    "henchmen": henchmen,
    "villains": villains,
    "closing": closing,
    "plural": pile_words,
}
"""Functions that templates call to describe a set-up in words, by their names in the templates."""


def write_met(writer: Writer, volume: Volume) -> None:
    """Write the pages of a set's scenarios, locations and banes, and their tables."""
    cards = [card for card in writer.library.cards_of(GAME) if card["set"] == volume.set and "loot" not in card]
    facts = SetUpFacts.of(lambda kind: writer.library.of_kind(GAME, kind))
    by_type: dict[str, list[Record]] = {"scenario": [], "location": [], "bane": []}
    for card in sorted(cards, key=lambda each: str(each["name"]).casefold()):
        by_type[str(card["type"]) if card["type"] in by_type else "bane"].append(card)
    by_type["scenario"].sort(key=lambda each: ("B123456".index(each["deck"]), each["place"]))
    if not by_type["scenario"]:
        return
    write_scenarios(writer, volume, by_type["scenario"], facts)
    write_locations(writer, volume, by_type["location"], by_type["scenario"])
    write_banes(writer, volume, by_type["bane"], by_type["scenario"])


def write_scenarios(writer: Writer, volume: Volume, cards: list[Record], facts: SetUpFacts) -> None:
    """Write a page for each scenario, and a table of all scenarios."""
    ids = {
        (str(card["type"]), str(card["name"])): str(card["id"])
        for card in writer.library.cards_of(GAME)
        if card["set"] == volume.set
    }
    banes = {name: card_id for (kind, name), card_id in ids.items() if kind not in ("scenario", "location")}
    places = {name: card_id for (kind, name), card_id in ids.items() if kind == "location"}
    for card in cards:
        every = [set_up(card, players, facts) for players in range(1, MOST_PLAYERS + 1)]
        context = {
            "card": card,
            "every": every,
            "shown": PLAYERS,
            "piles": PILES,
            "banes": banes,
            "places": places,
            **WORDS,
            "next": ids.get(("scenario", every[0].next or "")),
            "title": f"{card['deck']}.{card['place']} {every[0].adventure}",
            **named_in(writer.library, card),
        }
        about = (
            f"Set up {card['name']} of {volume.title} for 1 to 6 players: locations, villain, henchmen, cards to draw."
        )
        writer.write(page(volume, str(card["id"]), str(card["name"]), "scenario.md.j2", about, context))
    adventures = {deck: each["name"] for (of_set, deck), each in facts.adventures.items() if of_set == volume.set}
    rows = [[linked(card), f"{card['deck']}.{card['place']}", adventures[card["deck"]], card["deck"]] for card in cards]
    columns = [TableColumn("Scenario", "link"), TableColumn("Number"), TableColumn("Adventure")]
    filters = [Filter("deck", "Adventure", 3, decks_of(cards))]
    write_table(
        writer, volume, "scenarios", SiteTable("scenarios", columns, filters, rows), "Choose the scenario to set up."
    )


def write_locations(writer: Writer, volume: Volume, cards: list[Record], scenarios: list[Record]) -> None:
    """Write a page for each location, and a table of all locations.

    The table has filters for the adventure deck, the types of cards, and the skills that close a location.
    """
    for card in cards:
        used = [each for each in scenarios if card["name"] in names_in(each)]
        facts = [
            ("Adventure deck", ADVENTURE_WORDS.get(str(card["deck"]), "unknown")),
            ("Deck list", None if card["cards"] else "unknown: read the card"),
            *((kind.capitalize(), str(number)) for kind, number in (card["cards"] or {}).items() if number),
            ("To close", closing(card["close"], card.get("other_way", False))),
            *sources(card),
        ]
        write_card(writer, volume, card, facts, used)
    rows = []
    for card in cards:
        piles = card["cards"] or {}
        numbers = [piles.get(kind, "?") for kind in PILES]
        has = [kind for kind, number in piles.items() if number]
        to_close = closing(card["close"], card.get("other_way", False))
        rows.append([linked(card), card["deck"] or "?", *numbers, to_close, has, skills_of(card["close"])])
    columns = [
        TableColumn("Location", "link"),
        TableColumn("Deck"),
        *(TableColumn(kind.capitalize(), "number") for kind in PILES),
        TableColumn("To close"),
    ]
    filters = [
        Filter("deck", "Adventure deck", 1, decks_of(cards)),
        Filter("has", "Has cards of type", 11, values(PILES)),
        Filter(
            "closes", "Closes with", 12, values(sorted({skill for card in cards for skill in skills_of(card["close"])}))
        ),
    ]
    write_table(
        writer,
        volume,
        "locations",
        SiteTable("locations", columns, filters, rows),
        "The table shows how many cards make up each location deck.",
    )


def write_banes(writer: Writer, volume: Volume, cards: list[Record], scenarios: list[Record]) -> None:
    """Write a page for each bane, and a table of all banes.

    Villains of later adventures are not in the table. These villains are in folded lists, because their names are
    spoilers.
    """
    characters = [each for each in writer.library.of_kind(GAME, "character") if each["set"] == volume.set]
    for card in cards:
        used = [each for each in scenarios if card["name"] in met_in(each)]
        write_card(writer, volume, card, bane_facts(card), used, list(chances(card, characters)))
    shown = [card for card in cards if "spoiler" not in card]
    rows = []
    for card in shown:
        traits = card["traits"] if card["traits"] is not None else "unknown"
        checks = "?" if card["checks"] is None else " · ".join(map(check_words, card["checks"]))
        rows.append([linked(card), card["type"], card["deck"] or "?", traits, checks, skills_of(card["checks"])])
    columns = [
        TableColumn("Bane", "link"),
        TableColumn("Type"),
        TableColumn("Deck"),
        TableColumn("Traits", sorts=False),
        TableColumn("Checks", sorts=False),
    ]
    filters = [
        Filter("type", "Type", 1, values(("monster", "barrier", "henchman", "villain", "scourge"))),
        Filter("deck", "Adventure deck", 2, decks_of(shown)),
        Filter("trait", "Trait", 3, values(sorted({trait for card in shown for trait in card["traits"] or ()}))),
        Filter("check", "Check", 5, values(sorted({skill for card in shown for skill in skills_of(card["checks"])}))),
    ]
    hidden = sorted((card for card in cards if "spoiler" in card), key=lambda card: str(card["deck"]))
    folded = {adventure: list(group) for adventure, group in groupby(hidden, key=lambda card: card["spoiler"])}
    about = f"The {len(cards)} banes and scourges of {volume.title}."
    context = {
        "title": f"Banes of {volume.title}",
        "table": SiteTable("banes", columns, filters, rows),
        "villains": folded,
    }
    writer.write(
        page(volume, f"{volume.id}/banes/index", f"Banes of {volume.title}", "banes.md.j2", about, context, table=True)
    )


def bane_facts(card: Record) -> list[tuple[str, str | None]]:
    """Return the facts of a bane as pairs of label and value, such as `Type` and `monster`. A value may be None."""
    joined = {"or": " or ", "then": ", then ", None: "; "}[card.get("joined")]
    checks = (
        "unknown" if card["checks"] is None else joined.join(map(check_words, card["checks"])) or "none: read the card"
    )
    return [
        ("Type", " that counts as a ".join(filter(None, (card["type"], card.get("subtype"))))),
        ("Adventure deck", ", ".join(ADVENTURE_WORDS[each] for each in card["decks"]) or "unknown"),
        ("Traits", "unknown" if card["traits"] is None else ", ".join(card["traits"])),
        ("Basic", "yes" if card.get("basic") and card["traits"] is None else None),
        ("Elite", "yes" if card.get("elite") and card["traits"] is None else None),
        ("Checks to defeat", None if card["type"] == "scourge" else checks),
        *sources(card),
    ]


def write_card(
    writer: Writer,
    volume: Volume,
    card: Record,
    facts: Iterable[tuple[str, str | None]],
    used: list[Record],
    odds: list[Any] | None = None,
) -> None:
    """Write the page of a location or bane.

    The page shows the facts of the card (`facts`), the scenarios that name it (`used`), and the rules entries that
    name it. For a bane, it also shows each character's chances (`odds`).
    """
    context = {
        "card": card,
        "facts": [(label, value) for label, value in facts if value],
        "used": used,
        "odds": odds or [],
        "checks": rolled_on_page(card) if odds else "",
        **named_in(writer.library, card),
    }
    name = f"Spoiler for {card['spoiler']}" if "spoiler" in card else str(card["name"])
    about = f"{name}, {card['type']} of {volume.title}: facts and scenarios."
    written = page(volume, str(card["id"]), name, "met.md.j2", about, context)
    writer.write(replace(written, script="odds") if odds else written)


def chances(card: Record, characters: Iterable[Record]) -> Iterator[tuple[str, list[str]]]:
    """Yield each character's name with the chances to succeed at the checks of a bane, in words.

    The chance is the one with the character's best skill, without cards and feats.
    """
    checks = card["checks"] or ()
    for character in characters if checks else ():
        if character.get("skills"):
            rolls = dice_of(build(CharacterRecord, character))
            yield str(character["name"]), [best_chance(check, rolls) for check in checks]


def best_chance(check: Mapping[str, Any], rolls: Mapping[str, DiceRoll]) -> str:
    """Return a character's best chance to succeed at a check, in words.

    `rolls` are the character's dice for each skill. A character with none of the check's skills rolls a d4 (see the
    entry `skill-you-do-not-have`).
    """
    mine = [(skill, roll) for skill in rolled(check) if (roll := rolls.get(skill))] or [("no skill", DiceRoll((4,)))]
    best, roll = max(
        mine, key=lambda each: (chance_of(each[1], check["difficulty"]), each[1].dice[0] + 2 * each[1].added)
    )
    words = "with a d4, without the skill" if best == "no skill" else f"with {best} {roll}"
    return f"{chance_of(roll, check['difficulty']) * 100:.0f}% {words}"


def rolled(check: Mapping[str, Any]) -> list[str]:
    """Return the skills that a character may use for a check. A combat check uses Strength or Melee."""
    return [each for skill in check["skills"] for each in (("Strength", "Melee") if skill == "Combat" else (skill,))]


def rolled_on_page(card: Record) -> str:
    """Return a bane's checks as JSON, for the script odds.js on its page."""
    checks = [
        {
            "words": " or ".join(check["skills"]),
            "skills": rolled(check),
            "difficulty": check["difficulty"],
            "plus": check.get("plus") or 0,
        }
        for check in card["checks"] or ()
    ]
    return as_json({"set": f"{GAME}/{card['set']}", "checks": checks, "all": card.get("joined") == "then"})


@cache
def chance_of(roll: DiceRoll, difficulty: int) -> float:
    """Return the probability that the result of `roll` is at least `difficulty`."""
    return check_odds(roll, difficulty).chance


def sources(card: Record) -> Iterator[tuple[str, str | None]]:
    """Yield a card's other names, the source of its facts and a note on them, as pairs of label and value."""
    yield "Other names", ", ".join(card.get("also_called", ()))
    yield "Facts from", card["source"]
    yield "Note", card.get("note")


def linked(card: Record) -> list[str]:
    """Return the table cell of a card: its name and the address of its page."""
    return [str(card["name"]), f"{card['id']}{SUFFIX}"]


def skills_of(checks: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """Return the skills that `checks` name, in alphabetical order and without repeats."""
    return sorted({skill for check in checks or () for skill in check["skills"]})


def decks_of(cards: Iterable[Record]) -> list[tuple[str, str]]:
    """Return the adventure decks that contain one of `cards`, as the choices of a filter: values with their labels."""
    known = {card["deck"] for card in cards}
    return [(deck, words) for deck, words in ADVENTURE_WORDS.items() if deck in known]


def write_table(writer: Writer, volume: Volume, what: str, table: SiteTable, intro: str) -> None:
    """Write the page with a table of a set's scenarios or locations. `what` is `scenarios` or `locations`."""
    title = f"{what.capitalize()} of {volume.title}"
    context = {"title": title, "intro": intro, "table": table}
    writer.write(
        page(volume, f"{volume.id}/{what}/index", title, "table.md.j2", f"{title}, with filters.", context, table=True)
    )


def page(
    volume: Volume, path: str, title: str, template: str, about: str, context: Mapping[str, Any], table: bool = False
) -> Page:
    """Return a page in the set of `volume`. On the page of a single card, the name of the set follows the title.

    `about` is the page's description, and `context` are the template's variables.
    """
    return Page(
        path,
        title,
        template,
        about,
        volume.id,
        layout="wide" if table else "page",
        table=table,
        where="" if table else volume.title,
        context={"volume": volume, **context},
    )


def met_places(library: Library, volume: Volume) -> list[tuple[str, str, str]]:
    """Return the table pages of a set for the site's menu, each with path, title and number of cards.

    The pages are the tables of scenarios, locations and banes. Kinds without cards are left out.
    """
    found = []
    for kind, title in (("scenario", "Scenarios"), ("location", "Locations"), ("bane", "Banes")):
        number = sum(each["set"] == volume.set for each in library.of_kind(GAME, kind))
        words = {"scenario": "set-up by number of players", "location": "deck lists", "bane": "checks and traits"}[kind]
        if number:
            found.append((f"{volume.id}/{kind}s/index", title, f"{number}: {words}"))
    return found
