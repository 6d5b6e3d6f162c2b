"""Turns the deckbuilding options and requirements of ArkhamDB's investigators into our structured ones."""

from __future__ import annotations

import re
from typing import Any

from kb.games.arkham.imports.arkhamdb import Record

# what an option may ask of a card's text; the tag carries the fact
TAGS = {
    "hh": "heals-horror",
    "hd": "heals-damage",
    "pa": "parley",
    "se": "seal",
    "fa": "names-firearm",
}
_LARGEST_DECK = 999
_OTHER = re.compile(r"\bother\b")
_LISTS = {"faction": "class", "trait": "trait", "type": "type", "uses": "uses", "slot": "slot"}


def deck_of(raw: Record) -> Record:
    """Deck size, options, signature slots and random basic weaknesses of an investigator (the card's back)."""
    return {**requirements(raw["deck_requirements"]), "options": options(raw.get("deck_options") or [], has_other(raw))}


def has_other(raw: Record) -> bool:
    """Whether the printed options have the word "other": a limited option then takes only what fits nowhere else."""
    _, _, rest = (raw.get("back_text") or "").partition("Deckbuilding Options")
    return bool(_OTHER.search(rest.partition("Deckbuilding Requirements")[0]))


def side_deck_of(raw: Record) -> Record:
    """Size (its required cards not counted), options and required cards of an extra deck."""
    return {**requirements(raw["side_deck_requirements"]), "options": options(raw["side_deck_options"], False)}


def requirements(text: str | Record) -> Record:
    """`"size:30, card:01006:90030, random:subtype:basicweakness"`, or the object of a taboo list, as our fields.

    `cards` lists, for each required slot, the card and those that may stand in its place.
    """
    found: Record = {"size": 0, "cards": [], "random_weaknesses": 0}
    if isinstance(text, str):
        for part in text.split(","):
            kind, *values = part.strip().split(":")
            if kind == "size":
                found["size"] = _deck_size(values[0])
            elif kind == "card":
                found["cards"].append(values)
            elif kind == "random":
                found["random_weaknesses"] += 1
    else:
        found["size"] = _deck_size(text.get("size") or 0)
        found["cards"] = [list(slot) for slot in (text.get("card") or {}).values()]
        found["random_weaknesses"] = len(text.get("random") or [])
    return found


def _deck_size(given: str | int) -> int:
    """A number of cards. Raises ValueError for what no deck has."""
    size = int(given) if len(str(given)) <= 4 else _LARGEST_DECK + 1
    if not 0 <= size <= _LARGEST_DECK:
        raise ValueError(f"a deck has up to {_LARGEST_DECK} cards, not {str(given)[:40]}")
    return size


def options(theirs: list[Record], other: bool) -> list[Record]:
    """Options in their order. `other`: whether the printed text of the limited option has that word (ruling 1.15)."""
    ours: list[Record] = []
    for option in theirs:
        row: dict[str, Any] = {}
        if option.get("not"):
            row["not"] = True
        for name, our_name in _LISTS.items():
            if option.get(name):
                row[our_name] = option[name]
        if tags := option.get("tag"):
            known = [TAGS[tag] for tag in tags if tag in TAGS]
            if not known:
                continue  # a tag that no card has: the same cards are named by another option
            row["tag"] = known
        for name in ("level", "base_level"):
            if name in option:
                row[name] = [option[name]["min"], option[name]["max"]]
        if "permanent" in option:
            row["permanent"] = option["permanent"]
        if "limit" in option:
            row["limit"] = option["limit"]
            row["other"] = other
        if option.get("atleast"):
            names = {"min": "min", "factions": "classes"}
            row["at_least"] = {names[name]: number for name, number in option["atleast"].items() if name in names}
        if option.get("ignore_match"):
            row["only_counts"] = True
        row |= _choices(option)
        if row:
            ours.append(row)
    return ours


def _choices(option: Record) -> Record:
    """What a player chooses at deck creation: a class, a deck size, or one of several options."""
    row: Record = {}
    if "faction_select" in option:
        row["choose_class"] = option["faction_select"]
        row["choice"] = option.get("id", "faction_selected")
    if "deck_size_select" in option:
        row["choose_size"] = [_deck_size(size) for size in option["deck_size_select"]]
        row["choice"] = "deck_size_selected"
    if "option_select" in option:
        row["choose_option"] = [
            {**{name: choice[name] for name in ("id", "size") if name in choice}, **_only(options([choice], False))}
            for choice in option["option_select"]
        ]
        row["choice"] = "option_selected"
    return row


def _only(rows: list[Record]) -> Record:
    """The one option that a choice stands for. Raises ValueError where it names no cards at all."""
    if not rows:
        raise ValueError("one of its option_select says nothing of which cards it allows")
    return rows[0]
