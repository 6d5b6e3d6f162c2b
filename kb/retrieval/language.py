"""The words of the card query language: words for every card, and words that each game adds for its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.frozen import NOTHING, frozen
from kb.registry import About, games, module

# Fields for every card. Each uses the first of its keys that the record has.
FIELDS: dict[str, tuple[str, ...]] = {
    "name": ("name",),
    "type": ("type",),
    "subtype": ("subtype",),
    "trait": ("traits",),
    "set": ("set", "pack"),
    "pack": ("pack", "set"),
    "game": ("game",),
    "id": ("id",),
    "text": ("text",),
}
NUMBERS: dict[str, tuple[str, ...]] = {"owned": ("owned",)}
# The card has an entry in the errata or in the list of taboos.
FLAGS = ("errata", "taboo")
SHORT = {"n": "name", "t": "type", "tr": "trait", "traits": "trait", "s": "set"}


@frozen
class Language:
    """The words of the card query language.

    `fields` maps all fields, including numbers and checks, to keys of a record. `short` maps short names to full ones.
    Some fields are also terms that describe a character. `closed` has all values of such a field: `taboo:up` is a value
    of the field, and `taboo:8` describes the character.
    """

    fields: Mapping[str, tuple[str, ...]]
    numbers: frozenset[str]
    checks: frozenset[str]
    flags: tuple[str, ...]
    short: Mapping[str, str]
    closed: Mapping[str, frozenset[str]] = NOTHING

    def full(self, name: str) -> str:
        """Return the full name of a field. `name` may be a short name."""
        return self.short.get(name, name)


def flags_of(about: About) -> tuple[str, ...]:
    """Return the flags for a game's cards: first its keywords, then its other flags."""
    place, _, table = about.query.keywords.partition(":")
    keywords = getattr(module(about, place), table) if place else ()
    return (*(word.name for word in keywords), *about.query.flags)


def has(card: Mapping[str, Any], flag: str) -> bool:
    """Return True if a card has a flag: as a key with a true value, or among its keywords."""
    return bool(card.get(flag)) or flag in card.get("keywords", ())


def language() -> Language:
    """Return the words for every card combined with those that games add (`query` in `game.yaml`).

    If several games have a field with the same name, the field uses the keys of all of them.
    """
    fields = {name: list(keys) for name, keys in {**FIELDS, **NUMBERS}.items()}
    numbers, flags, short = set(NUMBERS), dict.fromkeys(FLAGS), dict(SHORT)
    checks: set[str] = set()
    closed: dict[str, frozenset[str]] = {}
    for about in games().values():
        checks.update(about.query.checks)
        for name, keys in {**about.query.fields, **about.query.numbers, **about.query.checks}.items():
            fields[name] = list(dict.fromkeys([*fields.get(name, ()), *keys]))
        numbers.update(about.query.numbers)
        flags.update(dict.fromkeys(flags_of(about)))
        short.update(about.query.short)
        closed.update({name: frozenset(values) for name, values in about.query.closed.items()})
    named = {name: tuple(keys) for name, keys in fields.items()}
    return Language(named, frozenset(numbers), frozenset(checks), tuple(flags), short, closed)
