"""The words of the card query language: what every card may have, and what games say of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.frozen import frozen
from kb.records import NOTHING
from kb.registry import About, games, module

# What every card may have: a field of the language, and the keys of a record that it looks at (the first that is there).
FIELDS: dict[str, tuple[str, ...]] = {
    "name": ("name",), "type": ("type",), "subtype": ("subtype",), "trait": ("traits",), "set": ("set", "pack"), "pack": ("pack", "set"),
    "game": ("game",), "id": ("id",), "text": ("text",),
}  # fmt: skip
NUMBERS: dict[str, tuple[str, ...]] = {"owned": ("owned",)}
# Whether the errata or the list of taboos have an entry on the card.
FLAGS = ("errata", "taboo")
SHORT = {"n": "name", "t": "type", "tr": "trait", "traits": "trait", "s": "set"}


@frozen
class Language:
    """What a query may ask: `fields` (numbers and checks among them) by the keys of a record, flags, and short names; `closed` are all values
    of a field that means something else with any other value."""

    fields: Mapping[str, tuple[str, ...]]
    numbers: frozenset[str]
    checks: frozenset[str]
    flags: tuple[str, ...]
    short: Mapping[str, str]
    closed: Mapping[str, frozenset[str]] = NOTHING

    def full(self, name: str) -> str:
        """The full name of a field for a short name of it."""
        return self.short.get(name, name)


def flags_of(about: About) -> tuple[str, ...]:
    """The flags of a game's cards, its keywords first."""
    place, _, table = about.query.keywords.partition(":")
    keywords = getattr(module(about, place), table) if place else ()
    return (*(word.name for word in keywords), *about.query.flags)


def has(card: Mapping[str, Any], flag: str) -> bool:
    """Whether a card has a flag: as a key of its own or among its keywords."""
    return bool(card.get(flag)) or flag in card.get("keywords", ())


def language() -> Language:
    """What every card may have, and what the games say of theirs (`query` in `game.yaml`); fields of one name look at all their keys."""
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
