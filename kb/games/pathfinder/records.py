"""The record types of `cards/pathfinder/`: which keys a record has and what may stand in them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PositiveInt, model_validator

CARD_TYPES = ("weapon", "spell", "armor", "item", "ally", "blessing")
CARDS_IN_A_NEW_DECK = 15
CARD_FEAT_BOXES = 10
SKILL_FEAT_BOXES = 15

CardType = Literal["weapon", "spell", "armor", "item", "ally", "blessing"]
Product = Literal["B", "C", "1", "2", "3", "4", "5", "6", "P"]
AdventureNumber = Literal["B", "1", "2", "3", "4", "5", "6"]
Die = Literal["d4", "d6", "d8", "d10", "d12"]
Skill = Literal["Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma"]
Count = Annotated[int, Field(ge=0)]


def _clean(text: str) -> str:
    if not text or text != " ".join(text.split()):
        raise ValueError(f"{text!r} is empty or has stray blanks")
    return text


def _distinct(values: list[str]) -> list[str]:
    twice = sorted({value for value in values if values.count(value) > 1})
    if twice:
        raise ValueError(f"lists {', '.join(twice)} twice")
    return values


Name = Annotated[str, AfterValidator(_clean)]
Names = Annotated[list[Name], AfterValidator(_distinct)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SetRecord(_Record):
    """What every record of a set's folder has."""

    set: Name


class BoonRecord(SetRecord):
    """A boon."""

    name: Name
    also_called: Names = Field(default_factory=list)
    type: CardType | None
    deck: Product | None
    copies: dict[Product, PositiveInt | None]
    basic: bool | None
    elite: bool | None
    loot: bool
    owner: Name | None
    traits: Names | None
    traits_certain: bool | None
    source: Name
    note: Name | None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> BoonRecord:
        if self.deck is None and self.copies:
            raise ValueError("names products in `copies`, but its `deck` is null")
        if self.deck is not None and next(iter(self.copies), None) != self.deck:
            raise ValueError(
                f"is first in deck {self.deck}, but `copies` begins with {next(iter(self.copies), 'nothing')}"
            )
        if (self.traits is None) != (self.traits_certain is None):
            raise ValueError("needs `traits_certain` exactly when it has `traits`")
        for flag, trait in ((self.basic, "Basic"), (self.elite, "Elite")):
            if self.traits is not None and flag is not None and flag != (trait in self.traits):
                raise ValueError(f"has `{trait.lower()}: {str(flag).lower()}`, but its traits say otherwise")
        if self.basic and self.elite:
            raise ValueError("is both Basic and Elite")
        if self.loot and self.basic:
            raise ValueError("is Loot and Basic; loot is never Basic")
        if self.type is None and self.note is None:
            raise ValueError("has no type and no `note` that says why")
        return self


class CardsListLine(_Record):
    """How many cards of a type a new deck holds, and with all card feats of the type (null: unknown)."""

    base: Count
    max: Count | None


class CountsAs(_Record):
    """Cards of `type` that fill places of the type `as` too when a deck is built; those with a trait may be left out."""

    type: CardType
    counts_as: CardType = Field(alias="as")
    without_trait: Name | None

    @model_validator(mode="after")
    def _another_type(self) -> CountsAs:
        if self.type == self.counts_as:
            raise ValueError(f"says that {self.type} cards count as themselves")
        return self


class DerivedSkill(_Record):
    """A skill such as Arcane that is based on one of the six."""

    skill: Skill
    bonus: PositiveInt


class CharacterRecord(SetRecord):
    """A character."""

    name: Name
    product: Literal["B", "C", "P"]
    character_class: Name = Field(alias="class")
    race: Name | None
    cards_list: dict[CardType, CardsListLine]
    card_feat_boxes: PositiveInt
    counts_as: list[CountsAs] = Field(default_factory=list)
    must_hold: Names = Field(default_factory=list)
    favored_card_type: Name | None
    hand_size: PositiveInt | None
    hand_size_feats: list[PositiveInt] | None
    proficient: Names | None
    proficiency_by_feat: Names | None
    skills: dict[Skill, Die] | None
    skill_feat_boxes: dict[Skill, Count] | None
    derived_skills: dict[Name, DerivedSkill] | None
    roles: Names | None
    cohorts: Names
    source: Name

    @model_validator(mode="after")
    def _adds_up(self) -> CharacterRecord:
        lines = self.cards_list
        if missing := [kind for kind in CARD_TYPES if kind not in lines]:
            raise ValueError(f"has a Cards List without {', '.join(missing)}")
        if (total := sum(line.base for line in lines.values())) != CARDS_IN_A_NEW_DECK:
            raise ValueError(f"has a Cards List of {total} cards instead of {CARDS_IN_A_NEW_DECK}")
        maxima = [line.max for line in lines.values()]
        for kind, line in lines.items():
            if line.max is not None and line.max < line.base:
                raise ValueError(
                    f"has a Cards List with at most {line.max} cards of type {kind}, but {line.base} at the start"
                )
        known = [maximum for maximum in maxima if maximum is not None]
        if len(known) == len(maxima) and sum(known) - CARDS_IN_A_NEW_DECK != self.card_feat_boxes:
            raise ValueError(
                f"has {sum(known) - CARDS_IN_A_NEW_DECK} card feat boxes on its Cards List, "
                f"but `card_feat_boxes` is {self.card_feat_boxes}"
            )
        if self.card_feat_boxes != CARD_FEAT_BOXES:
            raise ValueError(f"has {self.card_feat_boxes} card feat boxes; every character has {CARD_FEAT_BOXES}")
        if self.skill_feat_boxes is not None and sum(self.skill_feat_boxes.values()) != SKILL_FEAT_BOXES:
            raise ValueError(
                f"has {sum(self.skill_feat_boxes.values())} skill feat boxes; every character has {SKILL_FEAT_BOXES}"
            )
        return self


class DeckLine(_Record):
    """A card of a suggested deck."""

    name: Name
    type: CardType
    count: PositiveInt


class DeckRecord(SetRecord):
    """A suggested deck."""

    character: Name
    cards: list[DeckLine]
    source: Name
    matched_by: Name

    @model_validator(mode="after")
    def _no_card_twice(self) -> DeckRecord:
        _distinct([line.name for line in self.cards])
        return self


class Gives(_Record):
    """A reward in countable terms."""

    feats: dict[Literal["skill", "power", "card"], PositiveInt]
    role: bool
    loot: Names
    traders: Names


class ScenarioPart(_Record):
    """A scenario of an adventure."""

    number: PositiveInt
    name: Name
    reward: Name | None
    gives: Gives
    note: Name | None


class AdventureRecord(SetRecord):
    """An adventure with its scenarios; `deck` is its adventure deck number, `path` null when it is in no path."""

    record: Literal["adventure"]
    deck: AdventureNumber
    name: Name
    path: Name | None
    reward: Name | None
    gives: Gives
    traders: Names
    scenarios: list[ScenarioPart]
    source: Name
    note: Name | None

    @model_validator(mode="after")
    def _numbered(self) -> AdventureRecord:
        if [part.number for part in self.scenarios] != list(range(1, len(self.scenarios) + 1)):
            raise ValueError("has scenarios that are not numbered 1, 2, 3 …")
        if stray := {name for part in self.scenarios for name in part.gives.traders} - set(self.traders):
            raise ValueError(f"gives the traders {', '.join(sorted(stray))}, which `traders` does not list")
        return self


class PathRecord(SetRecord):
    """An Adventure Path; `adventures` are names in the order of play."""

    record: Literal["path"]
    name: Name
    adventures: Names
    source: Name
    note: Name | None


def sentence(error: dict[str, Any]) -> str:
    """A validation error of Pydantic (one of `ValidationError.errors()`) as a sentence about the record."""
    where = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "extra_forbidden":
        return f"has an unknown key `{where}`"
    if error["type"] == "missing":
        return f"has no `{where}`"
    if error["type"] == "value_error":
        text = str(error["ctx"]["error"])
        return f"{text}" if not where else f"has `{where}`: {text}"
    if error["type"] == "literal_error":
        return f"has `{where}: {error['input']}`; known are {error['ctx']['expected'].replace(' or ', ', ')}"
    return f"has `{where}: {error['input']!r}`: {error['msg'][0].lower()}{error['msg'][1:]}"
