"""A deck as a file describes it, before anything is judged, and the keys of deck files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb.frozen import frozen
from kb.games.arkham.decks.card import Customization
from kb.records import NOTHING

MOST_CARDS = 5_000
"""More cards are no pile of a deck."""


@frozen
class Brought:
    """A fan-made card that a deck file brings along, as a row of one's own cards and as a record; both are empty where its facts are no
    card's."""

    code: str
    name: str
    row: Mapping[str, Any]
    record: Mapping[str, Any]


Pile = Mapping[str, int]
"""Copies by the code of a card."""


# Nobody changes a deck; frozen, its two dozen fields would take as long to fill as its JSON takes to read.
@dataclass(slots=True)
class ArkhamDeck:
    """A deck as some file has it, nothing judged.

    Cards are counted by code as the file writes it: `cards` the deck, `side_deck` cards kept beside it, `extra` a deck
    of its own (spirit deck), `ignored` copies that count neither for size nor limits. `front` and `back` are codes, empty when
    they are the investigator's own. `taboo` is the number of the list, 0 for none; `rules` the edition that judges, once that is settled (see
    kb.games.arkham.decks.frame). `experience` is what the file says
    is available, None when it says nothing. `pool` names packs (or `cycle:code`) to which the deck is confined, `sealed`
    the copies of a sealed pool. `oddities` are sentences about what the reader could not make sense of.
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
    """Where deck files keep a field of `Deck`: the key in our YAML and in the JSON of ArkhamDB (`meta.` for keys within `meta`).

    kind: `code` of a card, `text`, `number`, `pile` (copies by code), `codes` (each copy by itself), `packs`, or the field's own name.
    """

    field: str
    kind: str
    yaml: str
    json: str
    called: str


KEYS = (
    DeckKey("name", "text", "name", "name", "the name"),
    DeckKey("id", "text", "id", "id", "the deck's id"),
    DeckKey("previous", "text", "previous", "previous_deck", "the deck before"),
    DeckKey("investigator", "code", "investigator", "investigator_code", "the investigator"),
    DeckKey("front", "code", "front", "meta.alternate_front", "the front in use"),
    DeckKey("back", "code", "back", "meta.alternate_back", "the back in use"),
    DeckKey("transformed", "code", "transformed", "meta.transform_into", "the transformed investigator"),
    DeckKey("taboo", "number", "taboo", "taboo_id", "the taboo list"),
    DeckKey("experience", "number", "experience", "xp", "experience"),
    DeckKey("adjustment", "number", "adjustment", "xp_adjustment", "the adjustment of experience"),
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
"""In the order in which they are written."""

CARRIED = ("rules", "xp_spent", "next_deck", "version", "date_creation", "date_update", "tags", "description_md")
"""What other programs note of a deck; kept as it is, for them and for the account of experience."""


def each_copy(counts: Pile) -> tuple[str, ...]:
    """The code of each copy."""
    return tuple(code for code, copies in counts.items() for _ in range(copies))
