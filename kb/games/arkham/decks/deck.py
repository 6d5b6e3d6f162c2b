"""A deck as read from a file, before any check, and the keys of deck files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb.frozen import frozen
from kb.games.arkham.decks.card import Customization
from kb.records import NOTHING

MOST_CARDS = 5_000
"""The most cards that any list in a deck may contain."""


@frozen
class Brought:
    """A fan-made card that is part of a deck file, as a row of the user's own cards and as a record. Both are empty if
    its facts are not valid for a card.
    """

    code: str
    name: str
    row: Mapping[str, Any]
    record: Mapping[str, Any]


Pile = Mapping[str, int]
"""Copies by the code of a card."""


# Decks are never changed. They are not frozen because filling two dozen frozen fields takes as long as reading the JSON.
@dataclass(slots=True)
class ArkhamDeck:
    """A deck as read from a file, before any check.

    Cards are counted by the code used in the file: `cards` is the deck, `side_deck` the cards kept next to it, `extra`
    a separate deck (spirit deck), and `ignored` copies that count neither for size nor for limits. `front` and `back`
    are codes, empty for the investigator's own. `taboo` is the number of the list, 0 for none. `rules` is the edition
    to check it by, once known (see kb.games.arkham.decks.agreement). `experience` is the amount available, None if the
    file has none. `pool` names packs (or `cycle:code`) that the deck is limited to, `sealed` the copies of a sealed
    pool. `oddities` are sentences about values that the reader could not use.
    """

    investigator: str
    cards: Pile
    name: str = ""
    front: str = ""
    back: str = ""
    side_deck: Pile = NOTHING
    extra: Pile = NOTHING
    ignored: Pile = NOTHING
    choices: Mapping[str, str] = NOTHING
    customizations: Mapping[str, Customization] = NOTHING
    attachments: Mapping[str, tuple[str, ...]] = NOTHING
    transformed: str = ""
    taboo: int = 0
    rules: str = field(default="", compare=False)
    experience: int | None = None
    adjustment: int = 0
    exiled: tuple[str, ...] = ()
    previous: str = ""
    id: str = ""
    pool: tuple[str, ...] = ()
    sealed: Pile = NOTHING
    oddities: tuple[str, ...] = ()
    brought: tuple[Brought, ...] = field(default=(), compare=False)
    rest: Mapping[str, Any] = field(default=NOTHING, compare=False)


class DeckKey(NamedTuple):
    """The place of a field of `Deck` in files: its key in our YAML and in the JSON of ArkhamDB (`meta.` for keys
    within `meta`).

    kind: `code` of a card, `text`, `number`, `pile` (copies by code), `codes` (one for each copy), `packs`, or the
    field's own name.
    """

    field: str
    kind: str
    yaml: str
    json: str
    called: str


KEYS = (
    DeckKey("name", "text", "name", "name", "the name"),
    DeckKey("id", "text", "id", "id", "the deck's id"),
    DeckKey("previous", "text", "previous", "previous_deck", "the previous deck"),
    DeckKey("investigator", "code", "investigator", "investigator_code", "the investigator"),
    DeckKey("front", "code", "front", "meta.alternate_front", "the front in use"),
    DeckKey("back", "code", "back", "meta.alternate_back", "the back in use"),
    DeckKey("transformed", "code", "transformed", "meta.transform_into", "the transformed investigator"),
    DeckKey("taboo", "number", "taboo", "taboo_id", "the taboo list"),
    DeckKey("experience", "number", "experience", "xp", "experience"),
    DeckKey("adjustment", "number", "adjustment", "xp_adjustment", "the experience adjustment"),
    DeckKey("choices", "choices", "choices", "meta", "selections"),
    DeckKey("cards", "pile", "cards", "slots", "cards"),
    DeckKey("ignored", "pile", "uncounted", "ignoreDeckLimitSlots", "copies that do not count"),
    DeckKey("side_deck", "pile", "side_deck", "sideSlots", "the side deck"),
    DeckKey("extra", "pile", "spirit_deck", "meta.extra_deck", "the extra deck"),
    DeckKey("exiled", "codes", "exiled", "exile_string", "exiled cards"),
    DeckKey("sealed", "pile", "sealed", "meta.sealed_deck", "the sealed pool"),
    DeckKey("customizations", "customizations", "upgrades", "meta", "upgrade sheets"),
    DeckKey("attachments", "attachments", "attached", "meta", "cards set aside"),
    DeckKey("pool", "packs", "pool", "meta.card_pool", "the card pool"),
)
"""The keys in the order in which they are written."""

CARRIED = ("rules", "xp_spent", "next_deck", "version", "date_creation", "date_update", "tags", "description_md")
"""Keys of other programs, kept unchanged for them and for the record of experience."""


def each_copy(counts: Pile) -> tuple[str, ...]:
    """Return the code of each copy."""
    return tuple(code for code, copies in counts.items() for _ in range(copies))
