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

    set: Name = Field(description="The set it is of: `rotr` or `mm`.")


# What a boon's record need not say, with what is taken then.
MAY_BE_LEFT_OUT: dict[str, Any] = {"loot": False, "owner": None, "traits_certain": None, "note": None}


class BoonRecord(SetRecord):
    """A boon."""

    name: Name = Field(description="Its name.")
    also_called: Names = Field(default_factory=list, description="Other names that decks may use for it.")
    type: CardType | None = Field(description="Its card type; `null`: unknown, which `note` explains.")
    deck: Product | None = Field(
        description="Its first product: `B` base set, `C` Character Add-On Deck, `1`–`6` adventure deck, `P` promo."
    )
    copies: dict[Product, PositiveInt | None] = Field(
        description="Copies by product, the first product first; `null`: the number is unknown."
    )
    basic: bool | None = Field(description="Whether it has the trait Basic.")
    elite: bool | None = Field(description="Whether it has the trait Elite.")
    loot: bool = Field(
        default=False, description="Whether it is a Loot card, which counts as a card of its `type`; left out: no."
    )
    owner: Name | None = Field(default=None, description="The character of its Owner trait; `null` or left out: none.")
    traits: Names | None = Field(description="Its traits; `null`: unknown.")
    traits_certain: bool | None = Field(
        default=None, description="Whether several sources agree on the traits; `null` where these are unknown."
    )
    source: Name = Field(description="Where the facts are from (see the table of sources).")
    note: Name | None = Field(default=None, description="What readers of the record should know.")

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

    base: Count = Field(description="Cards of the type in a new deck.")
    max: Count | None = Field(description="Cards of the type with every card feat box checked; `null`: unknown.")


class CountsAs(_Record):
    """Cards of `type` that fill places of the type `as` too when a deck is built; those with a trait may be left out."""

    type: CardType = Field(description="Cards of this type …")
    counts_as: CardType = Field(alias="as", description="… fill places of this type too.")
    without_trait: Name | None = Field(description="Cards with this trait do not; `null`: all do.")

    @model_validator(mode="after")
    def _another_type(self) -> CountsAs:
        if self.type == self.counts_as:
            raise ValueError(f"says that {self.type} cards count as themselves")
        return self


class DerivedSkill(_Record):
    """A skill such as Arcane that is based on one of the six."""

    skill: Skill = Field(description="The skill it is based on.")
    bonus: PositiveInt = Field(description="What is added to that.")


class CharacterRecord(SetRecord):
    """A character."""

    name: Name = Field(description="The character's name.")
    product: Literal["B", "C", "P"] = Field(description="The product it is in: `B`, `C` or `P`.")
    character_class: Name = Field(alias="class", description="Its class.")
    race: Name | None = Field(description="Its race.")
    cards_list: dict[CardType, CardsListLine] = Field(description="The Cards List: a line for each type.")
    card_feat_boxes: PositiveInt = Field(description="Card feat boxes on the whole list.")
    counts_as: list[CountsAs] = Field(
        default_factory=list, description="Cards of a type that fill places of another when the deck is built."
    )
    must_hold: Names = Field(default_factory=list, description="Cards that the deck must hold.")
    favored_card_type: Name | None = Field(description="The favored card type.")
    hand_size: PositiveInt | None = Field(description="The hand size at the start.")
    hand_size_feats: list[PositiveInt] | None = Field(description="The hand sizes that power feats give.")
    proficient: Names | None = Field(description="What it is proficient with at the start.")
    proficiency_by_feat: Names | None = Field(description="What power feats make it proficient with.")
    skills: dict[Skill, Die] | None = Field(description="The die of each skill.")
    skill_feat_boxes: dict[Skill, Count] | None = Field(description="Skill feat boxes of each skill.")
    derived_skills: dict[Name, DerivedSkill] | None = Field(description="Skills that are based on one of the six.")
    roles: Names | None = Field(description="The names on its role card.")
    cohorts: Names = Field(description="The cohorts of its own list.")
    source: Name = Field(description="Where the facts are from.")

    @model_validator(mode="after")
    def _adds_up(self) -> CharacterRecord:
        lines = self.cards_list
        if missing := [kind for kind in CARD_TYPES if kind not in lines]:
            raise ValueError(f"has a Cards List without {', '.join(missing)}")
        if (total := sum(line.base for line in lines.values())) != CARDS_IN_A_NEW_DECK:
            raise ValueError(f"has a Cards List of {total} cards instead of {CARDS_IN_A_NEW_DECK}")
        for kind, line in lines.items():
            if line.max is not None and line.max < line.base:
                raise ValueError(
                    f"has a Cards List with at most {line.max} cards of type {kind}, but {line.base} at the start"
                )
        boxes = sum(line.max - line.base for line in lines.values() if line.max is not None)
        known = all(line.max is not None for line in lines.values())
        if boxes > self.card_feat_boxes or (known and boxes != self.card_feat_boxes):
            where = "its Cards List" if known else "the known lines of its Cards List"
            raise ValueError(f"has {boxes} card feat boxes on {where}, but `card_feat_boxes` is {self.card_feat_boxes}")
        if self.card_feat_boxes != CARD_FEAT_BOXES:
            raise ValueError(f"has {self.card_feat_boxes} card feat boxes; every character has {CARD_FEAT_BOXES}")
        if self.skill_feat_boxes is not None and sum(self.skill_feat_boxes.values()) != SKILL_FEAT_BOXES:
            raise ValueError(
                f"has {sum(self.skill_feat_boxes.values())} skill feat boxes; every character has {SKILL_FEAT_BOXES}"
            )
        return self


class DeckLine(_Record):
    """A card of a suggested deck."""

    name: Name = Field(description="The card.")
    type: CardType = Field(description="Its type.")
    count: PositiveInt = Field(description="Copies.")


class DeckRecord(SetRecord):
    """A suggested deck."""

    character: Name = Field(description="The character the deck is for.")
    cards: list[DeckLine] = Field(description="Its cards.")
    source: Name = Field(description="Where it stands.")
    matched_by: Name = Field(
        description="Why this list belongs to this character (the text of the PDF scrambles names and lists)."
    )

    @model_validator(mode="after")
    def _no_card_twice(self) -> DeckRecord:
        _distinct([line.name for line in self.cards])
        return self


class Gives(_Record):
    """A reward in countable terms; where `reward` is `null`, an inference that `note` explains."""

    feats: dict[Literal["skill", "power", "card"], PositiveInt] = Field(description="Feats by kind.")
    role: bool = Field(description="Whether it gives the role card.")
    loot: Names = Field(description="Loot cards.")
    traders: Names = Field(description="Traders that are met from then on.")


class TraderRecord(_Record):
    """A trader: what it offers and what a trade costs."""

    name: Name = Field(description="Its name.")
    offers: list[CardType] = Field(description="The types of the boons it offers.")
    trait: Name | None = Field(description="The trait that these must have; `null`: any.")
    own_number: bool = Field(
        default=False,
        description="Whether they are of the scenario's adventure deck number alone; left out: or 1 less.",
    )
    cost: PositiveInt = Field(description="How many boons a trade costs.")


class ScenarioPart(_Record):
    """A scenario of an adventure."""

    number: PositiveInt = Field(description="Its place in the adventure.")
    name: Name = Field(description="Its name.")
    reward: Name | None = Field(description="The reward in words.")
    gives: Gives = Field(description="The reward in countable terms.")
    note: Name | None = Field(description="What readers of the record should know.")


class AdventureRecord(SetRecord):
    """An adventure with its scenarios; `deck` is its adventure deck number, `path` null when it is in no path."""

    record: Literal["adventure"] = Field(description="What the record is.")
    deck: AdventureNumber = Field(description="The number of its adventure deck; `B` for the base set.")
    name: Name = Field(description="Its name.")
    path: Name | None = Field(description="The Adventure Path it is in; `null`: none.")
    reward: Name | None = Field(description="The reward in words.")
    gives: Gives = Field(description="The reward in countable terms.")
    traders: list[TraderRecord] = Field(description="The traders of the adventure.")
    scenarios: list[ScenarioPart] = Field(description="Its scenarios, in order.")
    source: Name = Field(description="Where it stands.")
    note: Name | None = Field(description="What readers of the record should know.")

    @model_validator(mode="after")
    def _numbered(self) -> AdventureRecord:
        if [part.number for part in self.scenarios] != list(range(1, len(self.scenarios) + 1)):
            raise ValueError("has scenarios that are not numbered 1, 2, 3 …")
        if stray := {name for part in self.scenarios for name in part.gives.traders} - {
            each.name for each in self.traders
        }:
            raise ValueError(f"gives the traders {', '.join(sorted(stray))}, which `traders` does not list")
        return self


class PathRecord(SetRecord):
    """An Adventure Path; `adventures` are names in the order of play."""

    record: Literal["path"] = Field(description="What the record is.")
    name: Name = Field(description="Its name.")
    adventures: Names = Field(description="Names of its adventures, in the order of play.")
    source: Name = Field(description="Where it stands.")
    note: Name | None = Field(description="What readers of the record should know.")


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
