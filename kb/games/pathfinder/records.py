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


def key(meaning: str, **more: Any) -> Any:
    """A key of a record, with what it means."""
    return Field(description=meaning, **more)


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SetRecord(_Record):
    """What every record of a set's folder has."""

    set: Name = key("The set it is of: `rotr` or `mm`.")


# What a boon's record need not say, with what is taken then.
MAY_BE_LEFT_OUT: dict[str, Any] = {"loot": False, "owner": None, "traits_certain": None, "note": None}


class BoonRecord(SetRecord):
    """A boon."""

    name: Name = key("Its name.")
    also_called: Names = key("Other names that decks may use for it.", default_factory=list)
    type: CardType | None = key("Its card type; `null`: unknown, which `note` explains.")
    deck: Product | None = key(
        "Its first product: `B` base set, `C` Character Add-On Deck, `1`–`6` adventure deck, `P` promo."
    )
    copies: dict[Product, PositiveInt | None] = key(
        "Copies by product, the first product first; `null`: the number is unknown."
    )
    basic: bool | None = key("Whether it has the trait Basic.")
    elite: bool | None = key("Whether it has the trait Elite.")
    loot: bool = key("Whether it is a Loot card, which counts as a card of its `type`; left out: no.", default=False)
    owner: Name | None = key("The character of its Owner trait; `null` or left out: none.", default=None)
    traits: Names | None = key("Its traits; `null`: unknown.")
    traits_certain: bool | None = key(
        "Whether several sources agree on the traits; `null` where these are unknown.", default=None
    )
    source: Name = key("Where the facts are from (see the table of sources).")
    note: Name | None = key("What readers of the record should know.", default=None)

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

    base: Count = key("Cards of the type in a new deck.")
    max: Count | None = key("Cards of the type with every card feat box checked; `null`: unknown.")


class CountsAs(_Record):
    """Cards of `type` that fill places of the type `as` too when a deck is built; those with a trait may be left out."""

    type: CardType = key("Cards of this type …")
    counts_as: CardType = key("… fill places of this type too.", alias="as")
    without_trait: Name | None = key("Cards with this trait do not; `null`: all do.")

    @model_validator(mode="after")
    def _another_type(self) -> CountsAs:
        if self.type == self.counts_as:
            raise ValueError(f"says that {self.type} cards count as themselves")
        return self


class DerivedSkill(_Record):
    """A skill such as Arcane that is based on one of the six."""

    skill: Skill = key("The skill it is based on.")
    bonus: PositiveInt = key("What is added to that.")


class CharacterRecord(SetRecord):
    """A character."""

    name: Name = key("The character's name.")
    product: Literal["B", "C", "P"] = key("The product it is in: `B`, `C` or `P`.")
    character_class: Name = key("Its class.", alias="class")
    race: Name | None = key("Its race.")
    cards_list: dict[CardType, CardsListLine] = key("The Cards List: a line for each type.")
    card_feat_boxes: PositiveInt = key("Card feat boxes on the whole list.")
    counts_as: list[CountsAs] = key(
        "Cards of a type that fill places of another when the deck is built.", default_factory=list
    )
    must_hold: Names = key("Cards that the deck must hold.", default_factory=list)
    favored_card_type: Name | None = key("The favored card type.")
    hand_size: PositiveInt | None = key("The hand size at the start.")
    hand_size_feats: list[PositiveInt] | None = key("The hand sizes that power feats give.")
    proficient: Names | None = key("What it is proficient with at the start.")
    proficiency_by_feat: Names | None = key("What power feats make it proficient with.")
    skills: dict[Skill, Die] | None = key("The die of each skill.")
    skill_feat_boxes: dict[Skill, Count] | None = key("Skill feat boxes of each skill.")
    derived_skills: dict[Name, DerivedSkill] | None = key("Skills that are based on one of the six.")
    roles: Names | None = key("The names on its role card.")
    cohorts: Names = key("The cohorts of its own list.")
    source: Name = key("Where the facts are from.")

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

    name: Name = key("The card.")
    type: CardType = key("Its type.")
    count: PositiveInt = key("Copies.")


class DeckRecord(SetRecord):
    """A suggested deck."""

    character: Name = key("The character the deck is for.")
    cards: list[DeckLine] = key("Its cards.")
    source: Name = key("Where it stands.")
    matched_by: Name = key("Why this list belongs to this character (the text of the PDF scrambles names and lists).")

    @model_validator(mode="after")
    def _no_card_twice(self) -> DeckRecord:
        _distinct([line.name for line in self.cards])
        return self


class Gives(_Record):
    """A reward in countable terms; where `reward` is `null`, an inference that `note` explains."""

    feats: dict[Literal["skill", "power", "card"], PositiveInt] = key("Feats by kind.")
    role: bool = key("Whether it gives the role card.")
    loot: Names = key("Loot cards.")
    traders: Names = key("Traders that are met from then on.")


class TraderRecord(_Record):
    """A trader: what it offers and what a trade costs."""

    name: Name = key("Its name.")
    offers: list[CardType] = key("The types of the boons it offers.")
    trait: Name | None = key("The trait that these must have; `null`: any.")
    own_number: bool = key(
        "Whether they are of the scenario's adventure deck number alone; left out: or 1 less.", default=False
    )
    cost: PositiveInt = key("How many boons a trade costs.")


class ScenarioPart(_Record):
    """A scenario of an adventure."""

    number: PositiveInt = key("Its place in the adventure.")
    name: Name = key("Its name.")
    reward: Name | None = key("The reward in words.")
    gives: Gives = key("The reward in countable terms.")
    note: Name | None = key("What readers of the record should know.")


class AdventureRecord(SetRecord):
    """An adventure with its scenarios; `deck` is its adventure deck number, `path` null when it is in no path."""

    record: Literal["adventure"] = key("What the record is.")
    deck: AdventureNumber = key("The number of its adventure deck; `B` for the base set.")
    name: Name = key("Its name.")
    path: Name | None = key("The Adventure Path it is in; `null`: none.")
    reward: Name | None = key("The reward in words.")
    gives: Gives = key("The reward in countable terms.")
    traders: list[TraderRecord] = key("The traders of the adventure.")
    scenarios: list[ScenarioPart] = key("Its scenarios, in order.")
    source: Name = key("Where it stands.")
    note: Name | None = key("What readers of the record should know.")

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

    record: Literal["path"] = key("What the record is.")
    name: Name = key("Its name.")
    adventures: Names = key("Names of its adventures, in the order of play.")
    source: Name = key("Where it stands.")
    note: Name | None = key("What readers of the record should know.")
