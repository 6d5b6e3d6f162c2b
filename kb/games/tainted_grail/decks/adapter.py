"""Tainted Grail as one of the games of `kb.decks.games`: check, view and new sheet. It has no card facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_FRAME, DeckView, Records
from kb.decks.names import either, tallied
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.growth import pairs_of, prices_now
from kb.games.tainted_grail.decks.model import (
    ATTRIBUTES,
    BASIC_CARDS,
    DECK_NAMES,
    ITEM_KEYWORDS,
    MODES,
    RESOURCES,
    RULESET,
    STARTER_CARDS,
    Card,
    Deck,
    Item,
    Sheet,
    character_named,
)
from kb.games.tainted_grail.decks.sheet import read_sheet


def load_facts(records: Records) -> None:
    """Nothing: the rules text is the only source, and it lists no cards."""


def check(file: DeckFile, facts: None, frame: Mapping[str, Any] = NO_FRAME) -> Report:
    """Read and check a character sheet. Raises DeckFileError."""
    return check_sheet(read_sheet(file), file.name)


def show(file: DeckFile, facts: None) -> DeckView:
    """Decks, attributes with the cost of their next point, skills and belongings. Raises DeckFileError."""
    sheet = read_sheet(file)
    rows = [(f"{deck.name} deck", str(len(deck.cards)), cards_in(deck)) for deck in sheet.decks]
    rows += attribute_rows(sheet)
    rows += [(name, str(sheet.resources[name]), "") for name in RESOURCES if name in sheet.resources]
    rows += [
        (kind, str(len(held)), ", ".join(map(described, held)))
        for kind, held in (("items", sheet.items), ("secrets", sheet.secrets))
    ]
    played = f"{sheet.mode} mode" + (", free play" if sheet.free_play else "")
    spent = "" if sheet.experience_spent is None else f", {sheet.experience_spent} EXP spent"
    return DeckView(f"{sheet.character}, {played}{spent}", ("", "number", ""), tuple(rows))


def cards_in(deck: Deck) -> str:
    """`1-15/25, 17/25, 2x Cleave`: runs of numbers drawn together, then names."""
    return ", ".join(runs(deck.cards))


def runs(cards: Iterable[Card]) -> list[str]:
    """The same one by one, each as a file may have it."""
    cards = list(cards)
    shown = [
        f"{first}-{last}/{BASIC_CARDS}" if first < last else f"{first}/{BASIC_CARDS}" for first, last in runs_of(cards)
    ]
    return shown + tallied(card.name for card in cards if not card.number)


def runs_of(cards: Iterable[Card]) -> list[tuple[int, int]]:
    """First and last of each run of numbers; a number that stands twice begins a run of its own."""
    found: list[tuple[int, int]] = []
    for number in sorted(card.number for card in cards if card.number):
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def attribute_rows(sheet: Sheet) -> list[tuple[str, str, str]]:
    """Each pair's attributes with their skills and the cost of the pair's next point."""
    rows = []
    for pair in pairs_of(sheet) if sheet.attributes is not None else ():
        total = sum((sheet.attributes or {})[name] for name in pair)
        for name in pair:
            skills = sheet.skills.get(name, ())
            said = f"skills {', '.join(skills)}; " if skills else ""
            rows.append(
                (
                    name,
                    str((sheet.attributes or {})[name]),
                    f"{said}next point {prices_now(sheet).point(total + 1)} EXP",
                )
            )
    return rows


def described(item: Item) -> str:
    """An item with its keywords."""
    words = [*item.keywords, *(["facedown"] if item.facedown else [])]
    return f"{item.name} ({', '.join(words)})" if words else item.name


def new_deck(character: str, set_id: str | None, facts: None) -> str | None:
    """A sheet to fill in, for one of the four characters; None for another name, or when a set is asked for.

    What is printed on the tile (starting attributes and resources) is not in the source and left to fill in.
    """
    found = character_named(character)
    if found is None or set_id is not None:
        return None
    favors = f"favors {' and '.join(found.favors)}" if found.favors else "balanced"
    first_gained = f"{STARTER_CARDS + 1} to {BASIC_CARDS}"
    lines = [
        "game: tainted-grail",
        f"character: {found.name}  # {found.title}",
        f"mode: standard  # {either(MODES)}",
        "experience_spent: 0  # all EXP spent since the campaign began",
        f"starting_attributes:  # fill in from the back of the tile ({favors}); an empty one is 0",
        *(f"  {name}:" for name in ATTRIBUTES),
        "#attributes: as they are now, once any has been raised, in the same form",
        "resources:  # fill in from the back of the tile",
        *(f"  {name}:" for name in RESOURCES),
        "skills: {}  # numbers of the skill cards by attribute, such as {courage: [12]}",
        f"items: []  # such as Rusty Sword (WEAPON), or in quotes 'Old Mace (WEAPON, facedown)'; {', '.join(ITEM_KEYWORDS)}",
        "secrets: []  # such as {number: 14, keywords: [RELIC, PERSONAL]}",
    ]
    for deck in DECK_NAMES:
        lines += [
            f"{deck}:  # the starter cards 1 to {STARTER_CARDS}, with the gained cards, without those out",
            f"  gained: []  # from the advancement pool: names, or numbers {first_gained} of basic cards",
            "  out: []  # owned, but not in the deck now",
        ]
    return "\n".join(lines) + "\n"


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The game's only ruleset."""
    return {RULESET.game: RULESET}
