"""The record types of `cards/arkham/`: which keys a record has and what may stand in them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Count = Annotated[int, Field(ge=0)]
CardClass = Literal["guardian", "seeker", "rogue", "mystic", "survivor", "neutral", "mythos"]
PlayableClass = Literal["guardian", "seeker", "rogue", "mystic", "survivor"]
Level = Annotated[int, Field(ge=0, le=5)]
Range = tuple[Level, Level]
Skill = Literal["willpower", "intellect", "combat", "agility", "wild"]
Tag = Literal["heals-horror", "heals-damage", "parley", "seal", "names-firearm"]
CardType = Literal["asset", "event", "skill", "investigator", "treachery", "enemy", "story", "location", "key"]


class Fields(BaseModel):
    """A part of a record: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", strict=False)


class CardFilter(Fields):
    """What an option, a limit or a requirement asks of a card. Traits are written small."""

    class_: list[CardClass] | None = Field(default=None, alias="class")
    trait: list[Text] | None = None
    type: list[CardType] | None = None
    uses: list[Text] | None = None
    tag: list[Tag] | None = None
    slot: list[Text] | None = None
    level: Range | None = None
    permanent: bool | None = None


class AtLeast(CardFilter):
    """At least `min` cards of a kind; with `classes`, of each of that many classes."""

    min: Annotated[int, Field(gt=0)]
    classes: Annotated[int, Field(gt=0)] | None = None


class ChosenOption(CardFilter):
    """One of the options among which a player chooses at deck creation; `size` adds to the deck size."""

    id: Text
    size: int | None = None


class OptionRecord(CardFilter):
    """One deckbuilding option. `other`: a card takes a limited slot only if no other option takes it (ruling 1.15)."""

    not_: bool | None = Field(default=None, alias="not")
    base_level: Range | None = None
    limit: Annotated[int, Field(gt=0)] | None = None
    other: bool | None = None
    at_least: AtLeast | None = None
    only_counts: bool | None = None
    choice: Text | None = None
    choose_class: list[PlayableClass] | None = None
    choose_size: list[Annotated[int, Field(gt=0)]] | None = None
    choose_option: list[ChosenOption] | None = None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> OptionRecord:
        if (self.limit is None) != (self.other is None):
            raise ValueError("`other` belongs to a `limit`, and a `limit` needs it")
        offered = sum(offer is not None for offer in (self.choose_class, self.choose_size, self.choose_option))
        if offered != (self.choice is not None):
            raise ValueError("a choice needs its name (`choice`) and exactly one list to choose from")
        return self


class RequirementsRecord(Fields):
    """What the back of an investigator demands: size, slots of signature cards (any of a slot's cards), weaknesses."""

    size: Count
    cards: list[list[Text]]
    random_weaknesses: Count
    options: list[OptionRecord]


class Box(Fields):
    """One upgrade of a customizable card: its boxes and what it changes."""

    boxes: Count
    choose: Literal["trait", "skill", "card", "slot"] | None = None
    count: int | None = None
    among: dict[str, list[str]] | None = None
    traits: list[Text] | None = None
    slots: list[Text] | None = None
    tags: list[Tag] | None = None
    cost: int | None = None
    health: int | None = None
    sanity: int | None = None
    limit: int | None = None


class Bonded(Fields):
    """The card that brings a bonded card into the game, and how many copies are set aside."""

    to: Text
    count: Annotated[int, Field(gt=0)]


class Restrictions(Fields):
    """Only decks of these investigators, or of investigators with one of these traits or classes."""

    investigators: list[Text] | None = None
    traits: list[Text] | None = None
    classes: list[PlayableClass] | None = None


class CardRecord(Fields):
    """A player card, investigator, weakness or story card."""

    code: Text
    name: Text
    type: CardType
    subtitle: Text | None = None
    class_: list[CardClass] = Field(alias="class")
    subtype: Literal["weakness", "basic weakness"] | None = None
    level: Level | None = None
    cost: int | Literal["X"] | None = None
    skills: dict[Skill, int] | None = None
    traits: list[Text] | None = None
    slots: list[Text] | None = None
    health: int | None = None
    sanity: int | None = None
    fight: int | None = None
    evade: int | None = None
    damage: int | None = None
    horror: int | None = None
    victory: int | None = None
    vengeance: int | None = None
    limit: Count | None = None
    quantity: Count
    unique: bool = False
    permanent: bool = False
    exceptional: bool = False
    myriad: bool = False
    exile: bool = False
    hidden: bool = False
    double_sided: bool = False
    researched: bool = False
    campaign_only: bool = False
    bonded: Bonded | None = None
    uses: Text | None = None
    tags: list[Tag] | None = None
    set: Literal["advanced", "replacement"] | None = None
    restrictions: Restrictions | None = None
    sheet: list[Box] | None = None
    deck: RequirementsRecord | None = None
    side_deck: RequirementsRecord | None = None
    duplicate_of: Text | None = None
    alternate_of: Text | None = None
    back: Text | None = None
    encounter: Text | None = None
    pack: Text
    position: int


class EncounterRecord(Fields):
    """A scenario card: known by name only, so that a text that names it finds it."""

    code: Text
    name: Text
    type: Text
    pack: Text
    set: Text | None = None


class TabooRecord(Fields):
    """One row of one taboo list."""

    list: Count
    code: Text
    experience: int | None = None
    exceptional: bool | None = None
    forbidden: bool | None = None
    limit: Count | None = None
    deck: RequirementsRecord | None = None
    sheet: list[Box] | None = None  # type: ignore[valid-type]  # the builtin, not the field above
    text_changed: bool | None = None


class TabooListRecord(Fields):
    """A taboo list and the day from which it holds."""

    list: Count
    start: Text


class Reprints(Fields):
    """The packs whose player or campaign cards a newer product holds again."""

    packs: list[Text]
    cards: Literal["player", "campaign"]


class PackRecord(Fields):
    """A product."""

    code: Text
    name: Text
    cycle: Text
    released: Text | None = None
    position: int
    chapter: int | None = None
    replaced: bool | None = None
    reprints: Reprints | None = None
    returns_to: Text | None = None


class CycleRecord(Fields):
    """A group of products. `expansion`: its player cards make up one investigator expansion."""

    code: Text
    name: Text
    position: int
    expansion: bool = False


class TextRecord(Fields):
    """What is printed on a card: only ever in the user's own data."""

    code: Text
    text: str | None = None
    back_name: str | None = None
    back_text: str | None = None
    flavor: str | None = None
    back_flavor: str | None = None
    customization_text: str | None = None


class NameRecord(Fields):
    """A card's name in another language: only ever in the user's own data."""

    code: Text
    language: Text
    name: Text
    subtitle: str | None = None
    traits: list[Text] | None = None
