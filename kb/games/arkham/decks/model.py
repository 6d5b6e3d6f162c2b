"""What a deck of Arkham Horror: The Card Game is made of: cards, taboo lists, products and the deck itself.

Everything is frozen and knows no text. Classes, traits, types and slots are written small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.games.arkham.decks.options import NO_NAMES, NOT_SPECIAL, NOTHING, Build, Names, Special

WEAKNESS, BASIC_WEAKNESS = "weakness", "basic weakness"
MOST_BOXES = 10


@dataclass(frozen=True, slots=True)
class Box:
    """One upgrade of a customizable card. `level_boxes` are the printed boxes, `cost` what marking all of them costs."""

    cost: int
    level_boxes: int
    chooses: str = ""
    traits: Names = NO_NAMES
    slots: tuple[str, ...] = ()
    tags: Names = NO_NAMES
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A card's facts, with the taboo list in force and the upgrades of its sheet already in it.

    root: code of the first printing. level: None for cards without one. limit: copies by title (None where the data
    has none). back: code of what is on its other side. surcharge: experience that a taboo adds to each copy (or takes
    off it). spent: experience put into its upgrade sheet.
    """

    code: str
    root: str
    name: str
    title: str
    subtitle: str
    type: str
    subtype: str
    classes: Names
    level: int | None
    traits: Names
    slots: tuple[str, ...]
    uses: str
    tags: Names
    limit: int | None
    quantity: int
    pack: str
    permanent: bool = False
    exceptional: bool = False
    myriad: bool = False
    exile: bool = False
    unique: bool = False
    hidden: bool = False
    researched: bool = False
    campaign_only: bool = False
    bonded_to: str = ""
    story: bool = False
    only_investigators: Names = NO_NAMES
    only_traits: Names = NO_NAMES
    only_classes: Names = NO_NAMES
    set: str = ""
    sheet: tuple[Box, ...] = ()
    build: Build | None = None
    side_build: Build | None = None
    alternate_of: str = ""
    back: str = ""
    special: Special = NOT_SPECIAL
    surcharge: int = 0
    forbidden: bool = False
    spent: int = 0

    @property
    def weakness(self) -> bool:
        """Whether it is a weakness, basic or not."""
        return bool(self.subtype)

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

    @property
    def label(self) -> str:
        """Name, subtitle and level for people, with the code: `Shrivelling (3) [02154]`."""
        subtitle = f": {self.subtitle}" if self.subtitle and self.type != "investigator" else ""
        return f"{self.name}{subtitle}{f' ({self.level})' if self.level else ''} [{self.code}]"


@dataclass(frozen=True, slots=True)
class TabooRow:
    """What a taboo list changes about one card."""

    experience: int = 0
    exceptional: bool | None = None
    forbidden: bool = False
    limit: int | None = None
    build: Build | None = None
    sheet: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class TabooList:
    """A taboo list: its number (as deck files name it), the day from which it holds, and its rows by first printing."""

    number: int
    start: str
    rows: Mapping[str, TabooRow]


@dataclass(frozen=True, slots=True)
class Mark:
    """Marked boxes of one upgrade: its place on the sheet, the experience spent, what was chosen."""

    index: int
    spent: int
    chosen: str = ""


Customization = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """A product. `reprints` are the packs whose player cards it holds again, `returns_to` the cycle a Return To box is for."""

    code: str
    name: str
    cycle: str
    released: str = ""
    reprints: tuple[str, ...] = ()
    returns_to: str = ""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A group of products. expansion: its player cards make up one investigator expansion."""

    code: str
    name: str
    position: int
    expansion: bool = False


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck as some file has it, nothing judged.

    Cards are counted by code as the file writes it: `slots` the deck, `side` cards kept beside it, `extra` a deck of its
    own (spirit deck), `ignored` copies that count neither for size nor limits. `front` and `back` are codes, empty when
    they are the investigator's own. `taboo` is the number of the list, 0 for none. `experience` is what the file says
    is available, None when it says nothing. `pool` names packs (or `cycle:code`) to which the deck is confined, `sealed`
    the copies of a sealed pool. `oddities` are sentences about what the reader could not make sense of.
    """

    investigator: str
    slots: Mapping[str, int]
    name: str = ""
    front: str = ""
    back: str = ""
    side: Mapping[str, int] = NOTHING
    extra: Mapping[str, int] = NOTHING
    ignored: Mapping[str, int] = NOTHING
    choices: Mapping[str, str] = NOTHING
    customizations: Mapping[str, Customization] = NOTHING
    attachments: Mapping[str, tuple[str, ...]] = NOTHING
    transformed: str = ""
    taboo: int = 0
    experience: int | None = None
    adjustment: int = 0
    exiled: tuple[str, ...] = ()
    previous: str = ""
    id: str = ""
    pool: tuple[str, ...] = ()
    sealed: Mapping[str, int] = NOTHING
    oddities: tuple[str, ...] = ()
    rest: Mapping[str, Any] = field(default=NOTHING, compare=False)
