"""What a deck of Arkham Horror: The Card Game is made of: cards, taboo lists, products and the deck itself.

Nothing of it is changed once it is made, and nothing knows a text. Classes, traits, types and slots are written small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, NamedTuple

from kb.frozen import frozen
from kb.games.arkham.schema.cards import Box, CardRecord, TabooRow
from kb.games.arkham.schema.options import HIGHEST_LEVEL, NO_NAMES, NOT_SPECIAL, Names, Special
from kb.records import NOTHING, record

MOST_BOXES = 10
MOST_CARDS = 5_000
"""More cards are no pile of a deck."""
_RECORDED = tuple(each.name for each in fields(CardRecord))
_recorded = attrgetter(*_RECORDED)


@record
class Card(CardRecord):
    """A card in decks: what its record says, with the taboo list in force and the upgrades of its sheet in it.

    root: code of the first printing. title, traits, slots: in small letters, as they are compared. surcharge: experience
    that a taboo adds to each copy (or takes off it). spent: experience put into its upgrade sheet. label: name, subtitle and
    level for people, with the code: `Shrivelling (3) [02154]`.
    """

    root: str
    title: str
    traits: Names = NO_NAMES
    slots: tuple[str, ...] = ()
    special: Special = NOT_SPECIAL
    surcharge: int = 0
    forbidden: bool = False
    spent: int = 0
    label: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        subtitle = f": {self.subtitle}" if self.subtitle and self.type != "investigator" else ""
        label = f"{self.name}{subtitle}{f' ({self.level})' if self.level else ''} [{self.code}]"
        object.__setattr__(self, "label", label)  # once: findings name the same cards again and again

    @classmethod
    def of(cls, record: CardRecord, first: CardRecord) -> Card:
        """The card of a record; `first` is its first printing, whose special row and limit a reprint shares."""
        known = dict(zip(_RECORDED, _recorded(record), strict=True))
        known["special"] = record.special or first.special or NOT_SPECIAL
        known["limit"] = first.limit if first.special else record.limit
        return cls(
            **known,
            root=first.code,
            title=record.name.casefold(),
            traits=frozenset(trait.casefold() for trait in record.printed_traits),
            slots=tuple(slot.casefold() for slot in record.printed_slots),
        )

    @property
    def only_investigators(self) -> Names:
        """Codes of the investigators whose decks alone may hold it."""
        return frozenset(self.restrictions.investigators)

    @property
    def only_traits(self) -> Names:
        """Traits of the investigators whose decks alone may hold it."""
        return frozenset(self.restrictions.traits)

    @property
    def only_classes(self) -> Names:
        """Classes of the investigators whose decks alone may hold it."""
        return frozenset(self.restrictions.classes)

    @property
    def section(self) -> str:
        """The part of a list in which it stands: its type, or `weakness`."""
        return "weakness" if self.weakness else self.type

    @property
    def cost_of_a_copy(self) -> int:
        """Experience of one copy of the card as it is (taboo list and level in it); 0 for a card without a level.

        An exceptional card costs twice its level; what a taboo list adds or takes off is not doubled. The experience of
        a customizable card lies in its sheet, which all its copies share: see `deck_experience`.
        """
        if self.level is None:
            return 0
        level = 0 if self.sheet else self.level
        return max(0, level * (2 if "exceptional" in self.keywords else 1) + self.surcharge)


@frozen
class Mark:
    """Marked boxes of one upgrade: its place on the sheet, the experience spent, what was chosen."""

    index: int
    spent: int
    chosen: str = ""


Customization = tuple[Mark, ...]


def with_taboo(card: Card, row: TabooRow | None) -> Card:
    """The card as a taboo list has it."""
    if row is None:
        return card
    gained = {name for name in ("exceptional", "campaign_only") if getattr(row, name)}
    lost = {"exceptional"} if row.exceptional is False else set()
    return replace(
        card,
        surcharge=row.experience,
        keywords=(card.keywords | gained) - lost,
        forbidden=row.forbidden,
        limit=1 if row.exceptional else card.limit if row.limit is None else row.limit,
        build=row.build or card.build,
        sheet=row.sheet or card.sheet,
    )


def printed_levels(sheet: tuple[Box, ...], printed: tuple[Box, ...]) -> tuple[Box, ...]:
    """A taboo list's upgrade sheet: it changes what boxes cost, never the level that they give."""
    levels = [box.level_boxes for box in printed]
    return tuple(
        replace(box, level_boxes=levels[index]) if index < len(levels) else box for index, box in enumerate(sheet)
    )


def customized(card: Card, marks: Customization) -> Card:
    """The card with its upgrades: level (half the marked boxes, rounded up), traits, slots, limit, experience spent.

    Only an upgrade whose boxes are all marked counts. Marks that the sheet has no place for are left out; a check reports
    them. Source: Rules Reference, "Customizable".
    """
    boxes = spent = 0
    traits, slots, tags, limit = card.traits, card.slots, card.tags, card.limit
    for mark in marks:
        if not 0 <= mark.index < len(card.sheet) or mark.spent < 0:
            continue
        box = card.sheet[mark.index]
        paid = min(mark.spent, box.cost)
        spent += paid
        boxes += min(paid, box.level_boxes)
        if paid < box.cost:
            continue
        traits = box.traits or traits
        slots = box.slots or slots
        tags = tags | box.tags
        limit = box.limit or limit
        if box.chooses == "slot":
            slots = _without(slots, mark.chosen)
    level = min((boxes + 1) // 2, HIGHEST_LEVEL)
    return replace(card, level=level, spent=spent, traits=traits, slots=slots, tags=tags, limit=limit)


def _without(slots: tuple[str, ...], chosen: str) -> tuple[str, ...]:
    """The slots without the chosen one, which deck files name by its place or its name."""
    if chosen.isdecimal() and int(chosen) < len(slots):
        chosen = slots[int(chosen)]
    left = list(slots)
    if chosen.casefold() in left:
        left.remove(chosen.casefold())
    return tuple(left)


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
class Deck:
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
    DeckKey("attachments", "attachments", "attached", "meta", "cards set beside the deck"),
    DeckKey("pool", "packs", "pool", "meta.card_pool", "the card pool"),
)
"""In the order in which they are written."""
CARRIED = ("rules", "xp_spent", "next_deck", "version", "date_creation", "date_update", "tags", "description_md")
"""What other programs note of a deck; kept as it is, for them and for the account of experience."""


def each_copy(counts: Pile) -> tuple[str, ...]:
    """The code of each copy."""
    return tuple(code for code, copies in counts.items() for _ in range(copies))
