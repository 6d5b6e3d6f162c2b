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
class Box(Record):
    """One upgrade of a customizable card. `level_boxes` are the printed boxes, `cost` what marking all of them costs."""

    cost: int = key("Its boxes.", name="boxes", ge=0)
    chooses: Literal["", "trait", "skill", "card", "slot"] = key(
        "What is chosen when it is marked.", name="choose", default=""
    )
    count: int = key("How many of these are chosen.", default=1)
    among: Mapping[str, tuple[str, ...]] = key("What may be chosen from.", default=NOTHING)
    traits: Names = key("The traits that the card has then.", default=NO_NAMES, small=True)
    slots: tuple[str, ...] = key("The slots that it takes then.", default=(), small=True)
    tags: frozenset[Tag] = key("What its text does besides.", default=frozenset())
    card_cost: int = key("What is added to the card's cost.", name="cost", default=0)
    health: int = key("What is added to its health.", default=0)
    sanity: int = key("What is added to its sanity.", default=0)
    limit: int = key("Its limit of copies then.", default=0)
    level_boxes: int = -1

    def __post_init__(self) -> None:
        if self.level_boxes < 0:
            object.__setattr__(self, "level_boxes", self.cost)


@record
class Bonded(Record):
    """The card that brings a bonded card into the game."""

    to: str = key("Name of the card.")
    count: int = key("How many copies are set aside.", ge=1)


@record
class Restrictions(Record):
    """Only decks of these investigators, or of investigators with one of these traits or classes."""

    investigators: tuple[str, ...] = key("Codes of the investigators.", default=())
    traits: tuple[str, ...] = key("Traits, in small letters.", default=(), small=True)
    classes: tuple[PlayableClass, ...] = key("Classes.", default=())


NO_RESTRICTIONS = Restrictions()


@record
class CardRecord(Record):
    """A player card, investigator, weakness or story card."""

    code: str = key("The number of the card; unique.")
    name: str = key("Its title.")
    type: CardType = key("Its type.")
    subtitle: str = key("What stands below the title.", default="")
    classes: tuple[CardClass, ...] = key("One class or more.", name="class")
    subtype: Literal["", "weakness", "basic weakness"] = key("Whether it is a weakness.", default="")
    level: int | None = key("Its level; absent for cards without one.", default=None, ge=0, le=HIGHEST_LEVEL)
    cost: int | Literal["X", ""] | None = key(
        "Resources to play it; `null`: a dash; absent: no cost is printed.", default=""
    )
    skills: Mapping[Skill, int] = key("Skill icons by skill, or an investigator's skills.", default=NOTHING)
    printed_traits: tuple[str, ...] = key("Its traits as they are printed.", name="traits", default=())
    printed_slots: tuple[str, ...] = key(
        "The slots that it takes; a two-handed card has `Hand` twice.", name="slots", default=()
    )
    health: int | None = key("Its health.", default=None)
    sanity: int | None = key("Its sanity.", default=None)
    fight: int | None = key("An enemy's fight value.", default=None)
    evade: int | None = key("An enemy's evade value.", default=None)
    damage: int | None = key("Damage that an enemy deals.", default=None)
    horror: int | None = key("Horror that an enemy deals.", default=None)
    victory: int | None = key("Victory points.", default=None)
    vengeance: int | None = key("Vengeance points.", default=None)
    limit: int | None = key("Copies by title that a deck may hold.", default=None, ge=0)
    quantity: int = key("Copies in the product.", ge=0)
    keywords: Names = key("Its keywords (`schema/keywords.py`).", default=NO_NAMES)
    hidden: bool = key("It is the other side of a card, or stands for cards that are drawn.", default=False)
    double_sided: bool = key("It has a back of its own.", default=False)
    bonded: Bonded | None = key("To which card it is bonded, and how many are set aside.", default=None)
    uses: str = key("The kind of its uses (charges, ammo …).", default="")
    tags: frozenset[Tag] = key("What its text does, as far as options ask for it.", default=frozenset())
    set: Literal["", "advanced", "replacement"] = key("The set of a signature card.", default="")
    restrictions: Restrictions = key(
        "Only for these investigators, traits or classes; any of them is enough.", default=NO_RESTRICTIONS
    )
    sheet: tuple[Box, ...] = key("The upgrades of a customizable card.", default=())
    build: Build | None = key("What the investigator's deck must be.", name="deck", default=None)
    extra_build: Build | None = key("A deck beside the investigator's deck.", name="side_deck", default=None)
    duplicate_of: str = key("The first printing; the record is complete all the same.", default="")
    modified: bool = key("A reprint that works otherwise than the first printing (special.yaml).", default=False)
    alternate_of: str = key("The original of a parallel or promotional investigator.", default="")
    back: str = key("Code of what is on its other side.", default="")
    encounter: str = key("The encounter set of a story card.", default="")
    pack: str = key("The product.")
    position: int = key("Its number in the product.")
    errata_date: str = key("The day from which its text is another than the printed one.", default="")
    special: Special | None = key("What special.yaml says of it; not written here.", default=None)

    def __post_init__(self) -> None:
        if unknown := self.keywords.difference(word.name for word in KEYWORDS):
            raise ValueError(
                f"{', '.join(sorted(unknown))} is no keyword; there are {', '.join(word.name for word in KEYWORDS)}"
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

    code: str = key("The number of the card; unique.")
    name: str = key("Its title.")
    type: str = key("Its type.")
    pack: str = key("The product.")
    set: str = key("The encounter set.", default="")


@record
class TabooRow(Record):
    """What a taboo list changes about one card."""

    list: int = key("Number of the list.", ge=0)
    code: str = key("The card.")
    experience: int = key("Experience that it costs more; below 0: less.", default=0)
    exceptional: bool | None = key("It becomes exceptional, or is so no longer.", default=None)
    forbidden: bool = key("It is forbidden.", default=False)
    limit: int | None = key("Copies by title that a deck may hold.", default=None, ge=0)
    build: Build | None = key("The changed deckbuilding of an investigator.", name="deck", default=None)
    sheet: tuple[Box, ...] = key("The changed upgrade sheet.", default=())
    campaign_only: bool = key("It becomes one for campaigns only.", default=False)
    text_changed: bool = key("The change is one of text.", default=False)


@record
class TabooList(Record):
    """A taboo list."""

    list: int = key("Its number, as deck files name it.", ge=0)
    start: str = key("The day from which it holds.")


@record
class Reprints(Record):
    """What a newer product holds again."""

    packs: tuple[str, ...] = key("The older products.")
    cards: Literal["player", "campaign"] = key("Whether it holds their player cards or those of their campaign.")


@record
class Pack(Record):
    """A product."""

    code: str = key("Its short name.")
    name: str = key("Its name.")
    cycle: str = key("The cycle it belongs to.")
    released: str = key("The day of its release.", default="")
    position: int = key("Its place in the cycle.")
    chapter: int | None = key("The chapter of the game, where it is not the first.", default=None)
    replaced: bool = key("A newer product has taken its place.", default=False)
    holds_again: Reprints | None = key("Products whose cards it holds again.", name="reprints", default=None)
    returns_to: str = key("The cycle that a Return To box is for.", default="")

    @property
    def reprints(self) -> tuple[str, ...]:
        """The products whose player cards it holds again."""
        return self.holds_again.packs if self.holds_again and self.holds_again.cards == "player" else ()


@record
class Cycle(Record):
    """A group of products."""

    code: str = key("Its short name.")
    name: str = key("Its name.")
    position: int = key("Its place among the groups.")
    expansion: bool = key("Its player cards make up one investigator expansion.", default=False)


@record
class TextRecord(Texts):
    """What is printed on a card: only ever in the user's own data."""

    code: str = key("The card.")
    text: str = key("Its text.", default="")
    back_name: str = key("The title of its back.", default="")
    back_text: str = key("The text of its back.", default="")
    flavor: str = key("Its flavour.", default="")
    back_flavor: str = key("The flavour of its back.", default="")
    customization_text: str = key("The text of its upgrade sheet.", default="")


@record
class NameRecord(Texts):
    """A card's name in another language: only ever in the user's own data."""

    code: str = key("The card.")
    language: str = key("The language (`de`).")
    name: str = key("Its title.")
    subtitle: str = key("What stands below the title.", default="")
    traits: tuple[str, ...] = key("Its traits.", default=())
