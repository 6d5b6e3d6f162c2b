"""The records of cards, their keywords, taboo lists and products in `cards/arkham/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from kb.frozen import NOTHING
from kb.games.arkham.schema.keywords import KEYWORDS, named
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
from kb.shapes import Record, Texts, key, record

WEAKNESS, BASIC_WEAKNESS = "weakness", "basic weakness"
Skill = Literal["willpower", "intellect", "combat", "agility", "wild"]
SKILLS: tuple[Skill, ...] = ("willpower", "intellect", "combat", "agility", "wild")


@record
class UpgradeBox(Record):
    """One upgrade on the sheet of a customizable card."""

    cost: int = key(name="boxes", ge=0)
    """The number of boxes to mark for the upgrade."""
    chooses: Literal["", "trait", "skill", "card", "slot"] = key(name="choose", default="")
    """The kind of choice to make when the upgrade is marked; absent: none."""
    count: int = 1
    """The number of choices to make."""
    among: Mapping[str, tuple[str, ...]] = NOTHING
    """The types and traits of the cards to choose from."""
    traits: Names = key(default=NO_NAMES, small=True)
    """The card's traits once the upgrade is marked; absent: unchanged."""
    slots: tuple[str, ...] = key(default=(), small=True)
    """The slots that the card takes once the upgrade is marked; absent: unchanged."""
    tags: frozenset[Tag] = frozenset()
    """Effects that the upgrade adds to the card's text."""
    card_cost: int = key(name="cost", default=0)
    """The increase of the card's cost in resources."""
    health: int = 0
    """The increase of the card's health."""
    sanity: int = 0
    """The increase of the card's sanity."""
    limit: int = 0
    """The new maximum number of copies in a deck; absent: unchanged."""
    level_boxes: int = -1
    """The number of boxes on the printed sheet, which count for the card's level; default: the same as `boxes`."""
    name: str = ""
    """The name of the upgrade on the sheet; absent for a choice without boxes."""

    def __post_init__(self) -> None:
        if self.level_boxes < 0:
            object.__setattr__(self, "level_boxes", self.cost)


@record
class Bonded(Record):
    """The card that brings a bonded card into the game, and the number of bonded copies."""

    to: str
    """Name of the card that brings the bonded card into the game."""
    count: int = key(ge=1)
    """The number of copies of the bonded card to set aside: as many as the product contains."""


@record
class Restrictions(Record):
    """The only investigators whose decks may contain a card: the listed investigators, or those with one of the
    listed traits or classes.
    """

    investigators: tuple[str, ...] = ()
    """Codes of investigators."""
    traits: tuple[str, ...] = key(default=(), small=True)
    """Traits of investigators, in lower case."""
    classes: tuple[PlayableClass, ...] = ()
    """Classes of investigators."""


NO_RESTRICTIONS = Restrictions()


@record
class CardRecord(Record):
    """The record of a player card, investigator, weakness or story card."""

    code: str
    """The card's number, which no other card has."""
    name: str
    """The card's title."""
    type: CardType
    """The card's type."""
    subtitle: str = ""
    """The text below the title."""
    classes: tuple[CardClass, ...] = key(name="class")
    """The card's class, or several classes."""
    subtype: Literal["", "weakness", "basic weakness"] = ""
    """`weakness` or `basic weakness`; absent for a card that is not a weakness."""
    level: int | None = key(default=None, ge=0, le=HIGHEST_LEVEL)
    """The card's level; absent for a card without a level."""
    cost: int | Literal["X", ""] | None = ""
    """Resources to pay for the card; `null` or absent: none to pay, because a dash or no cost is printed. ArkhamDB's data
    does not say which: some permanent cards have `null` and others lack the key.
    """
    skills: Mapping[Skill, int] = NOTHING
    """The number of skill icons by skill; for an investigator, the skill values."""
    printed_traits: tuple[str, ...] = key(name="traits", default=())
    """The card's traits as printed."""
    printed_slots: tuple[str, ...] = key(name="slots", default=())
    """The slots that the card takes; a two-handed card lists `Hand` twice."""
    health: int | None = None
    """The card's health."""
    sanity: int | None = None
    """The card's sanity."""
    fight: int | None = None
    """An enemy's fight value."""
    evade: int | None = None
    """An enemy's evade value."""
    damage: int | None = None
    """Damage that an enemy deals."""
    horror: int | None = None
    """Horror that an enemy deals."""
    victory: int | None = None
    """Victory points that the card is worth."""
    vengeance: int | None = None
    """Vengeance points that the card is worth."""
    limit: int | None = key(default=None, ge=0)
    """The most copies that a deck may contain, counted by title."""
    quantity: int = key(ge=0)
    """The number of copies in the product."""
    keywords: Names = NO_NAMES
    """The card's keywords, but only these nine: unique, permanent, exceptional, myriad, exile, fast, researched, reward
    and campaign_only (`schema/keywords.py`). Others, such as Hunter, are not listed.
    """
    hidden: bool = False
    """True for the other side of a card, and for a placeholder for cards still to be drawn."""
    double_sided: bool = False
    """True if the card has its own printed back."""
    bonded: Bonded | None = None
    """The card that brings this bonded card into the game, and the number of copies to set aside."""
    uses: str = ""
    """The kind of uses that the card has (charges, ammo …)."""
    tags: frozenset[Tag] = frozenset()
    """Effects of the text that deckbuilding options ask for, as ArkhamDB marks them; story cards have none."""
    signature_set: Literal["", "advanced", "replacement"] = ""
    """The alternative set that a signature card belongs to."""
    restrictions: Restrictions = NO_RESTRICTIONS
    """The only investigators whose decks may contain the card; one listed code, trait or class is enough."""
    sheet: tuple[UpgradeBox, ...] = ()
    """The upgrades of a customizable card, in the order of its sheet."""
    build: Build | None = key(name="deck", default=None)
    """The deckbuilding requirements of an investigator."""
    extra_build: Build | None = key(name="side_deck", default=None)
    """The requirements of an extra deck that an investigator has."""
    duplicate_of: str = ""
    """Code of the card's first printing, if this is a reprint. The record of a reprint is complete."""
    modified: bool = False
    """True for a reprint that works differently from the first printing (special.yaml)."""
    alternate_of: str = ""
    """Code of the original investigator, if this is a parallel or promotional version."""
    back: str = ""
    """Code of the card's other side."""
    encounter: str = ""
    """Code of the encounter set that a story card belongs to."""
    pack: str
    """Code of the product that contains the card."""
    position: int
    """The card's number in the product."""
    errata_date: str = ""
    """The date since which the official text differs from the text of this printing, as ArkhamDB gives it; absent if it
    gives none, even if the FAQ has an erratum.
    """
    special: Special | None = None
    """The card's row in special.yaml, which kb adds; files of cards do not contain this key."""

    def __post_init__(self) -> None:
        if unknown := self.keywords.difference(word.name for word in KEYWORDS):
            raise ValueError(
                f"{', '.join(sorted(unknown))} is not a keyword; use one of {', '.join(word.name for word in KEYWORDS)}"
            )

    @property
    def bonded_to(self) -> str:
        """Return the name of the card that brings this bonded card into the game; empty if this card is not bonded."""
        return self.bonded.to if self.bonded else ""

    @property
    def weakness(self) -> bool:
        """Return True if the card is a weakness, basic or not."""
        return bool(self.subtype)

    @property
    def story(self) -> bool:
        """Return True if the card belongs to a scenario or campaign."""
        return bool(self.encounter)


@record
class EncounterRecord(Record):
    """A scenario card, recorded only so that a text can refer to it by name."""

    code: str
    """The card's number, which no other card has."""
    name: str
    """The card's title."""
    type: str
    """The card's type."""
    pack: str
    """Code of the product that contains the card."""
    encounter_set: str = ""
    """Name of the encounter set that the card belongs to."""


FORMERLY_SET: dict[type[Any], str] = {CardRecord: "signature_set", EncounterRecord: "encounter_set"}
"""The key of each shape of record that imports by kb 0.1 call `set`."""


def of_today(record: Mapping[str, Any], shape: type[Any]) -> dict[str, Any]:
    """Return a copy of `record`, a record of the type `shape`, with the keys that records have today. Imports by kb 0.1
    have a key for each keyword (`keywords.named`), and `set` for a card's set of signatures or its encounter set.
    """
    made = named(record) if shape is CardRecord else dict(record)
    if shape in FORMERLY_SET and "set" in made:
        made[FORMERLY_SET[shape]] = made.pop("set")
    return made


@record
class TabooRow(Record):
    """The changes that one taboo list makes to one card."""

    list: int = key(ge=0)
    """Number of the taboo list."""
    code: str
    """Code of the card."""
    experience: int = 0
    """Experience added to the card's cost; below 0: subtracted."""
    exceptional: bool | None = None
    """True: the card becomes exceptional; false: the card is no longer exceptional."""
    forbidden: bool = False
    """True if no deck may contain the card."""
    limit: int | None = key(default=None, ge=0)
    """The new maximum number of copies in a deck, counted by title."""
    build: Build | None = key(name="deck", default=None)
    """The changed deckbuilding requirements of an investigator."""
    sheet: tuple[UpgradeBox, ...] = ()
    """The changed upgrade sheet of a customizable card."""
    campaign_only: bool = False
    """True if the card may only be used in campaigns."""
    text_changed: bool = False
    """True if the card's text changes in ways that no other key describes."""


@record
class TabooList(Record):
    """A taboo list: a numbered list of changes to cards, published by the game's makers."""

    list: int = key(ge=0)
    """Number of the list, as deck files use it."""
    start: str
    """The date when the list comes into force."""


@record
class Reprints(Record):
    """A list of older products that a newer product reprints."""

    packs: tuple[str, ...]
    """Codes of the older products."""
    cards: Literal["player", "campaign"]
    """`player` if the newer product contains their player cards, `campaign` if it contains the cards of their campaign."""


@record
class Pack(Record):
    """A product that was sold with cards."""

    code: str
    """Short name of the product."""
    name: str
    """Full name of the product."""
    cycle: str
    """Code of the cycle that the product belongs to."""
    released: str = ""
    """The product's release date."""
    position: int
    """The product's number in its cycle."""
    chapter: int | None = None
    """The chapter of the game; absent for the first chapter."""
    replaced: bool = False
    """True if a newer product has replaced this one."""
    holds_again: Reprints | None = key(name="reprints", default=None)
    """Older products whose cards this product reprints."""
    returns_to: str = ""
    """Code of the cycle that a Return To box is made for."""

    @property
    def reprints(self) -> tuple[str, ...]:
        """Return the codes of the products whose player cards this product reprints."""
        return self.holds_again.packs if self.holds_again and self.holds_again.cards == "player" else ()


@record
class Cycle(Record):
    """A cycle: a group of products that were released together."""

    code: str
    """Short name of the cycle."""
    name: str
    """Full name of the cycle."""
    position: int
    """The cycle's number in the order of release."""
    expansion: bool = False
    """True if the player cards of the cycle form one investigator expansion."""


@record
class TextRecord(Texts):
    """The printed text of a card, which only the user's own data contains."""

    code: str
    """Code of the card."""
    text: str = ""
    """The rules text."""
    back_name: str = ""
    """The title on the back."""
    back_text: str = ""
    """The rules text on the back."""
    flavor: str = ""
    """The flavour text."""
    back_flavor: str = ""
    """The flavour text on the back."""
    customization_text: str = ""
    """The text of the upgrade sheet."""


@record
class NameRecord(Texts):
    """A card's name in another language, which only the user's own data contains."""

    code: str
    """Code of the card."""
    language: str
    """Code of the language, such as `de`."""
    name: str
    """The translated title."""
    subtitle: str = ""
    """The translated text below the title."""
    traits: tuple[str, ...] = ()
    """The translated traits."""
