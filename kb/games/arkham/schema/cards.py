"""The records of cards, their keywords, taboo lists and products in `cards/arkham/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import (
    HIGHEST_LEVEL,
    NO_NAMES,
    Build,
    CardClass,
    CardType,
    Names,
    PlayableClass,
    Special,
    Tag,
)
from kb.records import NOTHING, Record, Texts, key, record

WEAKNESS, BASIC_WEAKNESS = "weakness", "basic weakness"
Skill = Literal["willpower", "intellect", "combat", "agility", "wild"]
SKILLS: tuple[Skill, ...] = ("willpower", "intellect", "combat", "agility", "wild")


@record
class UpgradeBox(Record):
    """One upgrade of a customizable card."""

    cost: int = key(name="boxes", ge=0)
    """Its boxes."""
    chooses: Literal["", "trait", "skill", "card", "slot"] = key(name="choose", default="")
    """What is chosen when it is marked."""
    count: int = 1
    """How many of these are chosen."""
    among: Mapping[str, tuple[str, ...]] = NOTHING
    """What may be chosen from."""
    traits: Names = key(default=NO_NAMES, small=True)
    """The traits that the card has then."""
    slots: tuple[str, ...] = key(default=(), small=True)
    """The slots that it takes then."""
    tags: frozenset[Tag] = frozenset()
    """What its text does besides."""
    card_cost: int = key(name="cost", default=0)
    """What is added to the card's cost."""
    health: int = 0
    """What is added to its health."""
    sanity: int = 0
    """What is added to its sanity."""
    limit: int = 0
    """Its limit of copies then."""
    level_boxes: int = -1
    """How many boxes are printed; left out: as many as `boxes`."""

    def __post_init__(self) -> None:
        if self.level_boxes < 0:
            object.__setattr__(self, "level_boxes", self.cost)


@record
class Bonded(Record):
    """The card that brings a bonded card into the game."""

    to: str
    """Name of the card."""
    count: int = key(ge=1)
    """How many copies are set aside."""


@record
class Restrictions(Record):
    """Only decks of these investigators, or of investigators with one of these traits or classes."""

    investigators: tuple[str, ...] = ()
    """Codes of the investigators."""
    traits: tuple[str, ...] = key(default=(), small=True)
    """Traits, in small letters."""
    classes: tuple[PlayableClass, ...] = ()
    """Classes."""


NO_RESTRICTIONS = Restrictions()


@record
class CardRecord(Record):
    """A player card, investigator, weakness or story card."""

    code: str
    """The number of the card; unique."""
    name: str
    """Its title."""
    type: CardType
    """Its type."""
    subtitle: str = ""
    """The subtitle."""
    classes: tuple[CardClass, ...] = key(name="class")
    """One class or more."""
    subtype: Literal["", "weakness", "basic weakness"] = ""
    """Whether it is a weakness."""
    level: int | None = key(default=None, ge=0, le=HIGHEST_LEVEL)
    """Its level; absent for cards without one."""
    cost: int | Literal["X", ""] | None = ""
    """Resources to play it; `null`: a dash; absent: no cost is printed."""
    skills: Mapping[Skill, int] = NOTHING
    """Skill icons by skill, or an investigator's skills."""
    printed_traits: tuple[str, ...] = key(name="traits", default=())
    """Its traits as they are printed."""
    printed_slots: tuple[str, ...] = key(name="slots", default=())
    """The slots that it takes; a two-handed card has `Hand` twice."""
    health: int | None = None
    """Its health."""
    sanity: int | None = None
    """Its sanity."""
    fight: int | None = None
    """An enemy's fight value."""
    evade: int | None = None
    """An enemy's evade value."""
    damage: int | None = None
    """Damage that an enemy deals."""
    horror: int | None = None
    """Horror that an enemy deals."""
    victory: int | None = None
    """Victory points."""
    vengeance: int | None = None
    """Vengeance points."""
    limit: int | None = key(default=None, ge=0)
    """Copies by title that a deck may hold."""
    quantity: int = key(ge=0)
    """Copies in the product."""
    keywords: Names = NO_NAMES
    """Its keywords (`schema/keywords.py`)."""
    hidden: bool = False
    """It is the other side of a card, or stands for cards that are drawn."""
    double_sided: bool = False
    """It has a back of its own."""
    bonded: Bonded | None = None
    """To which card it is bonded, and how many are set aside."""
    uses: str = ""
    """The kind of its uses (charges, ammo …)."""
    tags: frozenset[Tag] = frozenset()
    """What its text does, as far as options ask for it."""
    set: Literal["", "advanced", "replacement"] = ""
    """The set of a signature card."""
    restrictions: Restrictions = NO_RESTRICTIONS
    """Only for these investigators, traits or classes; any of them is enough."""
    sheet: tuple[UpgradeBox, ...] = ()
    """The upgrades of a customizable card."""
    build: Build | None = key(name="deck", default=None)
    """What the investigator's deck must be."""
    extra_build: Build | None = key(name="side_deck", default=None)
    """A deck beside the investigator's deck."""
    duplicate_of: str = ""
    """The first printing; the record is complete all the same."""
    modified: bool = False
    """A reprint that works otherwise than the first printing (special.yaml)."""
    alternate_of: str = ""
    """The original of a parallel or promotional investigator."""
    back: str = ""
    """Code of what is on its other side."""
    encounter: str = ""
    """The encounter set of a story card."""
    pack: str
    """The product."""
    position: int
    """Its number in the product."""
    errata_date: str = ""
    """The day from which its text is another than the printed one."""
    special: Special | None = None
    """What special.yaml says of it; not written here."""

    def __post_init__(self) -> None:
        if unknown := self.keywords.difference(word.name for word in KEYWORDS):
            raise ValueError(
                f"{', '.join(sorted(unknown))} is not a keyword; use one of {', '.join(word.name for word in KEYWORDS)}"
            )

    @property
    def bonded_to(self) -> str:
        """Name of the card that brings it into the game; empty when it is not bonded."""
        return self.bonded.to if self.bonded else ""

    @property
    def weakness(self) -> bool:
        """Whether it is a weakness, basic or not."""
        return bool(self.subtype)

    @property
    def story(self) -> bool:
        """Whether it belongs to a scenario or campaign."""
        return bool(self.encounter)


@record
class EncounterRecord(Record):
    """A scenario card: known by name only, so that a text that names it finds it."""

    code: str
    """The number of the card; unique."""
    name: str
    """Its title."""
    type: str
    """Its type."""
    pack: str
    """The product."""
    set: str = ""
    """The encounter set."""


@record
class TabooRow(Record):
    """What a taboo list changes about one card."""

    list: int = key(ge=0)
    """Number of the list."""
    code: str
    """The card."""
    experience: int = 0
    """Experience that it costs more; below 0: less."""
    exceptional: bool | None = None
    """It becomes exceptional, or is so no longer."""
    forbidden: bool = False
    """It is forbidden."""
    limit: int | None = key(default=None, ge=0)
    """Copies by title that a deck may hold."""
    build: Build | None = key(name="deck", default=None)
    """The changed deckbuilding of an investigator."""
    sheet: tuple[UpgradeBox, ...] = ()
    """The changed upgrade sheet."""
    campaign_only: bool = False
    """It becomes one for campaigns only."""
    text_changed: bool = False
    """The change is one of text."""


@record
class TabooList(Record):
    """A taboo list."""

    list: int = key(ge=0)
    """Its number, as deck files name it."""
    start: str
    """The day from which it holds."""


@record
class Reprints(Record):
    """What a newer product holds again."""

    packs: tuple[str, ...]
    """The older products."""
    cards: Literal["player", "campaign"]
    """Whether it holds their player cards or those of their campaign."""


@record
class Pack(Record):
    """A product."""

    code: str
    """Its short name."""
    name: str
    """Its name."""
    cycle: str
    """The cycle it belongs to."""
    released: str = ""
    """The day of its release."""
    position: int
    """Its place in the cycle."""
    chapter: int | None = None
    """The chapter of the game, where it is not the first."""
    replaced: bool = False
    """A newer product has taken its place."""
    holds_again: Reprints | None = key(name="reprints", default=None)
    """Products whose cards it holds again."""
    returns_to: str = ""
    """The cycle that a Return To box is for."""

    @property
    def reprints(self) -> tuple[str, ...]:
        """The products whose player cards it holds again."""
        return self.holds_again.packs if self.holds_again and self.holds_again.cards == "player" else ()


@record
class Cycle(Record):
    """A group of products."""

    code: str
    """Its short name."""
    name: str
    """Its name."""
    position: int
    """Its place among the groups."""
    expansion: bool = False
    """Its player cards make up one investigator expansion."""


@record
class TextRecord(Texts):
    """What is printed on a card: only ever in the user's own data."""

    code: str
    """The card."""
    text: str = ""
    """Its text."""
    back_name: str = ""
    """The title of its back."""
    back_text: str = ""
    """The text of its back."""
    flavor: str = ""
    """Its flavour."""
    back_flavor: str = ""
    """The flavour of its back."""
    customization_text: str = ""
    """The text of its upgrade sheet."""


@record
class NameRecord(Texts):
    """A card's name in another language: only ever in the user's own data."""

    code: str
    """The card."""
    language: str
    """The language (`de`)."""
    name: str
    """Its title."""
    subtitle: str = ""
    """The subtitle."""
    traits: tuple[str, ...] = ()
    """Its traits."""
