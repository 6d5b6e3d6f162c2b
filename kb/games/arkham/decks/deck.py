"""A deck as read from a file, before any check, and the keys that deck files use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb.frozen import frozen
from kb.games.arkham.decks.card import Customization
from kb.records import NOTHING

MOST_CARDS = 5_000
"""The most cards that one section of a deck may contain."""


@frozen
class Brought:
    """A fan-made card that a deck file contains.

    `row` is the card as a row of the user's own cards, and `record` is its card record. Both are empty if the facts are
    not valid for a card.
    """

    code: str
    name: str
    row: Mapping[str, Any]
    record: Mapping[str, Any]


Pile = Mapping[str, int]
"""Numbers of copies by card code."""


# Decks are never changed. They are not frozen because filling two dozen frozen fields takes as long as reading the JSON.
@dataclass(slots=True)
class ArkhamDeck:
    """A deck as read from a file, before any check. Cards are counted by the code that the file uses.

    - `investigator`: code of the investigator.
    - `cards`: the deck itself. `side_deck`: cards kept for later. `extra`: a separate deck (spirit deck).
    - `ignored`: copies that count toward neither the deck size nor the limits.
    - `front`, `back`: codes of the versions whose sides are in use; empty for the investigator's own sides.
    - `choices`: choices made when the deck was built. `customizations`: marked upgrades by card.
    - `attachments`: cards set aside, by the card that sets them aside.
    - `transformed`: code of the investigator into which this one was transformed.
    - `taboo`: number of the taboo list, 0 for none. `rules`: id of the edition to check the deck by.
    - `experience`: the amount available, None if the file has none. `adjustment`: an amount added to it.
    - `exiled`: codes of the copies exiled before this deck. `previous`, `id`: ids of the previous deck and of this
      deck.
    - `pool`: packs (or `cycle:code`) that the deck is limited to. `sealed`: the copies of a sealed pool.
    - `oddities`: sentences about values that the reader could not use. `guessed`: signature cards named without their
      subtitles, with the labels of the cards that may have been meant instead.
    - `brought`: fan-made cards in the file. `rest`: all other keys of the file.
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
    guessed: Mapping[str, tuple[str, ...]] = field(default=NOTHING, compare=False)
    brought: tuple[Brought, ...] = field(default=(), compare=False)
    rest: Mapping[str, Any] = field(default=NOTHING, compare=False)


class DeckKey(NamedTuple):
    """A field of `ArkhamDeck`, and the keys that store it in deck files.

    - `field`: the name of the field.
    - `kind`: `code` of a card, `text`, `number`, `pile` (copies by code), `codes` (one for each copy), `packs`, or the
      name of a field with its own form.
    - `yaml`: the key in kb's YAML.
    - `json`: the key in ArkhamDB's JSON; `meta.KEY` for a key inside `meta`.
    - `called`: the words for the field in messages.
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
"""The fields of a deck, in the order that kb writes them."""

CARRIED = ("rules", "xp_spent", "next_deck", "version", "date_creation", "date_update", "tags", "description_md")
"""Keys from other programs that kb keeps unchanged, for these programs and for the record of experience."""


def each_copy(counts: Pile) -> tuple[str, ...]:
    """Return the codes in `counts`, each repeated for every copy."""
    return tuple(code for code, copies in counts.items() for _ in range(copies))
