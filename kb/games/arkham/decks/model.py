"""What a deck of Arkham Horror: The Card Game is made of: cards, taboo lists, products and the deck itself.

Nothing of it is changed once it is made, and nothing knows a text. Classes, traits, types and slots are written small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from kb.games.arkham.schema.cards import CardRecord
from kb.games.arkham.schema.options import NO_NAMES, Names
from kb.games.arkham.schema.special import NOT_SPECIAL, Special
from kb.records import NOTHING

MOST_BOXES = 10
MOST_CARDS = 5_000
"""More cards are no pile of a deck."""
_RECORDED = tuple(each.name for each in fields(CardRecord))
_recorded = attrgetter(*_RECORDED)


@dataclass(frozen=True, slots=True, kw_only=True)
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
        said = f"{self.name}{subtitle}{f' ({self.level})' if self.level else ''} [{self.code}]"
        object.__setattr__(self, "label", said)  # once: findings name the same cards again and again

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
    def cost_of_a_copy(self) -> int:
        """Experience of one copy of the card as it is (taboo list and level in it); 0 for a card without a level.

        An exceptional card costs twice its level; what a taboo list adds or takes off is not doubled. The experience of
        a customizable card lies in its sheet, which all its copies share: see `deck_experience`.
        """
        if self.level is None:
            return 0
        level = 0 if self.sheet else self.level
        return max(0, level * (2 if self.exceptional else 1) + self.surcharge)


@dataclass(frozen=True, slots=True)
class Mark:
    """Marked boxes of one upgrade: its place on the sheet, the experience spent, what was chosen."""

    index: int
    spent: int
    chosen: str = ""


Customization = tuple[Mark, ...]


# Nobody changes a deck; frozen, its two dozen fields would take as long to fill as its JSON takes to read.
@dataclass(slots=True)
class Deck:
    """A deck as some file has it, nothing judged.

    Cards are counted by code as the file writes it: `cards` the deck, `side_deck` cards kept beside it, `extra` a deck
    of its own (spirit deck), `ignored` copies that count neither for size nor limits. `front` and `back` are codes, empty when
    they are the investigator's own. `taboo` is the number of the list, 0 for none; `rules` the edition that judges, once that is settled (see
    kb.games.arkham.decks.editions). `experience` is what the file says
    is available, None when it says nothing. `pool` names packs (or `cycle:code`) to which the deck is confined, `sealed`
    the copies of a sealed pool. `oddities` are sentences about what the reader could not make sense of.
    """

    investigator: str
    cards: Mapping[str, int]
    name: str = ""
    front: str = ""
    back: str = ""
    side_deck: Mapping[str, int] = NOTHING
    extra: Mapping[str, int] = NOTHING
    ignored: Mapping[str, int] = NOTHING
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
    sealed: Mapping[str, int] = NOTHING
    oddities: tuple[str, ...] = ()
    rest: Mapping[str, Any] = field(default=NOTHING, compare=False)
