"""A deck as read from a file, before any check, and the keys that deck files use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.decks.file_keys import Key
from kb.frozen import NOTHING, frozen
from kb.games.arkham.decks.card import Customization

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

    `KEYS` describes the fields that have a key in deck files. The other fields, and further details:

    - `front`, `back`: codes of the versions whose sides are in use; empty for the investigator's own sides.
    - `taboo`: number of the taboo list, 0 for none. `rules`: id of the edition to check the deck by.
    - `experience`: the amount available, None if the file has none.
    - `exiled`: codes of the exiled copies. `pool`: packs, or `cycle:code`.
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


@frozen
class DeckKey(Key):
    """A key of kb's YAML that is a field of `ArkhamDeck`, with its key in other programs' JSON.

    `kind` is `code` of a card, `text`, `number`, `pile` (copies by code), `codes` (one for each copy), `packs`, or the
    name of a field with its own form. `json` is the key in ArkhamDB's JSON; `meta.KEY` for a key inside `meta`.
    `called` are the words for the value in messages. `of` is the name of the field, if it differs from the key.
    """

    json: str = ""
    called: str = ""
    of: str = ""

    @property
    def field(self) -> str:
        """The name of the field of `ArkhamDeck`."""
        return self.of or self.name


KEYS = (
    DeckKey("name", "Badge and gun", "the deck's name", kind="text", json="name", called="the name"),
    DeckKey("id", "one", "the id that other decks refer to", kind="text", json="id", called="the deck's id"),
    DeckKey(
        "previous",
        "one",
        "the `id` of the previous deck",
        kind="text",
        json="previous_deck",
        called="the previous deck",
    ),
    DeckKey(
        "investigator",
        "Roland Banks (core)",
        "name or code; the pack is only necessary if several investigators have the name",
        needs="The key `investigator` is missing.",
        kind="code",
        json="investigator_code",
        called="the investigator",
    ),
    DeckKey(
        "front",
        "core",
        "another version of the investigator card whose front is in use, by code, name or pack",
        kind="code",
        json="meta.alternate_front",
        called="the front in use",
    ),
    DeckKey(
        "back",
        "By the Book",
        "the same for the back of the card",
        kind="code",
        json="meta.alternate_back",
        called="the back in use",
    ),
    DeckKey(
        "transformed",
        "Body of a Yithian (tcoa)",
        "the investigator that this one became during the campaign",
        kind="code",
        json="meta.transform_into",
        called="the transformed investigator",
    ),
    DeckKey(
        "taboo",
        "8",
        "the number of the taboo list, `latest` or `none`",
        default="none",
        asks="Taboo list",
        kind="number",
        json="taboo_id",
        called="the taboo list",
    ),
    DeckKey(
        "experience",
        "5",
        "the experience available",
        asks="Total experience available",
        kind="number",
        json="xp",
        called="experience",
    ),
    DeckKey(
        "adjustment",
        "2",
        "additional experience",
        default="0",
        kind="number",
        json="xp_adjustment",
        called="the experience adjustment",
    ),
    DeckKey(
        "choices",
        "{faction_selected: mystic, deck_size_selected: 40}",
        "choices at deck creation",
        note="also `option_selected`",
        kind="choices",
        json="meta",
        called="selections",
    ),
    DeckKey(
        "cards",
        "{Machete: 2, Shrivelling (3): 1}",
        "the deck: `Name`, `Name (level)`, `Name: Subtitle` or a code, with copies",
        kind="pile",
        json="slots",
        called="cards",
    ),
    DeckKey(
        "uncounted",
        "{Shrivelling: 1}",
        "copies that count neither for the deck size nor for the limits",
        kind="pile",
        json="ignoreDeckLimitSlots",
        called="copies that do not count",
        of="ignored",
    ),
    DeckKey(
        "side_deck", "{Knife: 2}", "the cards in the side deck", kind="pile", json="sideSlots", called="the side deck"
    ),
    DeckKey(
        "spirit_deck",
        "{Beat Cop: 1}",
        "the cards in a spirit deck",
        kind="pile",
        json="meta.extra_deck",
        called="the extra deck",
        of="extra",
    ),
    DeckKey(
        "exiled",
        "[Fire Extinguisher]",
        "cards exiled since the previous deck",
        kind="codes",
        json="exile_string",
        called="exiled cards",
    ),
    DeckKey(
        "sealed",
        "{Machete: 1}",
        "the copies in a sealed pool",
        kind="pile",
        json="meta.sealed_deck",
        called="the sealed pool",
    ),
    DeckKey(
        "upgrades",
        "{Hunter's Armor: {1: 1, Hexdrinker: 3}}",
        "boxes marked on upgrade sheets, by the upgrade's number (the first line is 1, even without boxes) or name",
        note="`{2: {boxes: 1, chosen: Item}}` also says what was chosen",
        kind="customizations",
        json="meta",
        called="upgrade sheets",
        of="customizations",
    ),
    DeckKey(
        "attached",
        "{Stick to the Plan: [Ever Vigilant]}",
        "cards set aside, by the card that sets them aside",
        kind="attachments",
        json="meta",
        called="cards set aside",
        of="attachments",
    ),
    DeckKey(
        "pool",
        '[core, "cycle:dwl"]',
        "the only packs that the deck may use",
        kind="packs",
        json="meta.card_pool",
        called="the card pool",
    ),
)
"""The keys that are fields of a deck, in the order that kb writes them."""

CARRIED = (
    Key(
        "rules",
        "faq",
        "the rules edition, `grimoire` or `faq`",
        kind="text",
        default="the edition that you chose (`kb use arkham --rules`, `KB_RULES`), else the newest",
        asks="Rules",
    ),
    Key(
        "xp_spent",
        "5",
        "the experience spent; this key and the next six come from other programs, and kb keeps them unchanged",
        kind="number",
    ),
    Key("next_deck", "two", "the id of the next deck", kind="text"),
    Key("version", "1.0", "the version of the deck", kind="text"),
    Key("date_creation", "2025-01-31", "the date when the deck was made", kind="text"),
    Key("date_update", "2025-01-31", "the date when the deck was last changed", kind="text"),
    Key("tags", "solo", "words for finding the deck", kind="text"),
    Key("description_md", "A first deck.", "a description in Markdown", kind="text"),
)
"""Keys that kb keeps unchanged, for other programs and for the record of experience."""

FAN_MADE = "fan_made"
FILE_KEYS = (
    Key("game", "arkham", "the game", default="detected from the other keys"),
    *KEYS,
    *CARRIED,
    Key(
        FAN_MADE,
        "[{code: my-01, name: Sample Lantern, type: asset, class: [seeker], level: 0}]",
        "cards of your own that come with the deck, as rows of [`kb import cards`](own.md)",
    ),
)
"""The keys of a deck in kb's YAML, as the manual lists them."""
BY_NAME: Mapping[str, Key] = {each.name: each for each in FILE_KEYS}


def each_copy(counts: Pile) -> tuple[str, ...]:
    """Return the codes in `counts`, each repeated for every copy."""
    return tuple(code for code, copies in counts.items() for _ in range(copies))
