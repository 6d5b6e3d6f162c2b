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
    """The choice to make when it is marked."""
    count: int = 1
    """The number of choices."""
    among: Mapping[str, tuple[str, ...]] = NOTHING
    """The possible choices."""
    traits: Names = key(default=NO_NAMES, small=True)
    """The traits that the card then has."""
    slots: tuple[str, ...] = key(default=(), small=True)
    """The slots that it then takes."""
    tags: frozenset[Tag] = frozenset()
    """Further effects of its text."""
    card_cost: int = key(name="cost", default=0)
    """The increase of the card's cost."""
    health: int = 0
    """The increase of its health."""
    sanity: int = 0
    """The increase of its sanity."""
    limit: int = 0
    """The new limit of copies."""
    level_boxes: int = -1
    """The number of boxes printed; default: the same as `boxes`."""
    name: str = ""
    """Its name on the sheet; a choice without boxes has none."""

    def __post_init__(self) -> None:
        if self.level_boxes < 0:
            object.__setattr__(self, "level_boxes", self.cost)


@record
class Bonded(Record):
    """The card that brings a bonded card into the game."""

    to: str
    """Name of the card."""
    count: int = key(ge=1)
    """The number of copies set aside."""


@record
class Restrictions(Record):
    """Only decks of these investigators, or of investigators with one of these traits or classes."""

    investigators: tuple[str, ...] = ()
    """Codes of the investigators."""
    traits: tuple[str, ...] = key(default=(), small=True)
    """Traits, in lower case."""
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
    """The text below the title."""
    classes: tuple[CardClass, ...] = key(name="class")
    """One class or more."""
    subtype: Literal["", "weakness", "basic weakness"] = ""
    """`weakness` or `basic weakness`; empty if it is neither."""
    level: int | None = key(default=None, ge=0, le=HIGHEST_LEVEL)
    """Its level; absent for cards without one."""
    cost: int | Literal["X", ""] | None = ""
    """Resources to play it; `null`: a dash; absent: no printed cost."""
    skills: Mapping[Skill, int] = NOTHING
    """Skill icons by skill, or an investigator's skills."""
    printed_traits: tuple[str, ...] = key(name="traits", default=())
    """Its traits as printed."""
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
    """Copies by title that a deck may contain."""
    quantity: int = key(ge=0)
    """Copies in the product."""
    keywords: Names = NO_NAMES
    """Its keywords (`schema/keywords.py`)."""
    hidden: bool = False
    """It is the other side of a card, or a placeholder for cards to draw."""
    double_sided: bool = False
    """It has its own back."""
    bonded: Bonded | None = None
    """The card that it is bonded to, and the number set aside."""
    uses: str = ""
    """The kind of its uses (charges, ammo …)."""
    tags: frozenset[Tag] = frozenset()
    """Effects of its text that options ask for, as the data marks them; story cards have none."""
    set: Literal["", "advanced", "replacement"] = ""
    """The set of a signature card."""
    restrictions: Restrictions = NO_RESTRICTIONS
    """Only for these investigators, traits or classes; one of them is enough."""
    sheet: tuple[UpgradeBox, ...] = ()
    """The upgrades of a customizable card."""
    build: Build | None = key(name="deck", default=None)
    """The requirements of the investigator's deck."""
    extra_build: Build | None = key(name="side_deck", default=None)
    """A deck in addition to the investigator's deck."""
    duplicate_of: str = ""
    """The first printing; the record is complete nevertheless."""
    modified: bool = False
    """A reprint that works differently from the first printing (special.yaml)."""
    alternate_of: str = ""
    """The original of a parallel or promotional investigator."""
    back: str = ""
    """Code of its other side."""
    encounter: str = ""
    """The encounter set of a story card."""
    pack: str
    """The product."""
    position: int
    """Its number in the product."""
    errata_date: str = ""
    """The date from which its text differs from the printed one."""
    special: Special | None = None
    """The row in special.yaml; not written here."""

    def __post_init__(self) -> None:
        if unknown := self.keywords.difference(word.name for word in KEYWORDS):
            raise ValueError(
                f"{', '.join(sorted(unknown))} is not a keyword; use one of {', '.join(word.name for word in KEYWORDS)}"
            )

    @property
    def bonded_to(self) -> str:
        """Return the name of the card that brings it into the game; empty if it is not bonded."""
        return self.bonded.to if self.bonded else ""

    @property
    def weakness(self) -> bool:
        """Return True if it is a weakness, basic or not."""
        return bool(self.subtype)

    @property
    def story(self) -> bool:
        """Return True if it belongs to a scenario or campaign."""
        return bool(self.encounter)


@record
class EncounterRecord(Record):
    """A scenario card: only its name is known, so that a text can refer to it."""

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
    """The changes of a taboo list to one card."""

    list: int = key(ge=0)
    """Number of the list."""
    code: str
    """The card."""
    experience: int = 0
    """Additional experience cost; below 0: a reduction."""
    exceptional: bool | None = None
    """It becomes exceptional, or is no longer exceptional."""
    forbidden: bool = False
    """It is forbidden."""
    limit: int | None = key(default=None, ge=0)
    """Copies by title that a deck may contain."""
    build: Build | None = key(name="deck", default=None)
    """The changed deckbuilding of an investigator."""
    sheet: tuple[UpgradeBox, ...] = ()
    """The changed upgrade sheet."""
    campaign_only: bool = False
    """It becomes a card for campaigns only."""
    text_changed: bool = False
    """Its text changes in other ways than the other keys say."""


@record
class TabooList(Record):
    """A taboo list."""

    list: int = key(ge=0)
    """Its number, as used in deck files."""
    start: str
    """The date from which it applies."""


@record
class Reprints(Record):
    """The older products that a newer product reprints."""

    packs: tuple[str, ...]
    """The older products."""
    cards: Literal["player", "campaign"]
    """`player` if it contains their player cards, `campaign` if it contains their campaign's cards."""


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
    """The chapter of the game, if it is not the first."""
    replaced: bool = False
    """A newer product has replaced it."""
    holds_again: Reprints | None = key(name="reprints", default=None)
    """Products whose cards it reprints."""
    returns_to: str = ""
    """The cycle that a Return To box is for."""

    @property
    def reprints(self) -> tuple[str, ...]:
        """Return the products whose player cards it reprints."""
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
    """Its player cards form one investigator expansion."""


@record
class TextRecord(Texts):
    """The printed text of a card: only in the user's own data."""

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
    """A card's name in another language: only in the user's own data."""

    code: str
    """The card."""
    language: str
    """The language (`de`)."""
    name: str
    """Its title."""
    subtitle: str = ""
    """The text below the title."""
    traits: tuple[str, ...] = ()
    """Its traits."""
